package stream

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
)

// The trie holds the begins of expressions: what they start with as long as each
// character is one of a few and nothing repeats. It is run as an automaton of its
// own, which therefore has about as many states as the trie has nodes, whatever
// the expressions go on with. Where an expression goes on with something wider, a
// lane takes over from that node on.
type trie struct {
	nodes []trieNode
	extra []trieExtra // 0 is not used
	roots []root
}

// trieNode has one arrow, and whatever else few nodes have in extra.
type trieNode struct {
	child uint32
	class uint16
	used  bool   // there is an arrow
	extra uint32 // 0: none
}

type trieExtra struct {
	arrows []arrow  // all but the first, by class
	accept []uint32 // expressions that match when the node is reached
	guards []guard  // those that do if an assertion holds there
	lane   uint32   // what goes on from here; 0: nothing
}

type arrow struct {
	class uint16
	child uint32
}

type guard struct {
	assert     regex.Assertion
	expression uint32
}

// root is where expressions start: anywhere, or where an assertion holds.
type root struct {
	guarded bool
	assert  regex.Assertion
	node    uint32
}

// A set is narrow, and belongs into the trie, if it has at most so many characters.
const narrow = 4

// rare is how likely the begin of an expression may be, by the likelihood of its
// characters, for a lane to be entered behind it. More likely ones are run all the
// time, together.
const rare = 0.01

// grower puts one expression into the trie. It runs twice: the first time it only
// looks whether the expression is fit.
type grower struct {
	*planter
	program    *regex.Program
	ids        []uint32
	looped     []bool
	expression uint32
	dry        bool
	fit        bool
	lanes      bool // the expression needs a lane
	base       uint32
	visits     int
	path       map[uint64]bool // node and instruction that are done; not used when dry
}

// planter builds the trie and the lanes.
type planter struct {
	trie
	code
	lanes    []lane
	alphabet *alphabet
	children map[uint64]uint32 // by node and set
}

// lane is a group of expressions, or ends of expressions, that are run together.
// Lane 0 is the trie. Lane 1 has the expressions that may begin anywhere; it is
// always active. The others are entered behind a node of the trie.
type lane struct {
	entries []uint32 // instructions
}

const (
	trieLane   = 0
	alwaysLane = 1
)

func newPlanter(a *alphabet) *planter {
	p := &planter{alphabet: a, children: make(map[uint64]uint32), lanes: make([]lane, 2)}
	p.extra = make([]trieExtra, 1)
	return p
}

// plant adds an expression. It has to match something.
func (p *planter) plant(program *regex.Program, ids []uint32, expression uint32) {
	g := &grower{planter: p, program: program, ids: ids, looped: loops(program), expression: expression, dry: true, fit: true}
	g.grow(rootless, program.Start, 1)
	if !g.fit {
		base := p.code.add(program, ids, expression)
		p.lanes[alwaysLane].entries = append(p.lanes[alwaysLane].entries, base+program.Start)
		return
	}
	if g.lanes {
		g.base = p.code.add(program, ids, expression)
	}
	g.dry, g.visits = false, 0
	if len(program.Insts) > 64 {
		g.path = make(map[uint64]bool)
	}
	g.grow(rootless, program.Start, 1)
}

// rootless is the place before it is known from which root an expression starts.
const rootless = ^uint32(0)

// grow follows the program from an instruction on, below a node that is reached
// with a likelihood.
func (g *grower) grow(node, at uint32, likely float64) {
	if !g.fit {
		return
	}
	if g.visits++; g.visits > 64+4*len(g.program.Insts) {
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
	i := &g.program.Insts[at]
	switch i.Op {
	case regex.OpSplit:
		g.grow(node, i.Out, likely)
		g.grow(node, i.Alt, likely)
	case regex.OpAssert:
		g.assert(node, at, likely)
	case regex.OpMatch:
		if node == rootless {
			g.fit = false
		} else if !g.dry {
			e := g.more(node)
			e.accept = append(e.accept, g.expression)
		}
	case regex.OpSet:
		if g.looped[at] || !isNarrow(i.Set) {
			g.leave(node, at, likely)
			return
		}
		if g.dry {
			g.grow(0, i.Out, likely*likelihood(i.Set))
			return
		}
		if node == rootless {
			node = g.root(root{})
		}
		g.grow(g.child(node, g.ids[at], i.Set), i.Out, 1)
	}
}

// assert goes on at an assertion: at the begin it chooses the root, at the end it
// guards the match.
func (g *grower) assert(node, at uint32, likely float64) {
	i := &g.program.Insts[at]
	next := &g.program.Insts[i.Out]
	switch {
	case g.looped[at]:
		g.leave(node, at, likely)
	case node == rootless:
		if next.Op != regex.OpSet || g.looped[i.Out] || !isNarrow(next.Set) {
			g.fit = false
			return
		}
		start := uint32(0)
		if !g.dry {
			start = g.root(root{guarded: true, assert: i.Assert})
		}
		g.grow(start, i.Out, likely)
	case next.Op == regex.OpMatch:
		if !g.dry {
			e := g.more(node)
			e.guards = append(e.guards, guard{assert: i.Assert, expression: g.expression})
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
