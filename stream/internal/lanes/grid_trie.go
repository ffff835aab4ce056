package lanes

import (
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// trieGrid makes the grid of the trie. Its nodes are numbered so that most come just
// after the one above them: back to front, that is a hop down.
type trieGrid struct{ *gridBuilder }

func (g trieGrid) find() {
	g.grid.size = len(g.net.trie.nodes)
	g.detour(&g.grid.tells, g.tell)
}

func (g trieGrid) node(bit int) (*trieNode, *trieExtra) {
	n := &g.net.trie.nodes[g.grid.position(bit)]
	return n, &g.net.trie.extra[n.extra]
}

// tell gives what a node tells when it is reached: on the whole, and after the end
// of a line.
func (g trieGrid) tell(bit int) (to [2]list) {
	n, extra := g.node(bit)
	for variant, before := range g.befores {
		g.builder.clear()
		if n.accept != 0 {
			g.matches = append(g.matches, n.accept-1)
		}
		g.matches = append(g.matches, extra.accept...)
		for _, guard := range extra.guards {
			if known(guard.assert) && guard.assert.Holds(before.rune(), syntax.NoRune, false) {
				g.matches = append(g.matches, guard.expression)
			}
		}
		if extra.lane != 0 {
			g.positions = append(g.positions, extra.lane)
		}
		to[variant] = g.list(g.positions, g.matches)
	}
	return to
}

func (g trieGrid) follow(bit int, _ edge) {
	g.builder.clear()
	g.below(g.grid.position(bit))
}

// below gives the nodes right below another.
func (g trieGrid) below(node uint32) {
	n := &g.net.trie.nodes[node]
	if n.used {
		g.positions = append(g.positions, g.grid.bit(n.child))
	}
	for _, a := range g.net.trie.extra[n.extra].arrows {
		g.positions = append(g.positions, g.grid.bit(a.child))
	}
}

func (g trieGrid) waits(bit int) (asserts, hopeful bool) {
	_, extra := g.node(bit)
	return len(extra.guards) > 0, len(extra.guards) > 0
}

func (g trieGrid) decide(bit int, before, ahead edge) {
	g.guards(g.grid.position(bit), before, ahead.rune())
}

func (g trieGrid) begin(before, ahead edge) {
	for _, r := range g.net.trie.roots {
		if !r.guarded || r.assert.Holds(before.rune(), ahead.rune(), false) {
			g.below(r.node)
		}
	}
}

func (g trieGrid) enter(edge) {}

// classify takes classes for one kind that no arrow is for.
func (g trieGrid) classify() (kinds []uint16, count int) {
	t := &g.net.trie
	used := make([]bool, g.net.alphabet.size())
	for i := range t.nodes {
		if t.nodes[i].used {
			used[t.nodes[i].class] = true
		}
	}
	for i := range t.extra {
		for _, a := range t.extra[i].arrows {
			used[a.class] = true
		}
	}
	kinds = make([]uint16, len(used))
	other := -1
	for class := range used {
		if !used[class] && other >= 0 {
			kinds[class] = uint16(other)
			continue
		}
		if !used[class] {
			other = count
		}
		kinds[class] = uint16(count)
		count++
	}
	return kinds, count
}
