package visual

import (
	"fmt"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

// pertain asks through the query language. Its index has seen queries before,
// as the trees of the peers are ready before the clock starts.
func pertain(d *desktop, queries []query) (engine, error) {
	index := visual.NewIndex(d.tree(), 0, false)
	return asking("pertain", queries, func() *visual.Index { return index })
}

// pertainFirst makes an index for every run, as a match does whose context is
// new: nothing is known of the tree.
func pertainFirst(d *desktop, queries []query) (engine, error) {
	tree := d.tree()
	return asking("pertain", queries, func() *visual.Index { return newIndex(tree) })
}

func newIndex(tree *facts.Tree) *visual.Index { return visual.NewIndex(tree, 0, false) }

// asking asks one query after the other, as conditions do.
func asking(name string, queries []query, index func() *visual.Index) (engine, error) {
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
			index := index()
			for i, q := range parsed {
				out[i], _ = q.Count(index, visual.Limits{})
			}
		},
		exists: func(out []int) {
			index := index()
			for i, q := range parsed {
				found, _ := q.Exists(index, visual.Limits{})
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
