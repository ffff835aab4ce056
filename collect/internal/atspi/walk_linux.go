package atspi

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// InFlight is how many elements are asked at once: more calls than the bus takes
// would block, and that no context ends.
const InFlight = 48

// Element is an element as the walk found it.
type Element struct {
	Node
	Parent   int // index; -1 for the window
	depth    int
	Role     uint32
	Name     string
	States   States
	Count    int32 // children
	Bounds   facts.Bounds
	Bounded  bool
	Children []int
	cut      bool // not all children were read
	calls    pending
}

// What a walk leaves out, in a few words.
const (
	LeftForTime  = "the time was over before all of the window was read"
	LeftForSize  = "the window has more elements than are read"
	LeftForLists = "of long lists only the beginning was read"
)

// pending is the calls under way for one element.
type pending struct {
	role, name, states, count, children, extents *dbus.Call
	first                                        []Node // children that are known already; of a long list the first
}

// walk reads the elements of a window level by level, all of a level in one
// row of calls. What does not show has no children: closed menus and hidden
// pages are not what the user sees. left says what was left out; empty: nothing.
func (s Window) walk(ctx context.Context) (elements []Element, left string, err error) {
	return s.WalkExcept(ctx)
}

// WalkExcept is walk, but what is inside elements with these roles stays
// unread.
func (s Window) WalkExcept(ctx context.Context, closed ...uint32) (elements []Element, left string, err error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-uitree.WalkReserve))
		defer cancel()
	}
	cache := s.cache(ctx)
	elements = []Element{{Node: s.Top, Parent: -1}}
	for from := 0; from < len(elements); {
		to := len(elements)
		for chunk := range slices.Chunk(elements[from:to], InFlight) {
			if err := s.visit(ctx, chunk, cache); err != nil && from == 0 {
				return nil, "", Unanswered(ctx, err)
			}
		}
		if ctx.Err() != nil {
			s.cutLevel(elements, from, to)
			return elements, LeftForTime, nil
		}
		if elements[from].depth >= uitree.MaxDepth {
			s.cutLevel(elements, from, to)
			return elements, LeftForSize, nil
		}
		for first := from; first < to; first += InFlight {
			last := min(first+InFlight, to)
			s.descend(ctx, elements[first:last], closed, cache)
			for i := first; i < last; i++ {
				children, some := elements[i].takeChildren()
				if some {
					elements[i].cut = true
					left = cmp.Or(left, LeftForLists)
				}
				for _, child := range children {
					if len(elements) >= uitree.MaxElements {
						elements[i].cut = true
						left = LeftForSize
						break
					}
					if !child.None() && child != elements[i].Node {
						elements[i].Children = append(elements[i].Children, len(elements))
						elements = append(elements, Element{Node: child, Parent: i, depth: elements[i].depth + 1})
					}
				}
			}
		}
		from = to
	}
	if ctx.Err() != nil {
		left = LeftForTime
	}
	return elements, left, nil
}

// cutLevel notes where the walk ended: the elements of a level whose children
// were not asked for, and the parents of those that were not reached.
func (s Window) cutLevel(elements []Element, from, to int) {
	for i := from; i < to; i++ {
		switch e := &elements[i]; {
		case e.Role == 0 && e.Parent >= 0:
			elements[e.Parent].cut = true
		case e.Count != 0 && s.opens(e):
			e.cut = true
		}
	}
}

// visit reads what is asked of every element. One that has gone, or that there
// was no time for, keeps the role 0. The error is the last one.
func (s Window) visit(ctx context.Context, elements []Element, cache *treeCache) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var asked []*Element
	for i := range elements {
		if !cache.fill(&elements[i]) {
			asked = append(asked, &elements[i])
		}
	}
	s.ask(ctx, asked)
	var failed error
	for _, v := range asked {
		if err := v.take(); err != nil {
			failed = err
		}
	}
	return failed
}

// ask sends what is asked of every element.
func (s Window) ask(ctx context.Context, level []*Element) {
	for _, v := range level {
		v.calls = pending{
			role:   s.role(ctx, v.Node),
			name:   s.Name(ctx, v.Node),
			states: s.States(ctx, v.Node),
			count:  s.Property(ctx, v.Node, "Accessible", "ChildCount"),
		}
	}
}

func (v *Element) take() error {
	role, err := Result[uint32](v.calls.role)
	if err != nil {
		return err
	}
	v.Role = role
	v.Name = strings.TrimSpace(ValidText(Variant[string](v.calls.name))) // GTK pads the names of menu items
	v.States, _ = StatesOf(v.calls.states)
	v.Count, _ = Variant[int32](v.calls.count)
	return nil
}

// opens tells whether the children of an element are read: those of one that
// shows. GTK 4 does not say which do.
func (s Window) opens(v *Element) bool {
	return v.Role != 0 && (v.States.Has(StateShowing) || s.Toolkit.IsGTK4() || v.Parent < 0)
}

// descend asks for the children and the rectangle of what shows.
func (s Window) descend(ctx context.Context, level []Element, closed []uint32, cache *treeCache) {
	for i := range level {
		v := &level[i]
		v.calls = pending{}
		if slices.Contains(closed, v.Role) {
			v.Count = 0
		}
		if !s.opens(v) {
			continue
		}
		v.calls.extents = s.Start(ctx, v.Node, Prefix+"Component.GetExtents", uint32(0))
		if first, ok := cache.below(v); ok {
			v.calls.first = first
		} else if v.Count > 0 && v.Count <= uitree.MaxChildren {
			v.calls.children = s.Start(ctx, v.Node, Prefix+"Accessible.GetChildren")
		}
	}
	for i := range level { // after the cheap answers: each of these makes the application build an object
		v := &level[i]
		if v.calls.extents == nil || v.calls.first != nil || v.Count <= uitree.MaxChildren {
			continue
		}
		v.calls.first = s.firstChildren(ctx, v.Node)
	}
}

// firstChildren are the first of a long list, one by one: a list of all would
// make the application build them all.
func (s Window) firstChildren(ctx context.Context, list Node) []Node {
	return s.childrenAt(ctx, list, 0, uitree.MaxChildren)
}

// childrenAt are some of the children of an element, one by one, without those that are
// not there.
func (s Window) childrenAt(ctx context.Context, list Node, begin, end int) []Node {
	var all []Node
	for first := begin; first < end && ctx.Err() == nil; first += InFlight {
		var calls []*dbus.Call
		for at := first; at < min(first+InFlight, end); at++ {
			calls = append(calls, s.Start(ctx, list, Prefix+"Accessible.GetChildAtIndex", int32(at)))
		}
		for _, call := range calls {
			if n, err := Result[Node](call); err == nil {
				all = append(all, n)
			}
		}
	}
	return all
}

// takeChildren reads the answers of descend; left tells that some are missing.
func (v *Element) takeChildren() (children []Node, left bool) {
	if v.calls.extents == nil {
		return nil, false
	}
	if r, err := Result[struct{ X, Y, Width, Height int32 }](v.calls.extents); err == nil && r.Width > 0 && r.Height > 0 && r.X > -1<<30 && r.Y > -1<<30 {
		v.Bounds = facts.Bounds{X: float64(r.X), Y: float64(r.Y), Width: float64(r.Width), Height: float64(r.Height)}
		v.Bounded = true
	}
	calls := v.calls
	v.calls = pending{}
	if calls.children == nil {
		return calls.first, int(v.Count) > len(calls.first)
	}
	children, err := Result[[]Node](calls.children)
	return children, err != nil
}
