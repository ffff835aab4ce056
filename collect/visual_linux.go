package collect

import (
	"context"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// visual reads the elements of the window in front over the accessibility bus.
type visual struct {
	*desktop
	places places
}

const visualID = "linux.atspi"

// whole tells whether a tree is worth keeping: nothing was left out for lack of
// time.
func whole(tree *facts.Tree) bool { return tree.Partial() != leftForTime }

// read walks a window and makes its tree.
func (v visual) read(ctx context.Context, s scene) (facts.Part, facts.TextReader, error) {
	elements, left, err := s.walk(ctx)
	if err != nil {
		return facts.Part{}, nil, err
	}
	s.markSelected(ctx, elements)
	s.markConcealed(ctx, elements)
	order := uitree.DocumentOrder(len(elements), func(i int) ([]int, bool) { return elements[i].children, elements[i].role != 0 })
	tree := make([]facts.Element, len(order))
	place := make([]int, len(elements)) // from the walk's index to the tree's
	inDocument := make([]bool, len(elements))
	for i, at := range order {
		e := &elements[at]
		place[at] = i
		parent, outer := -1, facts.UnknownType
		if e.parent >= 0 {
			parent = place[e.parent]
			outer = tree[parent].Type
			inDocument[at] = inDocument[e.parent]
		}
		kind := v.places.typeOf(e.role, e.parent < 0, inDocument[at], outer)
		inDocument[at] = inDocument[at] || kind == v.places.doc
		tree[i] = facts.Element{
			ID: elementID(e.node), Type: kind, Name: e.name, HasName: e.name != "",
			States: statesFor(e.role, e.states, s.toolkit.gtk4() && e.parent >= 0),
			Bounds: e.bounds, HasBounds: e.bounded, Cut: e.cut, Parent: parent,
		}
		if e.parent < 0 {
			tree[i].Process = s.window.process
		}
		if s.toolkit.gtk4() && e.bounded {
			tree[i].Bounds.X += float64(s.window.x)
			tree[i].Bounds.Y += float64(s.window.y)
		}
	}
	v.places.rows(tree)
	texts := s.textReader(elements, order)
	part := facts.Part{Tree: facts.NewTree(tree, texts).MarkPartial(left)}
	primary := 0
	if at, ok := focusedVisited(elements); ok {
		primary = place[at]
	}
	part = part.With("attachments.visual.primary", facts.Text(tree[primary].ID))
	return part, texts, nil
}

// markSelected completes what panes of icons leave out: Nemo and Caja tell their
// selection, but the icons do not say that they are selected.
func (s scene) markSelected(ctx context.Context, elements []visited) {
	for i := range elements {
		pane := &elements[i]
		if pane.role != roleLayeredPane || len(pane.children) == 0 {
			continue
		}
		groups, err := result[[]string](s.interfaces(ctx, pane.node))
		if err != nil || !slices.Contains(groups, atspi+"Selection") {
			continue
		}
		count, err := variant[int32](s.property(ctx, pane.node, "Selection", "NSelectedChildren"))
		if err != nil {
			continue
		}
		var calls []*dbus.Call
		for at := range min(count, inFlight) {
			calls = append(calls, s.start(ctx, pane.node, atspi+"Selection.GetSelectedChild", at))
		}
		for _, call := range calls {
			chosen, err := result[node](call)
			at := slices.IndexFunc(pane.children, func(child int) bool { return elements[child].node == chosen })
			if err == nil && at >= 0 {
				elements[pane.children[at]].states |= 1 << stateSelected
			}
		}
	}
}

// markConcealed gives the entries of GTK 4 that hide what is typed the role that
// those of others have.
func (s scene) markConcealed(ctx context.Context, elements []visited) {
	if !s.toolkit.gtk4() {
		return
	}
	for i := range elements {
		e := &elements[i]
		if e.states.has(stateMultiLine) || e.role == rolePassword || !isText(e.role) || !hasText(s.interfaces(ctx, e.node)) {
			continue
		}
		length, err := variant[int32](s.property(ctx, e.node, "Text", "CharacterCount"))
		if err != nil {
			continue // who asks for the text is told nothing either
		}
		first, err := result[string](s.start(ctx, e.node, atspi+"Text.GetText", int32(0), min(length, facts.MaxText)))
		if err == nil && s.conceals(ctx, e.node, e.role, first) && ctx.Err() == nil {
			e.role = rolePassword
		}
	}
}

// focusedVisited is the element that has the keyboard.
func focusedVisited(elements []visited) (int, bool) {
	return uitree.Focused(len(elements), func(i int) uitree.Claim {
		e := &elements[i]
		return uitree.Claim{Focused: e.parent >= 0 && e.states.has(stateFocused), Typed: e.states.has(stateEditable) || isText(e.role), Depth: e.depth}
	})
}

// elementID is stable as long as the element lives.
func elementID(n node) string {
	path := string(n.Path)
	return "e" + path[strings.LastIndexByte(path, '/')+1:]
}
