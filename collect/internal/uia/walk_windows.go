package uia

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/uia/api"
	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// element is an element as the walk found it.
type element struct {
	element  *com.Object // of what has text, to ask for it later; else nil
	parent   int         // index; -1 for the window
	depth    int
	control  int32
	id       string
	name     string
	pid      uint32
	states   facts.States
	bounds   facts.Bounds
	bounded  bool
	texts    textSource
	opened   bool // its children are known, or it has none to know
	children []int
}

// walkResult is what a walk has found so far. The walk runs on a thread of its own
// and may hang in the program; whoever waits takes what is there.
type walkResult struct {
	mu       sync.Mutex
	elements []element
	taken    bool
}

// add keeps an element and tells its index; false: nobody waits any more.
func (h *walkResult) add(v element, source *com.Object) (int, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.taken {
		return 0, false
	}
	if v.texts != noText {
		v.element = source.Hold()
	}
	at := len(h.elements)
	h.elements = append(h.elements, v)
	if v.parent >= 0 {
		h.elements[v.parent].children = append(h.elements[v.parent].children, at)
	}
	return at, true
}

// open says that the children of an element are known.
func (h *walkResult) open(at int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.taken {
		h.elements[at].opened = true
	}
}

// take ends the harvest. The elements belong to the caller.
func (h *walkResult) take() []element {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken = true
	return h.elements
}

// Window is the window in front as UI Automation knows it.
type Window struct {
	*Automation
	target Target
	large  bool // it is known that one request is too much
}

// element asks for the window itself, with what a request brings.
func (s Window) element(ctx context.Context, request *com.Object) (*com.Object, error) {
	return ask(ctx, s.Automation, func() (*com.Object, error) {
		e, err := s.core.Object(api.SlotElementFromHandleBuildCache, uintptr(s.target.Handle), request.Handle())
		if err == nil && e == nil {
			err = com.ErrGone
		}
		return e, err
	}, (*com.Object).Release)
}

// walk reads the elements of the window. One request brings all of them; where
// the window has so many that half of the time does not do, they are asked for
// level by level, and those that come in time are what is told. The program still
// works on the request then, so late tells not to make it again.
func (s Window) walk(ctx context.Context) (elements []element, late bool, err error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-uitree.WalkReserve))
		defer cancel()
	}
	if !s.large {
		root, err := s.whole(ctx)
		if err == nil {
			return s.gather(ctx, root, broughtChildren), false, nil
		}
		if late = isLate(err); ctx.Err() != nil || !late {
			return nil, late, err
		}
	}
	root, err := s.element(ctx, s.single)
	if err != nil {
		return nil, late, err
	}
	return s.gather(ctx, root, s.askedChildren), late, nil
}

// broughtChildren are those that a request has brought with their parent.
func broughtChildren(e *com.Object) (children []*com.Object, left bool, err error) {
	array, err := e.Object(api.SlotGetCachedChildren)
	if err != nil {
		return nil, false, err
	}
	return items(array, uitree.MaxChildren)
}

// askedChildren are those that the program tells when it is asked.
func (s Window) askedChildren(e *com.Object) (children []*com.Object, left bool, err error) {
	array, err := e.Object(api.SlotFindAllBuildCache, uintptr(api.ScopeChildren), s.view.Handle(), s.single.Handle())
	if err != nil {
		return nil, false, err
	}
	return items(array, uitree.MaxChildren)
}

// isLate tells that a call took longer than it was given.
func isLate(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, com.ErrSlow)
}

// whole asks for the window with everything in it, for half of the time.
func (s Window) whole(ctx context.Context) (*com.Object, error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer cancel()
	}
	return s.element(ctx, s.subtree)
}

// walker reads what is below a window, on a thread of its own.
type walker struct {
	found *walkResult
	below func(*com.Object) (children []*com.Object, left bool, err error)
	count int  // elements
	alone bool // nobody waits any more
}

// opening is an element whose children are still to be read.
type opening struct {
	element *com.Object
	at      int
}

