package atspi

import (
	"context"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// primaryPath is where the element that has the keyboard is told.
const primaryPath = "attachments.visual.primary"

// Tree walks the window and makes a tree of what it finds, with the element that
// has the keyboard.
func (s Window) Tree(ctx context.Context, types Types) (facts.Part, facts.TextReader, error) {
	elements, left, err := s.walk(ctx)
	if err != nil {
		return facts.Part{}, nil, err
	}
	s.markSelected(ctx, elements)
	s.markConcealed(ctx, elements)
	order := uitree.DocumentOrder(len(elements), func(i int) ([]int, bool) { return elements[i].Children, elements[i].Role != 0 })
	tree := make([]facts.Element, len(order))
	index := make([]int, len(elements)) // from the walk's to the tree's
	inDocument := make([]bool, len(elements))
	typed := make([]bool, len(elements)) // inside of an element that is typed into
	onlyFocused(elements)
	for i, at := range order {
		e := &elements[at]
		index[at] = i
		parent, outer := -1, facts.UnknownType
		if e.Parent >= 0 {
			parent = index[e.Parent]
			outer = tree[parent].Type
			inDocument[at] = inDocument[e.Parent]
			typed[at] = typed[e.Parent]
		}
		kind := types.typeOf(e.Role, e.Parent < 0, inDocument[at], outer)
		if e.States.Has(StateEditable) && !typed[at] && types.maybeTyped(e.Role, kind) {
			kind, typed[at] = types.typed, true
		}
		inDocument[at] = inDocument[at] || kind == types.doc
		tree[i] = facts.Element{
			ID: elementID(e.Node), Type: kind, Name: e.Name, HasName: e.Name != "",
			States: statesFor(e.Role, e.States, s.Toolkit.IsGTK4() && e.Parent >= 0),
			Bounds: e.Bounds, HasBounds: e.Bounded, Cut: e.cut, Parent: parent,
		}
		if e.Parent < 0 {
			tree[i].Process = s.Target.Process
			if s.Target.Shown != "" { // KDE's programs leave their own name out of that of the window
				tree[i].Name, tree[i].HasName = s.Target.Shown, true
			}
		}
		if s.Toolkit.IsGTK4() && e.Bounded {
			tree[i].Bounds.X += float64(s.Target.X)
			tree[i].Bounds.Y += float64(s.Target.Y)
		}
	}
	types.rows(tree)
	texts := s.textReader(elements, order)
	part := facts.Part{Tree: facts.NewTree(tree, texts).MarkPartial(left)}
	primary := 0
	if at, ok := focusedVisited(elements); ok {
		primary = index[at]
	} else if left == LeftForTime { // it may be among what was not read
		part.Lacks = append(part.Lacks, facts.Lack{Path: primaryPath, Reason: errUnread.Reason, Remedy: errUnread.Remedy})
		return part, texts, nil
	}
	part = part.With(primaryPath, facts.Text(tree[primary].ID))
	return part, texts, nil
}

// markSelected completes what panes of icons leave out: Nemo and Caja tell their
// selection, but the icons do not say that they are selected.
func (s Window) markSelected(ctx context.Context, elements []Element) {
	for i := range elements {
		pane := &elements[i]
		if pane.Role != RoleLayeredPane || len(pane.Children) == 0 {
			continue
		}
		groups, err := Result[[]string](s.Interfaces(ctx, pane.Node))
		if err != nil || !slices.Contains(groups, Prefix+"Selection") {
			continue
		}
		count, err := Variant[int32](s.Property(ctx, pane.Node, "Selection", "NSelectedChildren"))
		if err != nil {
			continue
		}
		var calls []*dbus.Call
		for at := range min(count, InFlight) {
			calls = append(calls, s.Start(ctx, pane.Node, Prefix+"Selection.GetSelectedChild", at))
		}
		for _, call := range calls {
			chosen, err := Result[Node](call)
			at := slices.IndexFunc(pane.Children, func(child int) bool { return elements[child].Node == chosen })
			if err == nil && at >= 0 {
				elements[pane.Children[at]].States |= 1 << StateSelected
			}
		}
	}
}

// markConcealed gives the entries of GTK 4 that hide what is typed the role that
// those of others have.
func (s Window) markConcealed(ctx context.Context, elements []Element) {
	if !s.Toolkit.IsGTK4() {
		return
	}
	for i := range elements {
		e := &elements[i]
		if e.States.Has(StateMultiLine) || e.Role == RolePasswordText || !IsText(e.Role) || !HasText(s.Interfaces(ctx, e.Node)) {
			continue
		}
		length, err := Variant[int32](s.Property(ctx, e.Node, "Text", "CharacterCount"))
		if err != nil {
			continue // who asks for the text is told nothing either
		}
		first, err := Result[string](s.Start(ctx, e.Node, Prefix+"Text.GetText", int32(0), min(length, facts.MaxText)))
		if err == nil && s.conceals(ctx, e.Node, e.Role, first) && ctx.Err() == nil {
			e.Role = RolePasswordText
		}
	}
}

// onlyFocused takes it back from elements that they have the keyboard where another has
// it: in Qt, buttons of a status bar say so, too. Those around it may.
func onlyFocused(elements []Element) {
	chosen, ok := focusedVisited(elements)
	if !ok {
		return
	}
	around := map[int]bool{}
	for at := chosen; at >= 0; at = elements[at].Parent {
		around[at] = true
	}
	for i := range elements {
		if !around[i] {
			elements[i].States &^= 1 << StateFocused
		}
	}
}

// focusedVisited is the element that has the keyboard.
func focusedVisited(elements []Element) (int, bool) {
	return uitree.Focused(len(elements), func(i int) uitree.Claim {
		e := &elements[i]
		return uitree.Claim{Focused: e.Parent >= 0 && e.States.Has(StateFocused), Typed: e.States.Has(StateEditable) || IsText(e.Role), Depth: e.depth}
	})
}

// elementID is stable as long as the element lives.
func elementID(n Node) string {
	path := string(n.Path)
	return "e" + path[strings.LastIndexByte(path, '/')+1:]
}
