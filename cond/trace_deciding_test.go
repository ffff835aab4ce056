package cond_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/cond"
)

// TestDeciding: what has the result of the whole settled it; below a negation, what has the other one.
func TestDeciding(t *testing.T) {
	leaf := func(label string, result cond.Tri) *cond.Trace {
		return &cond.Trace{Kind: "path", Label: label, Result: result}
	}
	tree := &cond.Trace{Kind: "all", Result: cond.True, Children: []*cond.Trace{
		{Kind: "any", Result: cond.True, Children: []*cond.Trace{leaf("a", cond.False), leaf("b", cond.True)}},
		{Kind: "not", Result: cond.True, Children: []*cond.Trace{{Kind: "visual", Label: "c", Result: cond.False}}},
		{Kind: "const", Result: cond.True},
		leaf("d", cond.True),
	}}
	var all, first []string
	for part, negated := range tree.Deciding() {
		if negated {
			all = append(all, "not")
		}
		all = append(all, part.Label)
	}
	for part := range tree.Deciding() {
		first = append(first, part.Label)
		break
	}
	for range (*cond.Trace)(nil).Deciding() {
		t.Error("nothing decided nothing")
	}
	if diff := cmp.Diff([][]string{{"b", "not", "c", "d"}, {"b"}}, [][]string{all, first}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
