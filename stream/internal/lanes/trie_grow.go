package lanes

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// grower puts one expression into the trie. It runs twice: the first time it only
// looks whether the expression is fit.
type grower struct {
	*planter
	insts  []inst // of the expression
	looped []bool
	dry    bool
	fit    bool
	lanes  bool // the expression needs a lane
	base   uint32
	visits int
	path   map[uint64]bool // node and instruction that are done; not used when dry
}

// planter builds the trie and the lanes.
type planter struct {
	trie
	code
	lanes    []lane
	alphabet *alphabet
	sets     [][]rune
	children map[uint64]uint32 // by node and set
}

// lane is a group of expressions, or ends of expressions, that are run together.
// Lane 0 is the trie. Lane 1 has the expressions that may begin anywhere; it is
// always active. The others are entered after a node of the trie.
type lane struct {
	entries []uint32 // instructions
}

func newPlanter(a *alphabet, sets [][]rune) *planter {
	p := &planter{alphabet: a, sets: sets, children: make(map[uint64]uint32), lanes: make([]lane, 2)}
	p.extra = make([]trieExtra, 1)
	return p
}

// plant adds an expression. It has to match something.
func (p *planter) plant(e planned) {
	g := &grower{planter: p, insts: e.insts, looped: loops(e.insts), dry: true, fit: true}
	g.grow(rootless, e.start, 1)
	if !g.fit {
		base := p.code.add(e.insts)
		p.lanes[AlwaysLane].entries = append(p.lanes[AlwaysLane].entries, base+e.start)
		return
	}
	if g.lanes {
		g.base = p.code.add(e.insts)
	}
	g.dry, g.visits = false, 0
	if len(e.insts) > 64 {
		g.path = make(map[uint64]bool)
	}
	g.grow(rootless, e.start, 1)
}

