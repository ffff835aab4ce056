package cond

import (
	"math"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
)

// A condition is looked at only when one of its accesses fires: something that is
// so in every context in which its condition is true. The weight of an access
// is a guess of how often it fires.

// lookup is how an access finds out whether it fires.
type lookup uint8

const (
	byEqual   lookup = iota // a text, number or boolean equals the key
	byPrefix                // a text begins with the key
	bySuffix                // a text ends with the key
	bySubtext               // a text contains the key
	byTruth                 // the atom is true
	lookups
)

// access is one way in. Accesses are numbered.
type access struct {
	how   lookup
	table int32 // byTruth: the atom
	key   string
}

// tableKey says which values an access is about: those of a path, or those that
// a visual query selects.
type tableKey struct {
	path  *facts.Path
	query string // visual.Query.Key; "" for a path
}

// ways are accesses one of which fires whenever a condition is true. None at
// all: it is never true.
type ways struct {
	list   []int32
	weight float64
	always bool  // nothing is known: the condition must always be looked at
	exact  int32 // the atom that is true when one of them fires; -1: none
}

var always = ways{always: true, weight: math.MaxFloat64}

// accessFinder finds the ways into atoms, and into conditions.
type accessFinder struct {
	set     *Set
	uses    []int32 // of the atoms
	numbers map[access]int32
	list    []access
	counts  []int32 // how many conditions could use an access
	tables  map[tableKey]int32
	order   []tableKey
	picked  map[string]*facts.Path // one for all that pick the same from arrays
	queries []int32                // for each table of a query an atom that asks it
	totals  [][lookups]int32       // for each table the sums of counts
	byAtom  []ways
}

// options are the ways that one atom offers, before it is known which is best.
type options struct {
	atom int32
	ways []ways
}

// newAccessFinder looks at every atom twice: what is common in the whole set is
// known only after the first time.
func newAccessFinder(s *Set, uses []int32) *accessFinder {
	f := &accessFinder{set: s, uses: uses, numbers: make(map[access]int32, len(s.atoms)), tables: map[tableKey]int32{}, byAtom: make([]ways, len(s.atoms))}
	offers := make([]options, len(s.atoms))
	for i := range s.atoms {
		offers[i].atom = int32(i)
		f.offer(&offers[i])
	}
	for i := range offers {
		f.byAtom[i] = f.best(&offers[i])
	}
	return f
}

// offer collects the ways into an atom.
func (f *accessFinder) offer(o *options) {
	a := &f.set.atoms[o.atom]
	switch {
	case a.node.expr.kind == exprVisual:
		if a.node.expr.query.kind == visualMatch {
			table := f.table(tableKey{query: a.node.query.Key()}, o.atom)
			for i := range a.node.predicates {
				f.predicate(o, &a.node.predicates[i], table, facts.Absent, len(a.node.predicates) == 1)
			}
		}
	case a.pred != nil:
		f.predicate(o, a.pred, f.table(tableKey{path: a.path()}, o.atom), a.path().Kind, true)
	default:
		for i := range a.node.predicates {
			f.predicate(o, &a.node.predicates[i], f.table(tableKey{path: a.path()}, o.atom), a.path().Kind, false)
		}
	}
}

// best is the lightest of an atom's ways.
func (f *accessFinder) best(o *options) ways {
	best := ways{weight: 0.9, exact: o.atom}
	if f.set.atoms[o.atom].slow {
		best.weight = 2 // it would have to be evaluated at every match
	}
	truth := true
	for _, w := range o.ways {
		for _, number := range w.list {
			w.weight += f.weight(number)
		}
		if w.weight < best.weight {
			best, truth = w, false
		}
	}
	if truth {
		best.list = []int32{f.number(o, byTruth, o.atom, "")}
	}
	return best
}

