package visual_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/facts"
)

type node struct {
	kind, name, text string
	selected         bool
	children         []*node
}

func BenchmarkZWalk(b *testing.B) {
	tree := desktop(10_000)
	nodes := make([]*node, tree.Len())
	for i := range nodes {
		e := tree.At(i)
		text, _ := tree.Text(i)
		nodes[i] = &node{kind: e.Type.String(), name: e.Name, text: text, selected: e.States&facts.Selected != 0}
		if e.Parent >= 0 {
			nodes[e.Parent].children = append(nodes[e.Parent].children, nodes[i])
		}
	}
	var walk func(n *node, f func(*node))
	walk = func(n *node, f func(*node)) {
		f(n)
		for _, c := range n.children {
			walk(c, f)
		}
	}
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			c := 0
			walk(nodes[0], func(n *node) {
				if n.kind == "Button" && strings.EqualFold(n.name, "Save") {
					c++
				}
			})
		}
	})
}
