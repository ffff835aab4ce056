package cond

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/pertain-dev/pertain/facts"
)

// accessIndex finds the conditions that may be true in a context.
type accessIndex struct {
	always []int32 // conditions that must always be looked at
	truths []truth
	tables []table

	// For each bucket its conditions, each with what is left to check when the
	// bucket fires, side by side in memory.
	entries []int32
	start   []int32 // where each bucket begins; one more for the end
}

// An entry is the condition, the number of atoms that must still be true, and the
// atoms: those that are cheap first, slow ones as their complement. Instead of
// the number, wholly says that the condition must be evaluated as a whole.
const wholly = -1

// truth is an atom whose conditions are looked at when it is true.
type truth struct{ atom, bucket int32 }

// table holds all accesses to the values of one path or visual query.
type table struct {
	path     *facts.Path
	query    int32 // path == nil: an atom that asks the query
	equal    map[string]int32
	longest  int // bytes of the longest key of equal
	prefixes lengths
	suffixes lengths
	grams    *gramIndex
	buckets  []int32 // all of them
}

// equalOnly tells whether equal values are all that is looked for.
func (t *table) equalOnly() bool {
	return t.grams == nil && len(t.prefixes.sizes) == 0 && len(t.suffixes.sizes) == 0
}

// shortItem is up to how many bytes the text of an item is folded anew for every
// table, which takes less than remembering it.
const shortItem = 64

// parts tells whether a few parts of texts are all that is looked for.
func (t *table) parts() bool {
	return t.grams != nil && t.grams.few != nil && len(t.equal) == 0 && len(t.prefixes.sizes) == 0 && len(t.suffixes.sizes) == 0
}

// lengths finds the keys that a text begins or ends with: one look for each
// length that some key has.
type lengths struct {
	sizes []int
	keys  map[string]int32
}

// indexBuilder sorts the entries of conditions into buckets.
type indexBuilder struct {
	finder  *accessFinder
	bucket  []int32 // for each access, -1 if it is not used
	order   []int32 // for each bucket its access
	posts   []post
	entries []int32
}

// post puts an entry, a part of indexBuilder.entries, into a bucket.
type post struct{ bucket, start, end int32 }

// newAccessIndex chooses the ways into every condition.
func newAccessIndex(s *Set, uses []int32) accessIndex {
	f := newAccessFinder(s, uses)
	b := indexBuilder{finder: f, bucket: make([]int32, len(f.list))}
	for i := range b.bucket {
		b.bucket[i] = -1
	}
	var ix accessIndex
	for i := range int32(s.size) {
		w, _ := f.of(s.first[i])
		if w.always {
			ix.always = append(ix.always, i)
			continue
		}
		start := int32(len(b.entries))
		b.entry(i, w.exact)
		for at, number := range w.list {
			if !slices.Contains(w.list[:at], number) { // a union may repeat itself
				b.post(number, start)
			}
		}
	}
	b.finish(&ix)
	return ix
}

// entry writes what is left to check of a condition when the atom exact is true.
func (b *indexBuilder) entry(condition, exact int32) {
	set := b.finder.set
	b.entries = append(b.entries, condition, wholly)
	start := len(b.entries)
	for _, in := range set.code[set.first[condition]:set.first[condition+1]] {
		switch {
		case in.op == opAll || in.op == opTrue:
		case in.op != opAtom:
			b.entries = b.entries[:start]
			return
		case in.arg == exact:
		case set.atoms[in.arg].slow && !set.atoms[in.arg].items:
			b.entries = append(b.entries, ^in.arg)
		default:
			b.entries = append(b.entries, in.arg)
		}
	}
	slices.SortFunc(b.entries[start:], b.compare)
	b.entries[start-1] = int32(len(b.entries) - start)
}

// compare puts first what is cheap, and among what costs the same what is rarely
// true. Comparing costs so little next to searching that it pays to do it first,
// even where it seldom settles anything.
func (b *indexBuilder) compare(x, y int32) int {
	if (x < 0) != (y < 0) {
		if x < 0 {
			return 1
		}
		return -1
	}
	if x >= 0 {
		if cx, cy := b.finder.set.atoms[x].searches(), b.finder.set.atoms[y].searches(); cx != cy {
			return int(flag(cx)) - int(flag(cy))
		}
	}
	wx, wy := b.finder.byAtom[max(x, ^x)].weight, b.finder.byAtom[max(y, ^y)].weight
	switch {
	case wx < wy:
		return -1
	case wx > wy:
		return 1
	}
	return 0
}

func (b *indexBuilder) post(number, start int32) {
	if b.bucket[number] < 0 {
		b.bucket[number] = int32(len(b.order))
		b.order = append(b.order, number)
	}
	b.posts = append(b.posts, post{b.bucket[number], start, int32(len(b.entries))})
}

func (b *indexBuilder) finish(ix *accessIndex) {
	ix.start = make([]int32, len(b.order)+1)
	for _, p := range b.posts {
		ix.start[p.bucket+1] += p.end - p.start
	}
	for i := 1; i < len(ix.start); i++ {
		ix.start[i] += ix.start[i-1]
	}
	ix.entries = make([]int32, ix.start[len(b.order)])
	at := slices.Clone(ix.start)
	for _, p := range b.posts {
		at[p.bucket] += int32(copy(ix.entries[at[p.bucket]:], b.entries[p.start:p.end]))
	}
	ix.tables = make([]table, len(b.finder.order))
	subtexts := make([]map[string]int32, len(ix.tables))
	for t, key := range b.finder.order {
		ix.tables[t] = table{path: key.path, query: b.finder.queries[t], equal: map[string]int32{}}
		subtexts[t] = map[string]int32{}
	}
	for bucket, number := range b.order {
		a := b.finder.list[number]
		if a.how == byTruth {
			ix.truths = append(ix.truths, truth{a.table, int32(bucket)})
			continue
		}
		ix.tables[a.table].add(a, int32(bucket), subtexts[a.table])
	}
	for t := range ix.tables {
		ix.tables[t].finish(subtexts[t])
	}
	ix.tables = slices.DeleteFunc(ix.tables, func(t table) bool { return len(t.buckets) == 0 })
}

func (t *table) add(a access, bucket int32, subtexts map[string]int32) {
	t.buckets = append(t.buckets, bucket)
	switch a.how {
	case byEqual:
		t.equal[a.key] = bucket
		t.longest = max(t.longest, len(a.key))
	case byPrefix:
		t.prefixes.add(a.key, bucket)
	case bySuffix:
		t.suffixes.add(a.key, bucket)
	case bySubtext:
		subtexts[a.key] = bucket
	}
}

func (t *table) finish(subtexts map[string]int32) {
	slices.Sort(t.prefixes.sizes)
	slices.Sort(t.suffixes.sizes)
	if len(subtexts) > 0 {
		t.grams = newGramIndex(subtexts)
	}
}

func (l *lengths) add(key string, bucket int32) {
	if l.keys == nil {
		l.keys = map[string]int32{}
	}
	l.keys[key] = bucket
	if !slices.Contains(l.sizes, len(key)) {
		l.sizes = append(l.sizes, len(key))
	}
}

// scalarKey is the key under which an equal number or boolean is found; no text
// has it, since it is not UTF-8.
func scalarKey(buf []byte, v facts.Value) []byte {
	buf = binary.BigEndian.AppendUint64(append(buf, 0xFF, byte(v.Kind())), math.Float64bits(v.Number()))
	return append(buf, v.Rounded()...)
}