// weight guesses how often an access fires: contexts are taken to be like what
// the conditions ask for, so what many conditions want is common.
func (f *accessFinder) weight(number int32) float64 {
	a := f.list[number]
	const doubt = 8 // few conditions say little
	share := float64(f.counts[number]) / float64(f.totals[a.table][a.how]+doubt)
	switch a.how {
	case byEqual:
		return share
	case bySubtext:
		return math.Min(0.9, math.Max(4*share, 2*textWeight(a.key)))
	}
	return math.Max(share, textWeight(a.key))
}

// textWeight guesses how often a text is met by chance: long ones rarely.
func textWeight(text string) float64 {
	return math.Max(0.0005, math.Pow(0.5, float64(len(text))))
}

// table finds or makes the table of some values; atom is one that asks for them.
func (f *accessFinder) table(key tableKey, atom int32) int32 {
	if key.path != nil && !key.path.Stored() {
		key.path = f.pickedPath(key.path)
	}
	t, known := f.tables[key]
	if !known {
		t = int32(len(f.order))
		f.tables[key] = t
		f.order = append(f.order, key)
		f.queries = append(f.queries, atom)
		f.totals = append(f.totals, [lookups]int32{})
	}
	return t
}

// pickedPath is one path for all that pick the same from arrays.
func (f *accessFinder) pickedPath(path *facts.Path) *facts.Path {
	if first, known := f.picked[path.Canonical()]; known {
		return first
	}
	if f.picked == nil {
		f.picked = map[string]*facts.Path{}
	}
	f.picked[path.Canonical()] = path
	return path
}

// number finds or makes an access.
func (f *accessFinder) number(o *options, how lookup, table int32, key string) int32 {
	a := access{how: how, table: table, key: key}
	number, known := f.numbers[a]
	if !known {
		number = int32(len(f.list))
		f.numbers[a] = number
		f.list = append(f.list, a)
		f.counts = append(f.counts, 0)
	}
	f.counts[number] += f.uses[o.atom]
	if how != byTruth {
		f.totals[table][how] += f.uses[o.atom]
	}
	return number
}

// add offers ways that one of several keys fires. exact says that the atom is
// true when it does.
func (f *accessFinder) add(o *options, how lookup, table int32, exact bool, keys ...string) {
	w := ways{list: make([]int32, len(keys)), exact: -1}
	if exact {
		w.exact = o.atom
	}
	for i, key := range keys {
		if key == "" && how != byEqual {
			return // every text has it
		}
		w.list[i] = f.number(o, how, table, key)
	}
	o.ways = append(o.ways, w)
}

// predicate finds the ways in for one operator on the values of a table. kind
// is what the schema says of the value; Absent for values of a query. whole
// says that the operator alone decides the atom.
func (f *accessFinder) predicate(o *options, p *predicate, table int32, kind facts.Kind, whole bool) {
	exact := whole && !p.sensitive
	switch p.op {
	case equalsOp, inOp:
		f.values(o, p, table, exact && kind != facts.Array)
	case containsOp:
		if p.values()[0].Kind() != facts.String || kind == facts.Array {
			f.values(o, p, table, exact && kind == facts.Array)
			return
		}
		f.add(o, bySubtext, table, exact, folded(p.values()[0]))
	case containsAnyOp, containsAllOp:
		f.parts(o, p, table, kind == facts.Array, exact)
	case startsWithOp:
		f.add(o, byPrefix, table, exact && kind != facts.Array, glob.Fold(p.text()))
	case endsWithOp:
		f.add(o, bySuffix, table, exact && kind != facts.Array, glob.Fold(p.text()))
	case globOp:
		f.glob(o, p, table)
	case regexOp:
		if literals := p.re().Required().Any; len(literals) > 0 {
			f.add(o, bySubtext, table, false, foldedAll(literals)...)
		}
	case anyItemOp, allItemsOp:
		f.item(o, p, table, whole && p.op == anyItemOp)
	}
}

func folded(v facts.Value) string { return glob.Fold(v.Text()) }

func foldedAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = glob.Fold(text)
	}
	return out
}

