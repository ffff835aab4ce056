package cond

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// atom is a predicate that conditions share: one operator on the value at a path,
// or a whole condition where its parts share a time limit.
type atom struct {
	node   *node
	pred   *predicate // nil: the whole node
	slow   bool       // it may run into a limit
	items  bool       // a slow one that is so for long arrays alone
	limits int32      // of slow ones: those of the conditions that share it
}

// path is where the value of the atom's predicate stands.
func (a *atom) path() *facts.Path { return a.node.expr.known }

// searches tells whether an atom looks through a text or an array, instead of
// comparing once.
func (a *atom) searches() bool {
	if a.pred == nil {
		return true
	}
	switch a.pred.op {
	case equalsOp, inOp, startsWithOp, endsWithOp, minOp, maxOp, lengthOp, countOp:
		return false
	}
	return true
}

// origins are the conditions of the instructions that may have to report a
// problem: those of slow atoms.
type origins struct {
	at    []int32 // instructions, ascending
	nodes []*node
}

func (p *origins) add(at int, n *node) {
	p.at = append(p.at, int32(at))
	p.nodes = append(p.nodes, n)
}

// of is the condition of an instruction of a slow atom.
func (p *origins) of(at int32) *node {
	i, _ := slices.BinarySearch(p.at, at)
	return p.nodes[i]
}

// linker gives equal predicates one atom.
type linker struct {
	set     *Set
	atoms   map[string]int32
	uses    []int32 // how often each atom is used
	limit   int32   // of the condition that is linked now
	queries map[queryText]string
	key     []byte
}

// queryText is a query as written; many conditions ask the same.
type queryText struct {
	text      string
	sensitive bool
}

// link translates all conditions into code over atoms.
func link(s *Set, conditions []Condition) *linker {
	l := &linker{set: s, atoms: make(map[string]int32, len(conditions)), queries: map[queryText]string{}}
	s.first = make([]int32, 0, len(conditions)+1)
	s.limit = make([]int32, 0, len(conditions))
	s.code = make([]instruction, 0, 4*len(conditions))
	limits := map[Limits]int32{}
	for i := range conditions {
		filled := conditions[i].Limits.Or(DefaultLimits())
		at, known := limits[filled]
		if !known {
			at = int32(len(s.limits))
			limits[filled] = at
			s.limits = append(s.limits, filled)
		}
		l.limit = at
		s.limit = append(s.limit, at)
		s.first = append(s.first, int32(len(s.code)))
		l.node(&conditions[i].Program.root)
	}
	s.first = append(s.first, int32(len(s.code)))
	s.code, s.atoms = slices.Clip(s.code), slices.Clip(s.atoms)
	return l
}

func (l *linker) emit(op opcode) int {
	l.set.code = append(l.set.code, instruction{op: op})
	return len(l.set.code) - 1
}

func (l *linker) emitAtom(n *node, p *predicate) {
	at := l.emit(opAtom)
	i := l.atom(n, p)
	l.set.code[at].arg = i
	l.uses[i]++
	if l.set.atoms[i].slow {
		l.set.origins.add(at, n)
	}
}

func (l *linker) end(composite int) { l.set.code[composite].arg = int32(len(l.set.code)) }

func (l *linker) node(n *node) {
	switch n.expr.kind {
	case exprConst:
		if n.expr.value {
			l.emit(opTrue)
		} else {
			l.emit(opFalse)
		}
	case exprAll, exprAny, exprNone, exprNot:
		op := opAll
		if n.expr.kind == exprAny {
			op = opAny
		} else if n.expr.kind != exprAll { // of one child, not and none are the same
			op = opNone
		}
		at := l.emit(op)
		for i := range n.children {
			l.node(&n.children[i])
		}
		l.end(at)
	case exprField:
		l.field(n)
	case exprVisual:
		l.emitAtom(n, nil)
	}
}

func (l *linker) field(n *node) {
	switch {
	case n.expr.known == nil:
		l.emit(opNull)
	case slowPredicates(n) > 1:
		// They share the limit of the condition, so they stay together.
		l.emitAtom(n, nil)
	case len(n.predicates) == 1:
		l.emitAtom(n, &n.predicates[0])
	default:
		at := l.emit(opAll)
		for i := range n.predicates {
			l.emitAtom(n, &n.predicates[i])
		}
		l.end(at)
	}
}

