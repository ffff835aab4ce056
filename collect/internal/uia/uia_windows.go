// Package uia reads the windows of Windows as assistive programs do: through UI
// Automation, by COM.
//
//	Client.Open → Automation.Window → Window ─┬ Tree      visible elements
//	                                          ├ Selected  selected text
//	                                          └ Page      a browser's page
//
// Use [NewClient] first. Calls run on threads of their own, since a program that
// hangs keeps whoever asks it; the numbers of interfaces and properties are in api,
// and a fake of all this in uiatest.
package uia

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/go-ole/go-ole"
	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/uia/api"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Automation is UI Automation with what is asked of it again and again. Its
// objects may be used from every thread of the multithreaded apartment, and are
// released when nobody has it any more: a call that hangs may outlive whoever
// made it.
type Automation struct {
	core    *com.Object // IUIAutomation
	subtree *com.Object // request for an element with everything below it
	single  *com.Object // request for an element alone
	view    *com.Object // what is a control, and no mere decoration
	parents *com.Object // walker from children to parents

	mu    sync.Mutex
	large windows.HWND // the last window that was too much for one request
}

// hangTime is how long UI Automation itself waits for a program. Who asked has
// given up long before; it bounds how long a thread goes on alone.
const hangTime = 2 * time.Second

// readProperties are those that the tree of a window needs. Texts are not among
// them: they are read when a query asks for them (docs/reference/visual.md).
var readProperties = []api.Property{
	api.PropertyRuntimeID, api.PropertyBounds, api.PropertyProcessID, api.PropertyControlType, api.PropertyName, api.PropertyHasFocus, api.PropertyIsEnabled,
	api.PropertyIsPassword, api.PropertyIsOffscreen, api.PropertyHasTextPattern, api.PropertyHasValue, api.PropertyValueReadOnly, api.PropertyIsSelected,
}

// createAutomation makes the object of UI Automation.
func createAutomation() (*com.Object, error) {
	core, err := com.Create(api.ClassAutomation8, api.IIDAutomation)
	if err != nil {
		return com.Create(api.ClassAutomation, api.IIDAutomation)
	}
	return core, nil
}

// newAutomation prepares the requests; core belongs to the result.
func newAutomation(core *com.Object) (*Automation, error) {
	a := &Automation{core: core}
	if limits, err := core.Query(api.IIDAutomation2); err == nil && limits != nil {
		_ = limits.Call(api.SlotPutAutoSetFocus, 0) // whoever looks must not move the focus
		_ = limits.Call(api.SlotPutConnectionTimeout, uintptr(hangTime.Milliseconds()))
		_ = limits.Call(api.SlotPutTransactionTimeout, uintptr(hangTime.Milliseconds()))
		limits.Release()
	}
	var err error
	if a.subtree, err = a.request(api.ScopeSubtree, readProperties...); err == nil {
		a.single, err = a.request(api.ScopeElement, readProperties...)
	}
	if err == nil {
		a.view, err = core.Object(api.SlotControlViewCondition)
	}
	if err == nil {
		a.parents, err = core.Object(api.SlotControlViewWalker)
	}
	if err == nil && (a.view == nil || a.parents == nil) {
		err = errNoObject
	}
	objects := []*com.Object{a.parents, a.view, a.single, a.subtree, core}
	if err != nil {
		com.ReleaseAll(objects)
		return nil, err
	}
	runtime.AddCleanup(a, releaseLater, objects)
	return a, nil
}

// releaseLater gives references back from wherever it is called.
func releaseLater(objects []*com.Object) {
	go func() { _ = com.InApartment(func() { com.ReleaseAll(objects) }) }()
}

// ask is [await] with UI Automation, which is kept until the work is done.
func ask[T any](ctx context.Context, a *Automation, work func() (T, error), drop func(T)) (T, error) {
	return com.Await(ctx, func() (T, error) {
		defer runtime.KeepAlive(a)
		return work()
	}, drop)
}

// errNoObject is for calls that succeeded without a result.
var errNoObject = errors.New("the call gave no object")

// request is a cache request: one call brings the properties of everything in
// its scope. What it finds is the control view, which is the default.
func (a *Automation) request(s api.Scope, properties ...api.Property) (*com.Object, error) {
	r, err := a.core.Object(api.SlotCreateCacheRequest)
	if err == nil && r == nil {
		err = errNoObject
	}
	if err != nil {
		return nil, err
	}
	for _, p := range properties {
		_ = r.Call(api.SlotAddProperty, uintptr(p)) // an older Windows may not know one; elements then do not have it
	}
	if err := r.Call(api.SlotPutTreeScope, uintptr(s)); err != nil {
		r.Release()
		return nil, err
	}
	return r, nil
}

