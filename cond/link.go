package cond

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// atom is a predicate that members share: one operator on the value at a path,
// or a whole condition where its parts share a time limit.
type atom struct {
	node   *node
	pred   *predicate  // nil: the whole node
	path   *facts.Path // of pred
	slow   bool        // it may run into a limit
	limits Limits      // of slow ones: those of the members that share it
}

// linker gives equal predicates one atom.
type linker struct {
	set   *Set
	atoms map[string]int32
	key   []byte
}

// link translates all members into code over atoms.
func link(s *Set) {
	l := &linker{set: s, atoms: make(map[string]int32, len(s.members))}
	s.first = make([]int32, 0, len(s.members)+1)
	for i := range s.members {
		s.first = append(s.first, int32(len(s.code)))
		l.node(s.members[i].Program.root, s.members[i].Limits)
	}
	s.first = append(s.first, int32(len(s.code)))
}

func (l *linker) emit(op opcode, atom int32, n *node) int {
	l.set.code = append(l.set.code, instruction{op: op, atom: atom})
	l.set.nodes = append(l.set.nodes, n)
	return len(l.set.code) - 1
}

func (l *linker) node(n *node, limits Limits) {
	switch n.expr.Kind {
	case Const:
		if n.expr.Value {
			l.emit(opTrue, 0, n)
		} else {
			l.emit(opFalse, 0, n)
		}
	case All, Any, None:
		op := opAll
		if n.expr.Kind == Any {
			op = opAny
		} else if n.expr.Kind == None {
			op = opNone
		}
		at := l.emit(op, 0, n)
		for _, child := range n.children {
			l.node(child, limits)
		}
		l.set.code[at].end = int32(len(l.set.code))
	case Field:
		l.field(n, limits)
	case Visual:
		l.emit(opAtom, l.atom(n, nil, limits), n)
	}
}

func (l *linker) field(n *node, limits Limits) {
	switch {
	case n.expr.Known == nil:
		l.emit(opNull, 0, n)
	case slowPredicates(n) > 1:
		// They share the limit of the condition, so they stay together.
		l.emit(opAtom, l.atom(n, nil, limits), n)
	case len(n.predicates) == 1:
		l.emit(opAtom, l.atom(n, n.predicates[0], limits), n)
	default:
		at := l.emit(opAll, 0, n)
		for _, slow := range []bool{false, true} { // what is cheap goes first
			for _, p := range n.predicates {
				if p.slow() == slow {
					l.emit(opAtom, l.atom(n, p, limits), n)
				}
			}
		}
		l.set.code[at].end = int32(len(l.set.code))
	}
}

func slowPredicates(n *node) int {
	count := 0
	for _, p := range n.predicates {
		if p.slow() {
			count++
		}
	}
	return count
}

// slow tells whether a predicate may run into a time limit.
func (p *predicate) slow() bool { return p.op == Regex || p.item != nil }

// atom finds or makes the atom of a predicate, or of a whole node.
func (l *linker) atom(n *node, p *predicate, limits Limits) int32 {
	l.key = l.key[:0]
	a := atom{node: n, pred: p, path: n.expr.Known}
	if p == nil {
		a.slow = true
		l.nodeKey(n)
	} else {
		a.slow = p.slow()
		l.text(n.expr.Path)
		l.predicateKey(p)
	}
	if a.slow {
		a.limits = limits
		for _, d := range []time.Duration{limits.Matching, limits.Condition, limits.Regex, limits.VisualQuery} {
			l.key = binary.AppendVarint(l.key, int64(d))
		}
	}
	if at, known := l.atoms[string(l.key)]; known {
		return at
	}
	at := int32(len(l.set.atoms))
	l.set.atoms = append(l.set.atoms, a)
	l.atoms[string(l.key)] = at
	return at
}

func (l *linker) byte(b ...byte) { l.key = append(l.key, b...) }

func (l *linker) text(s string) {
	l.key = binary.AppendUvarint(l.key, uint64(len(s)))
	l.key = append(l.key, s...)
}

func (l *linker) number(f float64) {
	l.key = binary.BigEndian.AppendUint64(l.key, math.Float64bits(f))
}

// nodeKey writes everything that decides what a condition means.
func (l *linker) nodeKey(n *node) {
	l.byte(byte(n.expr.Kind), flag(n.expr.CaseSensitive), flag(n.expr.Value))
	l.text(n.expr.Path)
	if n.query != nil {
		l.byte(byte(n.expr.Query.Kind))
		l.text(n.query.Key())
	}
	l.byte(byte(len(n.predicates)), byte(len(n.children)))
	for _, p := range n.predicates {
		l.predicateKey(p)
	}
	for _, child := range n.children {
		l.nodeKey(child)
	}
}

func (l *linker) predicateKey(p *predicate) {
	l.byte(byte(p.op), flag(p.sensitive))
	l.key = binary.AppendUvarint(l.key, uint64(len(p.values)))
	for _, v := range p.values {
		l.byte(byte(v.Kind()))
		if v.Kind() == facts.String {
			l.text(v.Text())
		} else {
			l.number(v.Number())
		}
	}
	if p.op == Regex || p.op == Glob {
		l.text(p.operator.Text)
	}
	for _, side := range []*float64{p.bounds.Min, p.bounds.Max, p.bounds.Equals} {
		l.byte(flag(side != nil))
		if side != nil {
			l.number(*side)
		}
	}
	if p.item != nil {
		l.nodeKey(p.item)
	}
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
