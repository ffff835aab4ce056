package cond

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/visual"
)

// accessIndex finds the members that may be true in a context.
type accessIndex struct {
	always []int32 // members that must always be looked at
	truths []truth
	tables []table
	start  []int32 // where each bucket's members begin; one more for the end
	member []int32 // the members of all buckets
}

// truth is an atom whose members are looked at when it is true.
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

// lengths finds the keys that a text begins or ends with: one look for each
// length that some key has.
type lengths struct {
	sizes []int
	keys  map[string]int32
}

func (ix *accessIndex) buckets() int { return max(0, len(ix.start)-1) }

// newAccessIndex chooses the ways into every member.
func newAccessIndex(s *Set) accessIndex {
	f := &accessFinder{set: s, counting: true, counts: map[access]int{}, queries: map[string]int32{}}
	for i := range s.members {
		f.of(s.first[i])
	}
	f.counting = false
	b := indexBuilder{buckets: map[access]int32{}}
	var ix accessIndex
	for i := range s.members {
		w, _ := f.of(s.first[i])
		if w.none {
			ix.always = append(ix.always, int32(i))
			continue
		}
		for _, a := range distinct(w.list) {
			b.post(a, int32(i))
		}
	}
	b.finish(&ix, f.queries)
	return ix
}

type indexBuilder struct {
	buckets map[access]int32
	order   []access // by bucket
	posts   []post
}

type post struct{ bucket, member int32 }

func (b *indexBuilder) post(a access, member int32) {
	bucket, known := b.buckets[a]
	if !known {
		bucket = int32(len(b.order))
		b.buckets[a] = bucket
		b.order = append(b.order, a)
	}
	b.posts = append(b.posts, post{bucket, member})
}

func (b *indexBuilder) finish(ix *accessIndex, queries map[string]int32) {
	ix.start = make([]int32, len(b.order)+1)
	for _, p := range b.posts {
		ix.start[p.bucket+1]++
	}
	for i := 1; i < len(ix.start); i++ {
		ix.start[i] += ix.start[i-1]
	}
	ix.member = make([]int32, len(b.posts))
	at := slices.Clone(ix.start)
	for _, p := range b.posts {
		ix.member[at[p.bucket]] = p.member
		at[p.bucket]++
	}
	tables := map[tableKey]int{}
	var subtexts []map[string]int32
	for bucket, a := range b.order {
		if a.how == byTruth {
			ix.truths = append(ix.truths, truth{a.atom, int32(bucket)})
			continue
		}
		t, known := tables[a.table]
		if !known {
			t = len(ix.tables)
			tables[a.table] = t
			ix.tables = append(ix.tables, table{path: a.table.path, query: queries[a.table.query], equal: map[string]int32{}})
			subtexts = append(subtexts, map[string]int32{})
		}
		ix.tables[t].add(a, int32(bucket), subtexts[t])
	}
	for t := range ix.tables {
		slices.Sort(ix.tables[t].prefixes.sizes)
		slices.Sort(ix.tables[t].suffixes.sizes)
		if len(subtexts[t]) > 0 {
			ix.tables[t].grams = newGramIndex(subtexts[t])
		}
	}
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

func (l *lengths) add(key string, bucket int32) {
	if l.keys == nil {
		l.keys = map[string]int32{}
	}
	l.keys[key] = bucket
	if !slices.Contains(l.sizes, len(key)) {
		l.sizes = append(l.sizes, len(key))
	}
}

// gather finds the candidates of a match.
func (m *matching) gather() {
	ix := &m.set.access
	for _, member := range ix.always {
		m.candidate(member)
	}
	for i := range ix.tables {
		m.table(&ix.tables[i])
	}
	for _, t := range ix.truths {
		m.ev.begin(m.set.atoms[t.atom].limits, nil)
		if m.atom(t.atom, -1) == True || len(m.problems[t.atom]) > 0 || m.ev.expired {
			m.fire(t.bucket)
		}
	}
}

// fire makes candidates of a bucket's members.
func (m *matching) fire(bucket int32) {
	if m.bucket[bucket] == m.epoch {
		return
	}
	m.bucket[bucket] = m.epoch
	ix := &m.set.access
	for _, member := range ix.member[ix.start[bucket]:ix.start[bucket+1]] {
		m.candidate(member)
	}
}

func (m *matching) fireAll(t *table) {
	for _, bucket := range t.buckets {
		m.fire(bucket)
	}
}

// table fires what the values of a path or query ask for.
func (m *matching) table(t *table) {
	if t.path == nil {
		m.queryTable(t)
		return
	}
	v := m.ev.snapshot.At(t.path)
	switch v.Kind() {
	case facts.Absent:
	case facts.Array:
		if t.path.Kind != facts.Array {
			m.fireAll(t) // not what the schema says: leave it to the conditions
			return
		}
		for _, item := range v.Items() {
			m.single(t, item, nil)
		}
	default:
		if t.path.Kind == facts.Array {
			m.fireAll(t)
			return
		}
		m.single(t, v, t.path)
	}
}

// single fires what one value asks for. at is its path when it stands in the
// snapshot itself.
func (m *matching) single(t *table, v facts.Value, at *facts.Path) {
	switch v.Kind() {
	case facts.String:
		if at != nil {
			m.text(t, m.ev.fold(at, v.Text()))
		} else {
			m.text(t, glob.Fold(v.Text()))
		}
	case facts.Number, facts.Bool:
		m.number = numberKey(m.number[:0], v.Number())
		if bucket, ok := t.equal[string(m.number)]; ok {
			m.fire(bucket)
		}
	case facts.Array, facts.Object:
		m.fireAll(t)
	}
}

func (m *matching) text(t *table, text string) {
	if len(text) <= t.longest {
		if bucket, ok := t.equal[text]; ok {
			m.fire(bucket)
		}
	}
	for _, n := range t.prefixes.sizes {
		if n > len(text) {
			break
		}
		if bucket, ok := t.prefixes.keys[text[:n]]; ok {
			m.fire(bucket)
		}
	}
	for _, n := range t.suffixes.sizes {
		if n > len(text) {
			break
		}
		if bucket, ok := t.suffixes.keys[text[len(text)-n:]]; ok {
			m.fire(bucket)
		}
	}
	if t.grams != nil {
		t.grams.scan(text, m.fire)
	}
}

// queryTable asks the query once for all its members. Where there is no answer,
// the members are asked, so that the reason is told.
func (m *matching) queryTable(t *table) {
	scene := m.ev.tree()
	if scene == nil {
		return
	}
	a := &m.set.atoms[t.query]
	limits := visual.Limits{Time: min(a.limits.VisualQuery, a.limits.Condition, a.limits.Matching), Regex: a.limits.Regex}
	outcome := a.node.query.Visit(scene, limits, func(_ int, v facts.Value) bool {
		m.single(t, v, nil)
		return true
	})
	if outcome == visual.TimedOut || outcome == visual.RegexTimedOut {
		m.fireAll(t)
	}
}

// numberKey is the key under which an equal number is found; no text has it,
// since it is not UTF-8.
func numberKey(buf []byte, n float64) []byte {
	if n == 0 {
		n = 0 // the two zeros are equal
	}
	return binary.BigEndian.AppendUint64(append(buf, 0xFF), math.Float64bits(n))
}
