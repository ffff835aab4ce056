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

func asking(name string, queries []query, scene func() *visual.Scene) (engine, error) {
	counts, exists := make([]visual.Ask, len(queries)), make([]visual.Ask, len(queries))
	for i, q := range queries {
		parsed, bad := visual.Parse(q.String(), visual.Options{})
		if bad != nil {
			return engine{}, fmt.Errorf("query %s: %s", q, bad.Message)
		}
		counts[i], exists[i] = visual.Ask{Query: parsed, Count: true}, visual.Ask{Query: parsed}
	}
	if len(queries) == 1 {
		return single(name, counts[0].Query, scene), nil
	}
	countSet, existsSet := visual.NewSet(counts), visual.NewSet(exists)
	return engine{
		name: name,
		count: func(out []int) {
			for i, a := range countSet.Answer(scene(), visual.Limits{}) {
				out[i] = a.Count
			}
		},
		exists: func(out []int) {
			for i, a := range existsSet.Answer(scene(), visual.Limits{}) {
				out[i] = number(a.Exists)
			}
		},
	}, nil
}

func single(name string, q *visual.Query, scene func() *visual.Scene) engine {
	return engine{
		name:  name,
		count: func(out []int) { out[0], _ = q.Count(scene(), visual.Limits{}) },
		exists: func(out []int) {
			found, _ := q.Exists(scene(), visual.Limits{})
			out[0] = number(found)
		},
	}
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
