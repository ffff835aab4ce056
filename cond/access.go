package cond

import (
	"math"
	"slices"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
)

// A member is looked at only when one of its accesses fires: something that is
// so in every context in which its condition is true. The weight of an access
// is a guess of how often it fires in vain.

// lookup is how an access finds out whether it fires.
type lookup uint8

const (
	byEqual   lookup = iota // a text, number or boolean equals the key
	byPrefix                // a text begins with the key
	bySuffix                // a text ends with the key
	bySubtext               // a text contains the key
	byTruth                 // the atom is true
)

// access is one way in.
type access struct {
	how   lookup
	table tableKey
	key   string
	atom  int32
}

// tableKey says which values an access is about: those of a path, or those that
// a visual query selects.
type tableKey struct {
	path  *facts.Path
	query string // visual.Query.Key; "" for a path
}

// ways are the accesses of a condition: one of them fires whenever it is true.
type ways struct {
	list   []access
	weight float64
	none   bool // nothing is known: the member must always be looked at
}

var always = ways{none: true, weight: math.Inf(1)}

// never is the access of what cannot be true.
var never = ways{}

// accessFinder chooses the accesses of members.
type accessFinder struct {
	set      *Set
	counting bool             // the set is looked through for the first time
	counts   map[access]int   // how often an access could be used
	queries  map[string]int32 // for each visual query an atom that asks it
}

// of returns the ways into the condition at an instruction, and where the next
// one begins.
func (f *accessFinder) of(at int32) (ways, int32) {
	in := f.set.code[at]
	switch in.op {
	case opTrue:
		return always, at + 1
	case opFalse, opNull:
		return never, at + 1
	case opAtom:
		return f.atom(in.atom), at + 1
	case opNone:
		return always, in.end
	}
	best := always
	union := ways{}
	for next := at + 1; next < in.end; {
		var w ways
		w, next = f.of(next)
		if in.op == opAll && w.weight < best.weight {
			best = w
		}
		union.none = union.none || w.none
		union.weight += w.weight
		union.list = append(union.list, w.list...)
	}
	if in.op == opAll {
		return best, in.end
	}
	if union.none {
		return always, in.end
	}
	return union, in.end
}

func (f *accessFinder) atom(i int32) ways {
	a := &f.set.atoms[i]
	truth := ways{list: []access{{how: byTruth, atom: i}}, weight: 0.9}
	if a.slow {
		truth.weight = 2 // it would have to be evaluated at every match
	}
	best := truth
	consider := func(w ways) {
		if !w.none && w.weight < best.weight {
			best = w
		}
	}
	switch {
	case a.node.expr.Kind == Visual:
		if a.node.expr.Query.Kind == Match {
			key := a.node.query.Key()
			f.queries[key] = i
			for _, p := range a.node.predicates {
				consider(f.predicate(p, tableKey{query: key}, facts.Absent))
			}
		}
	case a.pred != nil:
		consider(f.predicate(a.pred, tableKey{path: a.path}, a.path.Kind))
	default:
		for _, p := range a.node.predicates {
			consider(f.predicate(p, tableKey{path: a.path}, a.path.Kind))
		}
	}
	return best
}

// predicate finds the ways in for one operator on the values of a table. kind
// is what the schema says of the value; Absent for values of a query.
func (f *accessFinder) predicate(p *predicate, table tableKey, kind facts.Kind) ways {
	one := func(how lookup, key string, weight float64) ways {
		return f.weigh(ways{list: []access{{how: how, table: table, key: key}}, weight: weight})
	}
	folded := func(v facts.Value) string { return glob.Fold(v.Text()) }
	switch p.op {
	case Equals, In:
		return f.values(p, table)
	case Contains:
		if p.values[0].Kind() != facts.String || kind == facts.Array {
			return f.values(p, table)
		}
		return f.subtexts([]string{folded(p.values[0])}, table)
	case StartsWith:
		if text := folded(p.values[0]); text != "" {
			return one(byPrefix, text, textWeight(text))
		}
	case EndsWith:
		if text := folded(p.values[0]); text != "" {
			return one(bySuffix, text, textWeight(text))
		}
	case Glob:
		return f.glob(p, table)
	case Regex:
		var literals []string
		for _, literal := range p.re.Required().Any {
			literals = append(literals, glob.Fold(literal))
		}
		return f.subtexts(literals, table)
	case AnyItem, AllItems:
		return f.item(p.item, table)
	}
	return always
}