// values are the ways in for operands one of which a value, or an item, must
// equal.
func (f *accessFinder) values(o *options, p *predicate, table int32, exact bool) {
	values := p.values()
	keys := make([]string, len(values))
	for i, v := range values {
		if v.Kind() == facts.String {
			keys[i] = folded(v)
		} else {
			keys[i] = string(scalarKey(nil, v))
		}
	}
	f.add(o, byEqual, table, exact, keys...)
}

// parts are the ways in for operands that a text or an array contains: one of
// them, or each. What is no text can only be an item, which the index is told to
// leave to the condition where the schema knows of no array.
func (f *accessFinder) parts(o *options, p *predicate, table int32, array, exact bool) {
	one := ways{exact: -1}
	if exact && (p.op == containsAnyOp || len(p.values()) == 1) {
		one.exact = o.atom
	}
	for _, v := range p.values() {
		how, key := bySubtext, folded(v)
		switch {
		case v.Kind() != facts.String:
			how, key, one.exact = byEqual, string(scalarKey(nil, v)), -1
		case array:
			how = byEqual
		}
		if key == "" && how == bySubtext {
			if p.op == containsAnyOp {
				return // every text has it
			}
			continue
		}
		number := f.number(o, how, table, key)
		if p.op == containsAnyOp {
			one.list = append(one.list, number)
			continue
		}
		o.ways = append(o.ways, ways{list: []int32{number}, exact: one.exact})
	}
	if len(one.list) > 0 {
		o.ways = append(o.ways, one)
	}
}

func (f *accessFinder) glob(o *options, p *predicate, table int32) {
	if texts, ok := p.glob().Literals(); ok {
		f.add(o, byEqual, table, false, foldedAll(texts)...)
		return
	}
	f.add(o, byPrefix, table, false, glob.Fold(p.glob().Prefix()))
	f.add(o, bySuffix, table, false, glob.Fold(p.glob().Suffix()))
	if required := p.glob().Required(); len(required) > 0 { // one of them occurs
		f.add(o, bySubtext, table, false, foldedAll(required)...)
	}
}

// item finds the ways in for a condition that some item must meet.
func (f *accessFinder) item(o *options, p *predicate, table int32, whole bool) {
	path := f.order[table].path
	if path.Kind != facts.Array {
		return // what equals a text there is no item of it
	}
	item := p.item()
	fields := []node{*item}
	if item.expr.kind == exprAll {
		fields = item.children
	}
	whole = whole && path.Stored() // the tables of fields are about all items
	for _, field := range fields { // what is negated has no operators of its own
		at, kind := table, path.Item
		if field.expr.path != "" {
			if field.expr.known == nil {
				continue
			}
			at, kind = f.table(tableKey{path: field.expr.known}, o.atom), field.expr.known.Item
		}
		for i := range field.predicates {
			if q := &field.predicates[i]; q.item() == nil {
				f.predicate(o, q, at, kind, whole && len(fields) == 1 && len(field.predicates) == 1)
			}
		}
	}
}

// of returns the ways into the condition at an instruction, and where the next
// one begins.
func (f *accessFinder) of(at int32) (ways, int32) {
	in := f.set.code[at]
	switch in.op {
	case opTrue:
		return always, at + 1
	case opFalse, opNull:
		return ways{}, at + 1 // nothing is a way in
	case opAtom:
		return f.byAtom[in.arg], at + 1
	case opNone:
		return always, in.arg
	}
	best, union := always, ways{exact: -1}
	for next := at + 1; next < in.arg; {
		var w ways
		w, next = f.of(next)
		if in.op == opAll {
			if w.weight < best.weight {
				best = w
			}
			continue
		}
		union.always = union.always || w.always
		union.weight += w.weight
		union.list = append(union.list, w.list...)
	}
	switch {
	case in.op == opAll:
		return best, in.arg
	case union.always:
		return always, in.arg
	}
	return union, in.arg
}