// condition is what elements must have: a property with a value.
func (a *Automation) condition(p api.Property, value ole.VARIANT) (*com.Object, error) {
	// By value, but larger than two registers: the address is what is passed.
	in := com.Escaped[ole.VARIANT]()
	*in = value
	defer runtime.KeepAlive(in)
	return a.core.Object(api.SlotCreatePropertyCondition, uintptr(p), uintptr(unsafe.Pointer(in)))
}

// cached reads a property that a request has brought; the default value where
// the element does not have it.
func cached(o *com.Object, p api.Property) any {
	return propertyOf(o, api.SlotGetCachedPropertyValue, p)
}

// current asks the program for a property.
func current(o *com.Object, p api.Property) any {
	return propertyOf(o, api.SlotGetCurrentPropertyValue, p)
}

// propertyOf is a value as Go has it; lists are []any, nil is none.
func propertyOf(o *com.Object, slot int, p api.Property) any {
	v, err := com.ResultOf[ole.VARIANT](o, slot, uintptr(p))
	if err != nil {
		return nil
	}
	defer v.Clear() //nolint:errcheck // the value was copied
	if v.VT&ole.VT_ARRAY != 0 {
		if list := v.ToArray(); list != nil && list.Array != nil {
			return list.ToValueArray()
		}
		return nil
	}
	return v.Value()
}

func cachedFlag(o *com.Object, p api.Property) bool { yes, _ := cached(o, p).(bool); return yes }

func cachedText(o *com.Object, p api.Property) string { s, _ := cached(o, p).(string); return s }

func cachedNumber(o *com.Object, p api.Property) int32 { n, _ := cached(o, p).(int32); return n }

// cachedBounds is the rectangle on the screen: left, top, width and height.
func cachedBounds(o *com.Object) (facts.Bounds, bool) {
	list, _ := cached(o, api.PropertyBounds).([]any)
	if len(list) != 4 {
		return facts.Bounds{}, false
	}
	var r [4]float64
	for i, v := range list {
		n, ok := v.(float64)
		if !ok || math.IsNaN(n) || math.IsInf(n, 0) {
			return facts.Bounds{}, false
		}
		r[i] = n
	}
	return facts.Bounds{X: r[0], Y: r[1], Width: r[2], Height: r[3]}, r[2] > 0 && r[3] > 0
}

// items are the elements of an array, at most limit of them; left tells that
// there are more. The array is released.
func items(array *com.Object, limit int) (elements []*com.Object, left bool, err error) {
	if array == nil {
		return nil, false, nil
	}
	defer array.Release()
	count, err := com.ResultOf[int32](array, api.SlotArrayLength)
	if err != nil {
		return nil, false, err
	}
	for i := range min(int(count), limit) {
		e, err := array.Object(api.SlotArrayGetElement, uintptr(i))
		if err != nil || e == nil {
			left = true
			continue
		}
		elements = append(elements, e)
	}
	return elements, left || int(count) > limit, nil
}

// Target is a window as whoever looks for it knows it.
type Target struct {
	Handle  windows.HWND
	Title   string
	PID     uint32
	Process string // name of its program without .exe
}

// Window is a window to be read.
func (a *Automation) Window(t Target) Window {
	return Window{Automation: a, target: t}
}

// Name is the accessible name of the window.
func (s Window) Name(ctx context.Context) (string, error) {
	return ask(ctx, s.Automation, func() (string, error) {
		request, err := s.request(api.ScopeElement, api.PropertyName)
		if err != nil {
			return "", err
		}
		defer request.Release()
		root, err := s.core.Object(api.SlotElementFromHandleBuildCache, uintptr(s.target.Handle), request.Handle())
		if err != nil || root == nil {
			return "", err
		}
		defer root.Release()
		return cachedText(root, api.PropertyName), nil
	}, nil)
}

// Unanswered words a failure of UI Automation.
func Unanswered(ctx context.Context, err error) error {
	var known *facts.CollectError
	if errors.As(err, &known) {
		return err
	}
	var code com.ResultError
	errors.As(err, &code)
	switch {
	case code == com.ErrDenied:
		return NotAllowed()
	case code == com.ErrGone:
		return facts.Unavailable("the window in front has gone", "")
	case code == com.ErrNoClass:
		return facts.Unavailable("this Windows has no UI Automation", "")
	case ctx.Err() != nil, code == com.ErrSlow, errors.Is(err, context.DeadlineExceeded):
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the program in front does not answer", Remedy: "wait until it reacts again", Err: err}
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the program in front did not tell about its window", Err: err}
}

// NotAllowed is the answer about a program with more rights than this one.
func NotAllowed() error {
	return facts.PermissionMissing("the program in front runs as administrator", "run pertain as administrator, or that program without")
}
