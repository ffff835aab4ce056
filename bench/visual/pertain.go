package visual

import (
	"fmt"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

// pertain asks through the query language. Its scene has seen queries before,
// as the trees of the peers are ready before the clock starts.
func pertain(d *desktop, queries []query) (engine, error) {
	scene := visual.NewScene(d.tree(), 0, false)
	return asking("pertain", queries, func() *visual.Scene { return scene })
}

// pertainFirst makes a scene for every run, as a match does whose context is
// new: nothing is known of the tree.
func pertainFirst(d *desktop, queries []query) (engine, error) {
	tree := d.tree()
	return asking("pertain", queries, func() *visual.Scene { return newScene(tree) })
}

func newScene(tree *facts.Tree) *visual.Scene { return visual.NewScene(tree, 0, false) }

// asking asks one query after the other, as conditions do.
func asking(name string, queries []query, scene func() *visual.Scene) (engine, error) {
	parsed := make([]*visual.Query, len(queries))
	for i, q := range queries {
		p, bad := visual.Parse(q.String(), visual.Options{})
		if bad != nil {
			return engine{}, fmt.Errorf("query %s: %s", q, bad.Message)
		}
		parsed[i] = p
	}
	return engine{
		name: name,
		count: func(out []int) {
			scene := scene()
			for i, q := range parsed {
				out[i], _ = q.Count(scene, visual.Limits{})
			}
		},
		exists: func(out []int) {
			scene := scene()
			for i, q := range parsed {
				found, _ := q.Exists(scene, visual.Limits{})
				out[i] = number(found)
			}
		},
	}, nil
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
