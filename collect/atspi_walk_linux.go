package collect

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/facts"
)

// Bounds of a walk: a page of a browser may have more elements than anybody
// can read in time, and a table more than it can make.
const (
	maxElements = 4000
	maxDepth    = 80
	maxChildren = 250 // of one element; of longer lists only the first are read
	walkReserve = 25 * time.Millisecond
)

// visited is an element as the walk found it.
type visited struct {
	node
	parent   int // index; -1 for the window
	depth    int
	role     uint32
	name     string
	states   states
	count    int32 // children
	bounds   facts.Bounds
	bounded  bool
	children []int
	calls    visit
}

// visit is the calls under way for one element.
type visit struct{ role, name, states, count, children, extents *dbus.Call }

// walk reads the elements of a window level by level, all of a level in one
// row of calls. What does not show has no children: closed menus and hidden
// pages are not what the user sees. cut tells that something was left out.
func (s scene) walk(ctx context.Context) (elements []visited, cut bool, err error) {
	return s.walkExcept(ctx)
}

// walkExcept is walk, but what is inside elements with these roles stays
// unread.
func (s scene) walkExcept(ctx context.Context, closed ...uint32) (elements []visited, cut bool, err error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-walkReserve))
		defer cancel()
	}
	elements = []visited{{node: s.top, parent: -1}}
	for from := 0; from < len(elements); {
		to := len(elements)
		s.ask(ctx, elements[from:to])
		for i := from; i < to; i++ {
			if err := elements[i].take(); err != nil {
				if i == 0 {
					return nil, false, hung(ctx, err)
				}
				cut = cut || ctx.Err() != nil
				elements[i].role, elements[i].count = 0, 0 // it has gone, or the time is over
			}
		}
		if ctx.Err() != nil || elements[from].depth >= maxDepth {
			return elements, true, nil
		}
		s.descend(ctx, elements[from:to], closed)
		for i := from; i < to; i++ {
			children, left := elements[i].takeChildren()
			cut = cut || left
			for _, child := range children {
				if len(elements) >= maxElements {
					cut = true
					break
				}
				if !child.none() && child != elements[i].node {
					elements[i].children = append(elements[i].children, len(elements))
					elements = append(elements, visited{node: child, parent: i, depth: elements[i].depth + 1})
				}
			}
		}
		from = to
	}
	return elements, cut || ctx.Err() != nil, nil
}

// ask sends what is asked of every element.
func (s scene) ask(ctx context.Context, level []visited) {
	for i := range level {
		v := &level[i]
		v.calls = visit{
			role:   s.role(ctx, v.node),
			name:   s.name(ctx, v.node),
			states: s.states(ctx, v.node),
			count:  s.property(ctx, v.node, "Accessible", "ChildCount"),
		}
	}
}

func (v *visited) take() error {
	role, err := result[uint32](v.calls.role)
	if err != nil {
		return err
	}
	v.role = role
	v.name = strings.TrimSpace(text(variant[string](v.calls.name))) // GTK pads the names of menu items
	v.states, _ = statesOf(v.calls.states)
	v.count, _ = variant[int32](v.calls.count)
	return nil
}

// descend asks for the children and the rectangle of what shows.
func (s scene) descend(ctx context.Context, level []visited, closed []uint32) {
	for i := range level {
		v := &level[i]
		v.calls = visit{}
		if slices.Contains(closed, v.role) {
			v.count = 0
		}
		if v.role == 0 || !v.states.has(stateShowing) && !s.toolkit.gtk4() && v.parent >= 0 {
			continue
		}
		v.calls.extents = s.start(ctx, v.node, atspi+"Component.GetExtents", uint32(0))
		if v.count > 0 && v.count <= maxChildren {
			v.calls.children = s.start(ctx, v.node, atspi+"Accessible.GetChildren")
		}
	}
	for i := range level { // after the cheap answers: each of these makes the application build an object
		v := &level[i]
		if v.calls.extents == nil || v.count <= maxChildren {
			continue
		}
		v.children = nil
		var calls []*dbus.Call
		for at := range int32(maxChildren) {
			calls = append(calls, s.start(ctx, v.node, atspi+"Accessible.GetChildAtIndex", at))
		}
		v.calls.children = gatherCalls(calls)
	}
}

// gatherCalls makes one answer with a list out of many with one object each.
func gatherCalls(calls []*dbus.Call) *dbus.Call {
	var all []node
	for _, call := range calls {
		if n, err := result[node](call); err == nil {
			all = append(all, n)
		}
	}
	out := &dbus.Call{Done: make(chan *dbus.Call, 1), Body: []any{all}}
	out.Done <- out
	return out
}

// takeChildren reads the answers of descend; left tells that some are missing.
func (v *visited) takeChildren() (children []node, left bool) {
	if v.calls.extents == nil {
		return nil, false
	}
	if r, err := result[struct{ X, Y, Width, Height int32 }](v.calls.extents); err == nil && r.Width > 0 && r.Height > 0 && r.X > -1<<30 && r.Y > -1<<30 {
		v.bounds = facts.Bounds{X: float64(r.X), Y: float64(r.Y), Width: float64(r.Width), Height: float64(r.Height)}
		v.bounded = true
	}
	if v.calls.children == nil {
		return nil, v.count > 0
	}
	children, err := result[[]node](v.calls.children)
	v.calls = visit{}
	return children, err != nil || v.count > maxChildren
}
