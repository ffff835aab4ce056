package visual

import (
	"fmt"
	"regexp"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
)

// element is a node of a tree of pointers, its texts folded.
type element struct {
	kind     facts.ElementType
	name     string
	text     string
	states   facts.States
	children []*element
}

// elementsOf makes such a tree.
func elementsOf(d *desktop) *element {
	all := make([]*element, len(d.elements))
	for i, e := range d.elements {
		all[i] = &element{kind: e.Type, name: glob.Fold(e.Name), text: glob.Fold(d.texts[i].Text), states: e.States}
		if e.Parent >= 0 {
			parent := all[e.Parent]
			parent.children = append(parent.children, all[i])
		}
	}
	return all[0]
}

// walker is what somebody would write by hand for one query: it counts up to a
// number of elements.
type walker func(root *element, enough int) int

// recursive walks the tree once for each query.
func recursive(d *desktop, queries []query) (engine, error) {
	root := elementsOf(d)
	walkers := make([]walker, len(queries))
	for i, q := range queries {
		w, err := walkerOf(q)
		if err != nil {
			return engine{}, err
		}
		walkers[i] = w
	}
	ask := func(out []int, enough int) {
		for i, w := range walkers {
			out[i] = w(root, enough)
		}
	}
	return engine{
		name:   "recursive",
		count:  func(out []int) { ask(out, len(d.elements)) },
		exists: func(out []int) { ask(out, 1) },
	}, nil
}

func walkerOf(q query) (walker, error) {
	kinds := map[string]facts.ElementType{}
	for i, name := range facts.ElementTypes() {
		kinds[name] = facts.ElementType(i)
	}
	switch q.form {
	case byName:
		return func(root *element, enough int) int { return named(root, kinds["Button"], q.operand, enough) }, nil
	case byState:
		state := facts.ParseState(q.operand)
		return func(root *element, enough int) int {
			return within(root, kinds["TopLevel"], kinds["ListViewItem"], state, false, enough)
		}, nil
	case byPath:
		path := []facts.ElementType{kinds["TopLevel"], kinds["Panel"], kinds[q.operand]}
		return func(root *element, enough int) int { return below(root, path, enough) }, nil
	}
	re, err := regexp.Compile(q.operand)
	if err != nil {
		return nil, fmt.Errorf("query %s: %w", q, err)
	}
	return func(root *element, enough int) int { return matching(root, kinds["Document"], re, enough) }, nil
}

func named(e *element, kind facts.ElementType, name string, enough int) int {
	count := 0
	if e.kind == kind && e.name == name {
		count++
	}
	for _, child := range e.children {
		if count >= enough {
			break
		}
		count += named(child, kind, name, enough-count)
	}
	return count
}

func within(e *element, outer, inner facts.ElementType, state facts.States, inside bool, enough int) int {
	count := 0
	if inside && e.kind == inner && e.states&state != 0 {
		count++
	}
	inside = inside || e.kind == outer
	for _, child := range e.children {
		if count >= enough {
			break
		}
		count += within(child, outer, inner, state, inside, enough-count)
	}
	return count
}

func below(e *element, path []facts.ElementType, enough int) int {
	count := 0
	for _, child := range e.children {
		if count >= enough {
			break
		}
		switch {
		case child.kind != path[0]:
		case len(path) == 1:
			count++
		default:
			count += below(child, path[1:], enough-count)
		}
	}
	return count
}

func matching(e *element, kind facts.ElementType, re *regexp.Regexp, enough int) int {
	count := 0
	if e.kind == kind && re.MatchString(e.text) {
		count++
	}
	for _, child := range e.children {
		if count >= enough {
			break
		}
		count += matching(child, kind, re, enough-count)
	}
	return count
}
