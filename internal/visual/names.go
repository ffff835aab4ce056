package visual

import (
	"unicode/utf8"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/casefold"
	"github.com/pertain-dev/pertain/internal/glob"
)

// nameIndex finds the elements of a type by their name, without case. Names that are equal
// without case are one entry; the elements of entry n are
// elements[starts[n]:starts[n+1]], in document order.
type nameIndex struct {
	slots    []int32 // hash table with linear probing: one more than the entry, 0 for empty
	hashes   []uint32
	names    []string // of each entry, as one of the elements spells it
	starts   []int32
	elements []int32
}

// newNameIndex is the index of all elements that have the type of a step.
func newNameIndex(tree *facts.Tree, s *step) *nameIndex {
	var list []int32
	if s.any {
		list = make([]int32, tree.Len())
		for i := range list {
			list[i] = int32(i)
		}
	} else {
		list = tree.OfType(s.kind)
	}
	size := 8
	for size < 2*len(list) {
		size *= 2
	}
	x := &nameIndex{slots: make([]int32, size), starts: []int32{0, 0}}
	entries := make([]int32, len(list)) // of each element; -1 without a name
	named := 0
	for k, id := range list {
		e := tree.At(int(id))
		if !e.HasName {
			entries[k] = -1
			continue
		}
		named++
		entries[k] = x.enter(e.Name)
		x.starts[entries[k]+2]++
	}
	// starts[n+2] counts entry n. Summed up, starts[n+1] is where entry n begins;
	// filled in, it is where entry n ends, which is where n+1 begins.
	for n := 2; n < len(x.starts); n++ {
		x.starts[n] += x.starts[n-1]
	}
	x.elements = make([]int32, named)
	for k, n := range entries {
		if n >= 0 {
			x.elements[x.starts[n+1]] = list[k]
			x.starts[n+1]++
		}
	}
	return x
}

// enter finds the entry of a name, or makes one.
func (x *nameIndex) enter(name string) int32 {
	hash := hashFolded(name)
	slot, entry := x.probe(name, hash)
	if entry < 0 {
		entry = int32(len(x.names))
		x.slots[slot] = entry + 1
		x.hashes = append(x.hashes, hash)
		x.names = append(x.names, name)
		x.starts = append(x.starts, 0)
	}
	return entry
}

// probe finds the slot of a name and its entry, -1 if it has none.
func (x *nameIndex) probe(name string, hash uint32) (slot int, entry int32) {
	mask := len(x.slots) - 1
	for slot = int(hash) & mask; x.slots[slot] != 0; slot = (slot + 1) & mask {
		entry = x.slots[slot] - 1
		if x.hashes[entry] == hash && (x.names[entry] == name || glob.EqualFold(x.names[entry], name)) {
			return slot, entry
		}
	}
	return slot, -1
}

// find is all elements whose names equal a text without case, in document order.
func (x *nameIndex) find(text string) []int32 {
	_, entry := x.probe(text, hashFolded(text))
	if entry < 0 {
		return nil
	}
	return x.elements[x.starts[entry]:x.starts[entry+1]]
}

// hashFolded is equal for texts that are equal without case.
func hashFolded(text string) uint32 {
	const prime = 0x9E3779B97F4A7C15
	h := uint64(prime)
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			h = (h ^ uint64(c)) * prime
			i++
			continue
		}
		r, size := firstRune(text[i:])
		h = (h ^ uint64(casefold.Rune(r))) * prime
		i += size
	}
	return uint32(h >> 32)
}