func slowPredicates(n *node) int {
	count := 0
	for i := range n.predicates {
		if n.predicates[i].slow() {
			count++
		}
	}
	return count
}

// slow tells whether a predicate may run into a time limit.
func (p *predicate) slow() bool {
	if inner := p.negated(); inner != nil {
		return slowPredicates(inner) > 0
	}
	return p.op == regexOp || p.item() != nil || p.op == globOp && p.glob() != nil && p.glob().Heavy()
}

// slowItems tells whether it is the number of items alone that makes an array's
// predicate slow.
func (p *predicate) slowItems() bool {
	inner := p.negated()
	if inner == nil {
		return p.item() != nil && cheap(p.item())
	}
	for i := range inner.predicates {
		if q := &inner.predicates[i]; q.slow() && !q.slowItems() {
			return false
		}
	}
	return slowPredicates(inner) > 0
}

func cheap(n *node) bool {
	for i := range n.children {
		if !cheap(&n.children[i]) {
			return false
		}
	}
	return slowPredicates(n) == 0
}

// atom finds or makes the atom of a predicate, or of a whole node.
func (l *linker) atom(n *node, p *predicate) int32 {
	l.key = l.key[:0]
	a := atom{node: n, pred: p, slow: true, limits: l.limit}
	l.byte(flag(p == nil))
	if p == nil {
		l.nodeKey(n)
	} else {
		a.slow, a.items = p.slow(), p.slowItems()
		l.text(n.expr.path)
		l.predicateKey(p)
	}
	if a.slow {
		l.limitsKey(&l.set.limits[l.limit])
	}
	if at, known := l.atoms[string(l.key)]; known {
		return at
	}
	at := int32(len(l.set.atoms))
	l.set.atoms = append(l.set.atoms, a)
	l.uses = append(l.uses, 0)
	l.atoms[string(l.key)] = at
	return at
}

// limitsKey writes the limits that decide whether a condition is settled in time.
func (l *linker) limitsKey(limits *Limits) {
	for _, d := range [...]time.Duration{limits.Matching, limits.Condition, limits.Regex, limits.VisualQuery} {
		l.key = binary.AppendVarint(l.key, int64(d))
	}
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
	l.byte(byte(n.expr.kind), flag(n.expr.caseSensitive), flag(n.expr.value))
	l.text(n.expr.path)
	if n.query != nil {
		l.byte(byte(n.expr.query.kind))
		l.text(l.queryKey(n))
	}
	l.key = binary.AppendUvarint(l.key, uint64(len(n.predicates)))
	l.key = binary.AppendUvarint(l.key, uint64(len(n.children)))
	for i := range n.predicates {
		l.predicateKey(&n.predicates[i])
	}
	for i := range n.children {
		l.nodeKey(&n.children[i])
	}
}

func (l *linker) queryKey(n *node) string {
	written := queryText{n.expr.query.text, n.expr.caseSensitive}
	key, known := l.queries[written]
	if !known {
		key = n.query.Key()
		l.queries[written] = key
	}
	return key
}

func (l *linker) predicateKey(p *predicate) {
	l.byte(byte(p.op), flag(p.sensitive))
	values := p.values()
	l.key = binary.AppendUvarint(l.key, uint64(len(values)))
	for i := range values {
		v := &values[i]
		l.byte(byte(v.Kind()))
		if v.Kind() == facts.String {
			l.text(v.Text())
		} else {
			l.number(v.Number())
			l.text(v.Rounded())
		}
	}
	switch p.op {
	case regexOp, globOp:
		l.text(p.operator.text)
	case startsWithOp, endsWithOp:
		l.text(p.text())
	case minOp, maxOp: // their float64 is below
		bound, _ := facts.ParseNumber(p.operator.operand.Decimal())
		l.text(bound.Rounded())
	}
	bounds := &p.operator.bounds
	for _, side := range [...]*float64{bounds.min, bounds.max, bounds.equals} {
		l.byte(flag(side != nil))
		if side != nil {
			l.number(*side)
		}
	}
	if inner, ok := p.made.(*node); ok {
		l.nodeKey(inner)
	}
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
