package collect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// element is an element as the walk found it.
type element struct {
	element  *comObject // of what has text, to ask for it later; else nil
	parent   int        // index; -1 for the window
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

// harvest is what a walk has found so far. The walk runs on a thread of its own
// and may hang in the program; whoever waits takes what is there.
type harvest struct {
	mu       sync.Mutex
	elements []element
	taken    bool
}

// add keeps an element and tells its index; false: nobody waits any more.
func (h *harvest) add(v element, source *comObject) (int, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.taken {
		return 0, false
	}
	if v.texts != noText {
		v.element = source.hold()
	}
	at := len(h.elements)
	h.elements = append(h.elements, v)
	if v.parent >= 0 {
		h.elements[v.parent].children = append(h.elements[v.parent].children, at)
	}
	return at, true
}

// open says that the children of an element are known.
func (h *harvest) open(at int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.taken {
		h.elements[at].opened = true
	}
}

// take ends the harvest. The elements belong to the caller.
func (h *harvest) take() []element {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken = true
	return h.elements
}

// automationWindow is the window in front as UI Automation knows it.
type automationWindow struct {
	*automation
	window window
	large  bool // it is known that one request is too much
}

// element asks for the window itself, with what a request brings.
func (s automationWindow) element(ctx context.Context, request *comObject) (*comObject, error) {
	return ask(ctx, s.automation, func() (*comObject, error) {
		e, err := s.core.object(slotElementFromHandleBuildCache, uintptr(s.window.handle), request.handle())
		if err == nil && e == nil {
			err = errGone
		}
		return e, err
	}, (*comObject).release)
}

// walk reads the elements of the window. One request brings all of them; where
// the window has so many that half of the time does not do, they are asked for
// level by level, and those that come in time are what is told. The program still
// works on the request then, so late tells not to make it again.
func (s automationWindow) walk(ctx context.Context) (elements []element, late bool, err error) {
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
func broughtChildren(e *comObject) (children []*comObject, left bool, err error) {
	array, err := e.object(slotGetCachedChildren)
	if err != nil {
		return nil, false, err
	}
	return items(array, uitree.MaxChildren)
}

// askedChildren are those that the program tells when it is asked.
func (s automationWindow) askedChildren(e *comObject) (children []*comObject, left bool, err error) {
	array, err := e.object(slotFindAllBuildCache, uintptr(scopeChildren), s.view.handle(), s.single.handle())
	if err != nil {
		return nil, false, err
	}
	return items(array, uitree.MaxChildren)
}

// isLate tells that a call took longer than it was given.
func isLate(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errSlow)
}

// whole asks for the window with everything in it, for half of the time.
func (s automationWindow) whole(ctx context.Context) (*comObject, error) {
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/2)
		defer cancel()
	}
	return s.element(ctx, s.subtree)
}

// walker reads what is below a window, on a thread of its own.
type walker struct {
	found *harvest
	below func(*comObject) (children []*comObject, left bool, err error)
	count int  // elements
	alone bool // nobody waits any more
}

// opening is an element whose children are still to be read.
type opening struct {
	element *comObject
	at      int
}

// gather reads level by level what is below root, which it releases.
func (s automationWindow) gather(ctx context.Context, root *comObject, below func(*comObject) ([]*comObject, bool, error)) []element {
	w := walker{found: &harvest{}, below: below}
	_, _ = ask(ctx, s.automation, func() (struct{}, error) {
		w.walk(ctx, root)
		return struct{}{}, nil
	}, nil)
	return w.found.take()
}

func (w *walker) walk(ctx context.Context, root *comObject) {
	level := w.keep(nil, root, -1, 0)
	root.release()
	for depth := 1; len(level) > 0; depth++ {
		var next []opening
		for _, o := range level {
			if !w.alone && ctx.Err() == nil && depth <= uitree.MaxDepth {
				next = w.open(next, o, depth)
			}
			o.element.release()
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
		child.release()
	}
	if err == nil && !left {
		w.found.open(o.at)
	}
	return next
}

// keep takes an element into the harvest. What does not show has no children:
// closed menus and hidden pages are not what the user sees.
func (w *walker) keep(next []opening, e *comObject, parent, depth int) []opening {
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
	return append(next, opening{e.hold(), at})
}

// describe reads what a request has brought of an element.
func describe(e *comObject) element {
	v := element{
		control: e.cachedNumber(propertyControlType),
		id:      runtimeID(e.cached(propertyRuntimeID)),
		name:    strings.TrimSpace(strings.ToValidUTF8(e.cachedText(propertyName), "")),
		pid:     uint32(e.cachedNumber(propertyProcessID)),
	}
	v.bounds, v.bounded = e.cachedBounds()
	set := func(when bool, state facts.States) {
		if when {
			v.states |= state
		}
	}
	password, value := e.cachedFlag(propertyIsPassword), e.cachedFlag(propertyHasValue)
	enabled, told := e.cached(propertyIsEnabled).(bool)
	set(e.cachedFlag(propertyHasFocus), facts.Focused)
	set(e.cachedFlag(propertyIsSelected), facts.Selected)
	set(told && !enabled, facts.Disabled)
	// Without the pattern, the property says that it is read-only.
	set(value && e.cachedFlag(propertyValueReadOnly), facts.ReadOnly)
	set(e.cachedFlag(propertyIsOffscreen), facts.Offscreen)
	set(password, facts.Password)
	switch {
	case password:
	case e.cachedFlag(propertyHasTextPattern):
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

// focused tells whether an element says that it has the keyboard.
// focusedVisited is the element that has the keyboard.
func focusedVisited(elements []element) (int, bool) {
	return uitree.Focused(len(elements), func(i int) uitree.Claim {
		e := &elements[i]
		return uitree.Claim{Focused: e.parent >= 0 && e.states&facts.Focused != 0, Typed: isTyped(e.control), Depth: e.depth}
	})
}

// still tells whether a window is still in front.
func (w window) still() bool { return windows.GetForegroundWindow() == w.handle }
