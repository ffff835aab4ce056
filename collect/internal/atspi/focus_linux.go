package atspi

import (
	"context"
	"slices"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
)

// Focus is the element that has the keyboard; none if there is none. Where the time was
// over before all elements were asked, that is an error: the one that has it may be among
// the others.
func (s Window) Focus(ctx context.Context) (Node, uint32, error) {
	if s.Toolkit.Matches() {
		// A program stops looking at the first, which spares it thousands of cells, or a long page.
		hits, err := s.match(ctx, s.Top, 1<<StateFocused, nil, 1)
		if err == nil && len(hits) > 0 {
			role, err := Result[uint32](s.role(ctx, hits[0]))
			return hits[0], role, err
		}
		if ctx.Err() != nil {
			return Node{}, 0, ctx.Err()
		}
	}
	return s.searchFocus(ctx)
}

// asked is an element of which it is asked whether it has the keyboard.
type asked struct {
	Node
	depth         int
	states, count *dbus.Call
	children      *dbus.Call
	is            States
	has           int32 // children
}

// searchFocus looks for the element that has the keyboard level by level, with as few
// calls as that takes. One that can be typed into ends the search: others that say that
// they have it are around it.
func (s Window) searchFocus(ctx context.Context) (Node, uint32, error) {
	level, seen := []asked{{Node: s.Top}}, 1
	var claims []asked
	for len(level) > 0 {
		var next []asked
		for chunk := range slices.Chunk(level, InFlight) {
			if err := s.askFocus(ctx, chunk); err != nil && seen == 1 {
				return Node{}, 0, err
			}
			for i := range chunk {
				if chunk[i].depth > 0 && chunk[i].is.Has(StateFocused) {
					claims = append(claims, chunk[i])
				}
			}
			if at := slices.IndexFunc(claims, func(c asked) bool { return c.is.Has(StateEditable) }); at >= 0 {
				role, err := Result[uint32](s.role(ctx, claims[at].Node))
				return claims[at].Node, role, err
			}
			if ctx.Err() != nil {
				return Node{}, 0, errUnread
			}
			next = append(next, s.belowAsked(ctx, chunk)...)
		}
		if seen += len(next); seen > uitree.MaxElements || level[0].depth >= uitree.MaxDepth {
			break
		}
		level = next
	}
	if ctx.Err() != nil {
		return Node{}, 0, errUnread
	}
	return s.bestClaim(ctx, claims)
}

// askFocus reads the states of elements, and how many are in each. One that does not
// answer has none.
func (s Window) askFocus(ctx context.Context, elements []asked) error {
	for i := range elements {
		e := &elements[i]
		e.states, e.count = s.States(ctx, e.Node), s.Property(ctx, e.Node, "Accessible", "ChildCount")
	}
	var failed error
	for i := range elements {
		e := &elements[i]
		var err error
		if e.is, err = StatesOf(e.states); err != nil {
			failed = err
		}
		e.has, _ = Variant[int32](e.count)
	}
	return failed
}

// belowAsked are the elements in those that show.
func (s Window) belowAsked(ctx context.Context, elements []asked) []asked {
	for i := range elements {
		e := &elements[i]
		open := e.is.Has(StateShowing) || s.Toolkit.IsGTK4() || e.depth == 0
		if open && e.has > 0 && e.has <= uitree.MaxChildren {
			e.children = s.Start(ctx, e.Node, Prefix+"Accessible.GetChildren")
		}
	}
	var all []asked
	for i := range elements {
		e := &elements[i]
		var children []Node
		switch {
		case e.children != nil:
			children, _ = Result[[]Node](e.children)
		case e.has > uitree.MaxChildren && (e.is.Has(StateShowing) || s.Toolkit.IsGTK4()):
			children = s.firstChildren(ctx, e.Node)
		}
		for _, child := range children {
			if !child.None() && child != e.Node {
				all = append(all, asked{Node: child, depth: e.depth + 1})
			}
		}
	}
	return all
}

// bestClaim is the one of several elements that has the keyboard; see [uitree.Focused].
func (s Window) bestClaim(ctx context.Context, claims []asked) (Node, uint32, error) {
	roles := make([]uint32, len(claims))
	for i, c := range claims {
		role, err := Result[uint32](s.role(ctx, c.Node))
		if err != nil && ctx.Err() != nil {
			return Node{}, 0, ctx.Err()
		}
		roles[i] = role
	}
	at, ok := uitree.Focused(len(claims), func(i int) uitree.Claim {
		return uitree.Claim{Focused: true, Typed: IsText(roles[i]), Depth: claims[i].depth}
	})
	if !ok {
		return Node{}, 0, nil
	}
	return claims[at].Node, roles[at], nil
}
