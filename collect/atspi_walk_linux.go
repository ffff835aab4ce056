package collect

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// inFlight is how many elements are asked at once: more calls than the bus takes
// would block, and that no context ends.
const inFlight = 48

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
	cut      bool // not all children were read
	calls    visit
}

// What a walk leaves out, in a few words.
const (
	leftForTime  = "the time was over before all of the window was read"
	leftForSize  = "the window has more elements than are read"
	leftForLists = "of long lists only the beginning was read"
)

// visit is the calls under way for one element.
type visit struct {
	role, name, states, count, children, extents *dbus.Call
	first                                        []node // children that are known already; of a long list the first
}

// walk reads the elements of a window level by level, all of a level in one
// row of calls. What does not show has no children: closed menus and hidden
// pages are not what the user sees. left says what was left out; empty: nothing.
func (s scene) walk(ctx context.Context) (elements []visited, left string, err error) {
	return s.walkExcept(ctx)
}

// walkExcept is walk, but what is inside elements with these roles stays
// unread.
func (s scene) walkExcept(ctx context.Context, closed ...uint32) (elements []visited, left string, err error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-uitree.WalkReserve))
		defer cancel()
	}
	cache := s.cache(ctx)
	elements = []visited{{node: s.top, parent: -1}}
	for from := 0; from < len(elements); {
		to := len(elements)
		for chunk := range slices.Chunk(elements[from:to], inFlight) {
			if err := s.visit(ctx, chunk, cache); err != nil && from == 0 {
				return nil, "", hung(ctx, err)
			}
		}
		if ctx.Err() != nil {
			s.cutLevel(elements, from, to)
			return elements, leftForTime, nil
		}
		if elements[from].depth >= uitree.MaxDepth {
			s.cutLevel(elements, from, to)
			return elements, leftForSize, nil
		}
		for first := from; first < to; first += inFlight {
			last := min(first+inFlight, to)
			s.descend(ctx, elements[first:last], closed, cache)
			for i := first; i < last; i++ {
				children, some := elements[i].takeChildren()
				if some {
					elements[i].cut = true
					left = cmp.Or(left, leftForLists)
				}
				for _, child := range children {
					if len(elements) >= uitree.MaxElements {
						elements[i].cut = true
						left = leftForSize
						break
					}
					if !child.none() && child != elements[i].node {
						elements[i].children = append(elements[i].children, len(elements))
						elements = append(elements, visited{node: child, parent: i, depth: elements[i].depth + 1})
					}
				}
			}
		}
		from = to
	}
	if ctx.Err() != nil {
		left = leftForTime
	}
	return elements, left, nil
}

// cutLevel notes where the walk ended: the elements of a level whose children
// were not asked for, and the parents of those that were not reached.
func (s scene) cutLevel(elements []visited, from, to int) {
	for i := from; i < to; i++ {
		switch e := &elements[i]; {
		case e.role == 0 && e.parent >= 0:
			elements[e.parent].cut = true
		case e.count != 0 && s.opens(e):
			e.cut = true
		}
	}
}

// visit reads what is asked of every element. One that has gone, or that there
// was no time for, keeps the role 0. The error is the last one.
func (s scene) visit(ctx context.Context, elements []visited, cache *treeCache) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var asked []*visited
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
func (s scene) ask(ctx context.Context, level []*visited) {
	for _, v := range level {
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

// opens tells whether the children of an element are read: those of one that
// shows. GTK 4 does not say which do.
func (s scene) opens(v *visited) bool {
	return v.role != 0 && (v.states.has(stateShowing) || s.toolkit.gtk4() || v.parent < 0)
}

// descend asks for the children and the rectangle of what shows.
func (s scene) descend(ctx context.Context, level []visited, closed []uint32, cache *treeCache) {
	for i := range level {
		v := &level[i]
		v.calls = visit{}
		if slices.Contains(closed, v.role) {
			v.count = 0
		}
		if !s.opens(v) {
			continue
		}
		v.calls.extents = s.start(ctx, v.node, atspi+"Component.GetExtents", uint32(0))
		if first, ok := cache.below(v); ok {
			v.calls.first = first
		} else if v.count > 0 && v.count <= uitree.MaxChildren {
			v.calls.children = s.start(ctx, v.node, atspi+"Accessible.GetChildren")
		}
	}
	for i := range level { // after the cheap answers: each of these makes the application build an object
		v := &level[i]
		if v.calls.extents == nil || v.calls.first != nil || v.count <= uitree.MaxChildren {
			continue
		}
		v.calls.first = s.firstChildren(ctx, v.node)
	}
}

// firstChildren are the first of a long list, one by one: a list of all would
// make the application build them all.
func (s scene) firstChildren(ctx context.Context, list node) []node {
	var all []node
	for first := int32(0); first < uitree.MaxChildren && ctx.Err() == nil; first += inFlight {
		var calls []*dbus.Call
		for at := first; at < min(first+inFlight, uitree.MaxChildren); at++ {
			calls = append(calls, s.start(ctx, list, atspi+"Accessible.GetChildAtIndex", at))
		}
		for _, call := range calls {
			if n, err := result[node](call); err == nil {
				all = append(all, n)
			}
		}
	}
	return all
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
	calls := v.calls
	v.calls = visit{}
	if calls.children == nil {
		return calls.first, int(v.count) > len(calls.first)
	}
	children, err := result[[]node](calls.children)
	return children, err != nil
}
