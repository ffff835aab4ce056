package lanes

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// The trie holds the starts of expressions: what they start with as long as each
// character is one of a few and nothing repeats. It is run as an automaton of its
// own, which therefore has about as many states as the trie has nodes, whatever
// the expressions go on with. Where an expression goes on with something wider, a
// lane takes over from that node on.
type trie struct {
	nodes []trieNode
	extra []trieExtra // 0 is not used
	roots []root
}

// trieNode has one arrow and one expression that matches when it is reached, and
// whatever else few nodes have in extra.
type trieNode struct {
	child  uint32
	class  uint16
	used   bool   // there is an arrow
	accept uint32 // the expression's number and 1; 0: none
	extra  uint32 // 0: none
}

type trieExtra struct {
	arrows []arrow  // all but the first, by class
	accept []uint32 // more expressions that match when the node is reached
	guards []guard  // those that do if an assertion holds there
	lane   uint32   // what goes on from here; 0: nothing
}

type arrow struct {
	class uint16
	child uint32
}

type guard struct {
	assert     syntax.Assertion
	expression uint32
}

// root is where expressions start: anywhere, or where an assertion holds.
type root struct {
	guarded bool
	assert  syntax.Assertion
	node    uint32
}

// A set is narrow, and belongs into the trie, if it has at most so many characters.
const narrow = 4

// rare is how likely the start of an expression may be, by the likelihood of its
// characters, for a lane to be entered after it. More likely ones are run all the
// time, together.
const rare = 0.01

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

const (
	TrieLane   = 0
	AlwaysLane = 1
)

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

// finish sorts what step looks up.
func (t *trie) finish() {
	for i := range t.extra {
		slices.SortStableFunc(t.extra[i].arrows, func(a, b arrow) int { return cmp.Compare(a.class, b.class) })
		slices.Sort(t.extra[i].accept)
		t.extra[i].accept = slices.Compact(t.extra[i].accept)
	}
}

// follow appends the nodes that a class leads to.
func (t *trie) follow(node uint32, class uint16, to []uint32) []uint32 {
	n := &t.nodes[node]
	if n.used && n.class == class {
		to = append(to, n.child)
	}
	if n.extra == 0 {
		return to
	}
	arrows := t.extra[n.extra].arrows
	at, _ := slices.BinarySearchFunc(arrows, class, func(a arrow, class uint16) int { return cmp.Compare(a.class, class) })
	for ; at < len(arrows) && arrows[at].class == class; at++ {
		to = append(to, arrows[at].child)
	}
	return to
}

func isNarrow(set []rune) bool {
	count := rune(0)
	for i := 0; i < len(set); i += 2 {
		if count += set[i+1] - set[i] + 1; count > narrow {
			return false
		}
	}
	return count > 0
}

// likelihood says how often one of the characters of a narrow set is met in prose
// and code.
func likelihood(set []rune) float64 {
	sum := 0.0
	for i := 0; i < len(set); i += 2 {
		for r := set[i]; r <= set[i+1]; r++ {
			if r < utf8.RuneSelf {
				sum += common(byte(r))
			} else {
				sum += 0.001
			}
		}
	}
	return min(sum, 1)
}

// common is about how often a character of ASCII is met.
func common(c byte) float64 {
	switch {
	case c == ' ':
		return 0.17
	case 'a' <= c && c <= 'z':
		// per thousand, from a to z
		return float64("\x37\x0c\x1e\x1e\x5f\x12\x0f\x1e\x32\x03\x07\x23\x16\x32\x32\x16\x02\x32\x32\x41\x1a\x09\x0c\x05\x0d\x02"[c-'a']) / 1000
	case c == '\n':
		return 0.025
	case c == '.' || c == ',':
		return 0.012
	case c == '(' || c == ')' || c == '"' || c == '_' || c == '-' || c == '=':
		return 0.008
	default:
		return 0.004
	}
}
