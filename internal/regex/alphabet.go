package regex

import (
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"
)

// alphabet splits all characters into classes that a program cannot tell apart,
// so that a state of the automaton needs one arrow per class. Two symbols more
// stand for the end of the text and for a line feed that is its last character.
type alphabet struct {
	ascii   [utf8.RuneSelf]uint16
	bounds  []rune   // first character of each run of one class, from 0 on
	classes []uint16 // class of each run
	sample  []rune   // a member of each class
	size    int      // number of symbols
	end     uint16
	final   uint16 // line feed at the very end
}

// newAlphabet gives nil if the program tells too many sets apart.
func newAlphabet(p *Program) *alphabet {
	sets := p.distinctSets()
	if len(sets) > maxSets {
		return nil
	}
	bounds := []rune{0}
	for _, set := range sets {
		for i := 0; i < len(set); i += 2 {
			bounds = append(bounds, set[i])
			if set[i+1] < unicode.MaxRune {
				bounds = append(bounds, set[i+1]+1)
			}
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)

	// A run's signature is the list of sets that hold it, kept as a class number
	// that is refined set by set.
	signature := make([]uint16, len(bounds))
	refined := make([]uint16, 2*(len(bounds)+1)) // by class and by whether inside; 0 for none yet
	for _, set := range sets {
		clear(refined)
		count, at := uint16(0), 0
		for run, first := range bounds {
			for at < len(set) && set[at+1] < first {
				at += 2
			}
			key := 2 * int(signature[run])
			if at < len(set) && set[at] <= first {
				key++
			}
			if refined[key] == 0 {
				count++
				refined[key] = count
			}
			signature[run] = refined[key] - 1
		}
	}

	a := &alphabet{}
	seen := uint16(0)
	for run, class := range signature {
		for class >= seen {
			a.sample = append(a.sample, bounds[run])
			seen++
		}
		if run > 0 && a.classes[len(a.classes)-1] == class {
			continue
		}
		a.bounds = append(a.bounds, bounds[run])
		a.classes = append(a.classes, class)
	}
	a.end = seen
	a.final = seen + 1
	a.size = int(seen) + 2
	for r := range a.ascii {
		a.ascii[r] = a.search(rune(r))
	}
	return a
}

// search gives the class of any character.
func (a *alphabet) search(r rune) uint16 {
	lo, hi := 0, len(a.bounds)
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if a.bounds[mid] <= r {
			lo = mid
		} else {
			hi = mid
		}
	}
	return a.classes[lo]
}

// distinctSets gives all sets that a program tests, those of its assertions included.
func (p *Program) distinctSets() []runeSet {
	var sets []runeSet
	seen := make(map[string]bool)
	same := make(map[*rune]bool) // by its first element, for sets that are shared
	var key []byte
	add := func(set runeSet) {
		if len(set) == 0 || same[&set[0]] {
			return
		}
		same[&set[0]] = true
		if len(set) > 64 { // finding an equal one would cost more than it saves
			sets = append(sets, set)
			return
		}
		key = key[:0]
		for _, r := range set {
			key = binary.LittleEndian.AppendUint32(key, uint32(r))
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			sets = append(sets, set)
		}
	}
	for i := range p.Insts {
		if p.Insts[i].Op == OpSet {
			add(p.Insts[i].Set)
		}
	}
	if p.Uses(WordBoundary) || p.Uses(NotWordBoundary) {
		add(boundaryWord())
	}
	if p.Uses(WordBoundaryASCII) || p.Uses(NotWordBoundaryASCII) {
		add(asciiWord())
	}
	if p.Uses(BeginLineAny) || p.Uses(EndLineAny) {
		add(ecmaLineEnds())
	}
	if p.Uses(BeginLine) || p.Uses(EndLine) || p.Uses(EndFinal) {
		add(lineFeed())
	}
	return sets
}