// gather reads level by level what is below root, which it releases.
func (s Window) gather(ctx context.Context, root *com.Object, below func(*com.Object) ([]*com.Object, bool, error)) []element {
	w := walker{found: &walkResult{}, below: below}
	_, _ = ask(ctx, s.Automation, func() (struct{}, error) {
		w.walk(ctx, root)
		return struct{}{}, nil
	}, nil)
	return w.found.take()
}

func (w *walker) walk(ctx context.Context, root *com.Object) {
	level := w.keep(nil, root, -1, 0)
	root.Release()
	for depth := 1; len(level) > 0; depth++ {
		var next []opening
		for _, o := range level {
			if !w.alone && ctx.Err() == nil && depth <= uitree.MaxDepth {
				next = w.open(next, o, depth)
			}
			o.element.Release()
		}
		level = next
	}
}

// open reads the children of an element.
func (w *walker) open(next []opening, o opening, depth int) []opening {
	children, left, err := w.below(o.element)
	for _, child := range children {
		if w.count >= uitree.MaxElements {
			left = true
		} else {
			next = w.keep(next, child, o.at, depth)
		}
		child.Release()
	}
	if err == nil && !left {
		w.found.open(o.at)
	}
	return next
}

// keep takes an element into the harvest. What does not show has no children:
// closed menus and hidden pages are not what the user sees.
func (w *walker) keep(next []opening, e *com.Object, parent, depth int) []opening {
	if w.alone {
		return next
	}
	v := describe(e)
	v.parent, v.depth = parent, depth
	v.opened = parent >= 0 && v.states&facts.Offscreen != 0
	at, ok := w.found.add(v, e)
	if !ok {
		w.alone = true
		return next
	}
	w.count++
	if v.opened {
		return next
	}
	return append(next, opening{e.Hold(), at})
}

// describe reads what a request has brought of an element.
func describe(e *com.Object) element {
	v := element{
		control: cachedNumber(e, api.PropertyControlType),
		id:      runtimeID(cached(e, api.PropertyRuntimeID)),
		name:    strings.TrimSpace(strings.ToValidUTF8(cachedText(e, api.PropertyName), "")),
		pid:     uint32(cachedNumber(e, api.PropertyProcessID)),
	}
	v.bounds, v.bounded = cachedBounds(e)
	set := func(when bool, state facts.States) {
		if when {
			v.states |= state
		}
	}
	password, value := cachedFlag(e, api.PropertyIsPassword), cachedFlag(e, api.PropertyHasValue)
	enabled, told := cached(e, api.PropertyIsEnabled).(bool)
	set(cachedFlag(e, api.PropertyHasFocus), facts.Focused)
	set(cachedFlag(e, api.PropertyIsSelected), facts.Selected)
	set(told && !enabled, facts.Disabled)
	// Without the pattern, the property says that it is read-only.
	set(value && cachedFlag(e, api.PropertyValueReadOnly), facts.ReadOnly)
	set(cachedFlag(e, api.PropertyIsOffscreen), facts.Offscreen)
	set(password, facts.Password)
	switch {
	case password:
	case cachedFlag(e, api.PropertyHasTextPattern):
		v.texts = patternedText
	case value:
		v.texts = valueText
	}
	return v
}

// runtimeID makes an id of the numbers that UI Automation knows an element by;
// it is stable as long as the element lives.
func runtimeID(numbers any) string {
	list, _ := numbers.([]any)
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteByte('e')
	for i, n := range list {
		if i > 0 {
			b.WriteByte('.')
		}
		fmt.Fprint(&b, n)
	}
	return b.String()
}

// focusedVisited is the element that has the keyboard.
func focusedVisited(elements []element) (int, bool) {
	return uitree.Focused(len(elements), func(i int) uitree.Claim {
		e := &elements[i]
		return uitree.Claim{Focused: e.parent >= 0 && e.states&facts.Focused != 0, Typed: isTyped(e.control), Depth: e.depth}
	})
}
