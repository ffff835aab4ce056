package look

import (
	"encoding/binary"
	"math"
)

// formula is a condition on the characters that follow an offset in a text, in terms
// of variables: variable i says that what follows is accepted from instruction i
// on. It is the number of a node in a decision diagram whose variables come in
// rising order and which holds no two equal nodes, so that equal conditions are
// equal numbers.
type formula int32

const (
	never  formula = 0
	always formula = 1
)

// branch is a node of a diagram: high if the variable holds, else low.
type branch struct {
	variable  int32
	low, high formula
}

// formulas is a diagram that is built up and thrown away within one step. When it
// is full it says so, and what it gives means nothing any more.
type formulas struct {
	nodes  []branch // the first two stand for never and always
	unique map[branch]formula
	memo   map[[3]formula]formula
	full   bool
	work   int // nodes and combinations that were made, in all steps so far
}

// Bounds on the diagram of one step.
const (
	maxBranches = 1 << 12
	maxMemo     = 1 << 14
)

func newFormulas() *formulas {
	f := &formulas{unique: make(map[branch]formula), memo: make(map[[3]formula]formula)}
	f.clear()
	return f
}

func (f *formulas) clear() {
	f.nodes = append(f.nodes[:0], branch{variable: math.MaxInt32}, branch{variable: math.MaxInt32})
	clear(f.unique)
	clear(f.memo)
	f.full = false
}

func (f *formulas) node(variable int32, low, high formula) formula {
	if low == high {
		return low
	}
	key := branch{variable, low, high}
	if n, ok := f.unique[key]; ok {
		return n
	}
	if len(f.nodes) >= maxBranches {
		f.full = true
		return never
	}
	n := formula(len(f.nodes))
	f.nodes = append(f.nodes, key)
	f.unique[key] = n
	f.work++
	return n
}

func (f *formulas) variable(at uint32) formula { return f.node(int32(at), never, always) }

func (f *formulas) or(a, b formula) formula  { return f.choose(a, always, b) }
func (f *formulas) and(a, b formula) formula { return f.choose(a, b, never) }
func (f *formulas) not(a formula) formula    { return f.choose(a, never, always) }

// choose gives: b if a holds, else c.
func (f *formulas) choose(a, b, c formula) formula {
	switch {
	case a == always || b == c:
		return b
	case a == never:
		return c
	case b == always && c == never:
		return a
	case f.full:
		return never
	}
	key := [3]formula{a, b, c}
	if n, ok := f.memo[key]; ok {
		return n
	}
	top := min(f.nodes[a].variable, f.nodes[b].variable, f.nodes[c].variable)
	low := f.choose(f.half(a, top, false), f.half(b, top, false), f.half(c, top, false))
	high := f.choose(f.half(a, top, true), f.half(b, top, true), f.half(c, top, true))
	n := f.node(top, low, high)
	if len(f.memo) >= maxMemo {
		f.full = true
		return never
	}
	f.memo[key] = n
	f.work++
	return n
}

// half gives what is left of a formula once a variable, which is not below its
// first, is known.
func (f *formulas) half(a formula, variable int32, holds bool) formula {
	switch n := &f.nodes[a]; {
	case n.variable != variable:
		return a
	case holds:
		return n.high
	default:
		return n.low
	}
}

// without gives a formula with the variables that drop names taken for false.
func (f *formulas) without(a formula, drop func(variable int32) bool, memo map[formula]formula) formula {
	if a <= always {
		return a
	}
	if n, ok := memo[a]; ok {
		return n
	}
	f.work++
	n := f.nodes[a]
	out := f.without(n.low, drop, memo)
	if !drop(n.variable) {
		out = f.node(n.variable, out, f.without(n.high, drop, memo))
	}
	memo[a] = out
	return out
}

// all says whether a test holds for every variable of a formula. seen has the formulas
// that were looked at.
func (f *formulas) all(a formula, test func(variable int32) bool, seen map[formula]bool) bool {
	if a <= always || seen[a] {
		return true
	}
	seen[a] = true
	n := f.nodes[a]
	return test(n.variable) && f.all(n.low, test, seen) && f.all(n.high, test, seen)
}

// write appends formulas in a form that is the same for equal ones: their nodes,
// each after those that it refers to, then the numbers of the formulas.
func (f *formulas) write(b []byte, roots []formula) []byte {
	number := map[formula]uint64{never: 0, always: 1}
	var body []byte
	var visit func(formula)
	visit = func(a formula) {
		if _, ok := number[a]; ok {
			return
		}
		n := f.nodes[a]
		visit(n.low)
		visit(n.high)
		body = binary.AppendUvarint(body, uint64(n.variable))
		body = binary.AppendUvarint(body, number[n.low])
		body = binary.AppendUvarint(body, number[n.high])
		number[a] = uint64(len(number))
	}
	for _, root := range roots {
		visit(root)
	}
	b = binary.AppendUvarint(b, uint64(len(number)-2))
	b = append(b, body...)
	for _, root := range roots {
		b = binary.AppendUvarint(b, number[root])
	}
	return b
}

// read takes what write wrote of count formulas over variables below limit. ok is
// false if that is not what it is.
func (f *formulas) read(b []byte, count int, limit uint64) (roots []formula, rest []byte, ok bool) {
	next := func() uint64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			b, ok = nil, false
			return 0
		}
		b = b[size:]
		return n
	}
	ok = true
	total := next()
	if total > maxBranches {
		return nil, nil, false
	}
	list := []formula{never, always}
	for range total {
		variable, low, high := next(), next(), next()
		if !ok || variable >= limit || low >= uint64(len(list)) || high >= uint64(len(list)) || low == high {
			return nil, nil, false
		}
		l, h := list[low], list[high]
		if f.nodes[l].variable <= int32(variable) || f.nodes[h].variable <= int32(variable) {
			return nil, nil, false
		}
		list = append(list, f.node(int32(variable), l, h))
	}
	for range count {
		n := next()
		if !ok || n >= uint64(len(list)) {
			return nil, nil, false
		}
		roots = append(roots, list[n])
	}
	return roots, b, ok && !f.full
}