// values are the ways in for an operand that a value, or an item, must equal.
func (f *accessFinder) values(p *predicate, table tableKey) ways {
	w := ways{}
	for _, v := range p.values {
		a := access{how: byEqual, table: table}
		weight := 0.5
		switch v.Kind() {
		case facts.String:
			a.key = glob.Fold(v.Text())
			weight = 0.02
		default:
			a.key = string(numberKey(nil, v.Number()))
		}
		single := f.weigh(ways{list: []access{a}, weight: weight})
		w.list = append(w.list, single.list...)
		w.weight += single.weight
	}
	return w
}

// subtexts are the ways in for texts one of which must occur.
func (f *accessFinder) subtexts(texts []string, table tableKey) ways {
	if len(texts) == 0 {
		return always
	}
	w := ways{}
	for _, text := range texts {
		if text == "" {
			return always
		}
		single := f.weigh(ways{list: []access{{how: bySubtext, table: table, key: text}}, weight: 2 * textWeight(text)})
		w.list = append(w.list, single.list...)
		w.weight += single.weight
	}
	return w
}

func (f *accessFinder) glob(p *predicate, table tableKey) ways {
	best := always
	if texts, ok := p.glob.Literals(); ok {
		w := ways{}
		for _, text := range texts {
			single := f.weigh(ways{list: []access{{how: byEqual, table: table, key: glob.Fold(text)}}, weight: 0.02})
			w.list, w.weight = append(w.list, single.list...), w.weight+single.weight
		}
		return w
	}
	consider := func(how lookup, text string, weight float64) {
		if text == "" {
			return
		}
		if w := f.weigh(ways{list: []access{{how: how, table: table, key: text}}, weight: weight}); w.weight < best.weight {
			best = w
		}
	}
	prefix, suffix := glob.Fold(p.glob.Prefix()), glob.Fold(p.glob.Suffix())
	consider(byPrefix, prefix, textWeight(prefix))
	consider(bySuffix, suffix, textWeight(suffix))
	var required []string // one of them occurs
	for _, text := range p.glob.Required() {
		required = append(required, glob.Fold(text))
	}
	if w := f.subtexts(required, table); !w.none && w.weight < best.weight {
		best = w
	}
	return best
}

// item are the ways in for a condition that some item must meet.
func (f *accessFinder) item(n *node, table tableKey) ways {
	if table.path == nil || table.path.Base() != nil && n.expr.Path != "" {
		return always
	}
	best := always
	consider := func(w ways) {
		if !w.none && w.weight < best.weight {
			best = w
		}
	}
	fields := []*node{n}
	if n.expr.Kind == All {
		fields = n.children
	}
	for _, field := range fields {
		at, kind := table, table.path.Item
		if field.expr.Path != "" {
			if field.expr.Known == nil {
				continue
			}
			at, kind = tableKey{path: field.expr.Known}, field.expr.Known.Item
		}
		for _, p := range field.predicates {
			if p.item == nil {
				consider(f.predicate(p, at, kind))
			}
		}
	}
	return best
}

// textWeight guesses how often a text is met by chance: long ones rarely.
func textWeight(text string) float64 { return math.Max(0.002, math.Pow(0.5, float64(len(text)))) }

// weigh counts an access while the set is looked through for the first time;
// afterwards, what many members could use is taken for common.
func (f *accessFinder) weigh(w ways) ways {
	for _, a := range w.list {
		if f.counting {
			f.counts[a]++
		} else {
			w.weight += float64(f.counts[a]) / float64(len(f.set.members))
		}
	}
	return w
}

// distinct removes repeats, which a union may have.
func distinct(list []access) []access {
	out := list[:0]
	for _, a := range list {
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}