// plantLiterals adds expressions that are nothing but a text, with what is around it.
// There may be half a million: they are put in order, so that what a text begins
// with is found in the one before it.
func (p *planter) plantLiterals(all []Literal) {
	slices.SortFunc(all, func(a, b Literal) int {
		if a.Before != b.Before {
			if a.Before {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.Text, b.Text)
	})
	var path []uint32 // of the text before: the root, and for each byte the node after its character
	last := Literal{}
	for i, l := range all {
		shared := 0
		if i > 0 && l.Before == last.Before {
			for shared < min(len(l.Text), len(last.Text)) && l.Text[shared] == last.Text[shared] {
				shared++
			}
			for shared > 0 && !Boundary(l.Text, shared) {
				shared--
			}
		} else {
			start := root{}
			if l.Before {
				start = root{guarded: true, assert: syntax.WordBoundaryASCII}
			}
			path = append(path[:0], p.root(start))
		}
		path = path[:shared+1]
		for _, r := range l.Text[shared:] {
			node := path[len(path)-1]
			child := p.node()
			p.arrow(node, p.alphabet.class(r), child)
			for range utf8.RuneLen(r) {
				path = append(path, child)
			}
		}
		node := path[len(path)-1]
		if l.After {
			e := p.more(node)
			e.guards = append(e.guards, guard{assert: syntax.WordBoundaryASCII, expression: l.Expression})
		} else {
			p.accept(node, l.Expression)
		}
		last = l
	}
}

// rootless stands for the node before it is known from which root an expression starts.
const rootless = ^uint32(0)

// grow follows the program from an instruction on, below a node that is reached
// with a likelihood.
func (g *grower) grow(node, at uint32, likely float64) {
	if !g.fit {
		return
	}
	if g.visits++; g.visits > 64+4*len(g.insts) {
		// Branches that meet again are written out in a trie: too many of them.
		g.fit = false
		return
	}
	if g.path != nil {
		key := uint64(node)<<32 | uint64(at)
		if g.path[key] {
			return
		}
		g.path[key] = true
	}
	i := &g.insts[at]
	switch i.op {
	case syntax.OpSplit:
		g.grow(node, i.out, likely)
		g.grow(node, i.alt, likely)
	case syntax.OpAssert:
		g.assert(node, at, likely)
	case syntax.OpMatch:
		if node == rootless {
			g.fit = false
		} else if !g.dry {
			g.accept(node, i.set)
		}
	case syntax.OpSet:
		set := g.sets[i.set]
		if g.looped[at] || !isNarrow(set) {
			g.leave(node, at, likely)
			return
		}
		if g.dry {
			g.grow(0, i.out, likely*likelihood(set))
			return
		}
		if node == rootless {
			node = g.root(root{})
		}
		g.grow(g.child(node, i.set, set), i.out, 1)
	}
}

// assert goes on at an assertion: at the start it chooses the root, at the end it
// guards the match.
func (g *grower) assert(node, at uint32, likely float64) {
	i := &g.insts[at]
	next := &g.insts[i.out]
	switch {
	case g.looped[at]:
		g.leave(node, at, likely)
	case node == rootless:
		if next.op != syntax.OpSet || g.looped[i.out] || !isNarrow(g.sets[next.set]) {
			g.fit = false
			return
		}
		start := uint32(0)
		if !g.dry {
			start = g.root(root{guarded: true, assert: i.assert})
		}
		g.grow(start, i.out, likely)
	case next.op == syntax.OpMatch:
		if !g.dry {
			e := g.more(node)
			e.guards = append(e.guards, guard{assert: i.assert, expression: next.set})
		}
	default:
		g.leave(node, at, likely)
	}
}

// leave lets a lane go on at an instruction.
func (g *grower) leave(node, at uint32, likely float64) {
	g.lanes = true
	if node == rootless || likely > rare {
		if g.dry {
			g.fit = false
			return
		}
	}
	if g.dry {
		return
	}
	e := g.more(node)
	if e.lane == 0 {
		e.lane = uint32(len(g.planter.lanes))
		g.planter.lanes = append(g.planter.lanes, lane{})
	}
	l := &g.planter.lanes[e.lane]
	if entry := g.base + at; !slices.Contains(l.entries[max(0, len(l.entries)-8):], entry) {
		l.entries = append(l.entries, entry)
	}
}

func (p *planter) node() uint32 {
	p.nodes = append(p.nodes, trieNode{})
	return uint32(len(p.nodes) - 1)
}

func (p *planter) root(want root) uint32 {
	for _, r := range p.roots {
		if r.guarded == want.guarded && r.assert == want.assert {
			return r.node
		}
	}
	want.node = p.node()
	p.roots = append(p.roots, want)
	return want.node
}

// more gives the rare parts of a node. The pointer is good until the next call.
func (p *planter) more(node uint32) *trieExtra {
	n := &p.nodes[node]
	if n.extra == 0 {
		n.extra = uint32(len(p.extra))
		p.extra = append(p.extra, trieExtra{})
	}
	return &p.extra[n.extra]
}

// accept lets an expression match when a node is reached.
func (p *planter) accept(node, expression uint32) {
	if n := &p.nodes[node]; n.accept == 0 {
		n.accept = expression + 1
	} else if n.accept != expression+1 {
		e := p.more(node)
		e.accept = append(e.accept, expression)
	}
}

// child gives the node below another by way of a set.
func (p *planter) child(node, id uint32, set []rune) uint32 {
	key := uint64(node)<<32 | uint64(id)
	if child, ok := p.children[key]; ok {
		return child
	}
	child := p.node()
	p.children[key] = child
	for i := 0; i < len(set); i += 2 {
		for r := set[i]; r <= set[i+1]; r++ {
			p.arrow(node, p.alphabet.class(r), child)
		}
	}
	return child
}

func (p *planter) arrow(node uint32, class uint16, child uint32) {
	n := &p.nodes[node]
	if !n.used {
		n.used, n.class, n.child = true, class, child
		return
	}
	e := p.more(node)
	e.arrows = append(e.arrows, arrow{class, child})
}
