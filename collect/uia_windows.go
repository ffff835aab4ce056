package collect

import (
	"context"
	"errors"
	"math"
	"runtime"
	"time"
	"unsafe"

	"github.com/go-ole/go-ole"

	"github.com/pertain-dev/pertain/collect/internal/browser"
	"github.com/pertain-dev/pertain/collect/internal/privacy"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// automation is UI Automation with what is asked of it again and again. Its
// objects may be used from every thread of the multithreaded apartment, and are
// released when nobody has it any more: a call that hangs may outlive whoever
// made it.
type automation struct {
	core    *comObject // IUIAutomation
	subtree *comObject // request for an element with everything below it
	single  *comObject // request for an element alone
	view    *comObject // what is a control, and no mere decoration
	parents *comObject // walker from children to parents
}

// hangTime is how long UI Automation itself waits for a program. Who asked has
// given up long before; it bounds how long a thread stays behind.
const hangTime = 2 * time.Second

// readProperties are those that the tree of a window needs. Texts are not among
// them: they are read when a query asks for them (CF §18).
var readProperties = []property{
	propertyRuntimeID, propertyBounds, propertyProcessID, propertyControlType, propertyName, propertyHasFocus, propertyIsEnabled,
	propertyIsPassword, propertyIsOffscreen, propertyHasTextPattern, propertyHasValue, propertyValueReadOnly, propertyIsSelected,
}

// createAutomation makes the object of UI Automation.
func createAutomation() (*comObject, error) {
	core, err := createObject(classAutomation8, iidAutomation)
	if err != nil {
		return createObject(classAutomation, iidAutomation)
	}
	return core, nil
}

// newAutomation prepares the requests; core belongs to the result.
func newAutomation(core *comObject) (*automation, error) {
	a := &automation{core: core}
	if limits, err := core.query(iidAutomation2); err == nil && limits != nil {
		_ = limits.call(slotPutAutoSetFocus, 0) // whoever looks must not move the focus
		_ = limits.call(slotPutConnectionTimeout, uintptr(hangTime.Milliseconds()))
		_ = limits.call(slotPutTransactionTimeout, uintptr(hangTime.Milliseconds()))
		limits.release()
	}
	var err error
	if a.subtree, err = a.request(scopeSubtree, readProperties...); err == nil {
		a.single, err = a.request(scopeElement, readProperties...)
	}
	if err == nil {
		a.view, err = core.object(slotControlViewCondition)
	}
	if err == nil {
		a.parents, err = core.object(slotControlViewWalker)
	}
	if err == nil && (a.view == nil || a.parents == nil) {
		err = errNoObject
	}
	objects := []*comObject{a.parents, a.view, a.single, a.subtree, core}
	if err != nil {
		releaseAll(objects)
		return nil, err
	}
	runtime.AddCleanup(a, releaseLater, objects)
	return a, nil
}

// releaseLater gives references back from wherever it is called.
func releaseLater(objects []*comObject) {
	go func() { _ = inApartment(func() { releaseAll(objects) }) }()
}

// ask is [await] with UI Automation, which is kept until the work is done.
func ask[T any](ctx context.Context, a *automation, work func() (T, error), drop func(T)) (T, error) {
	return await(ctx, func() (T, error) {
		defer runtime.KeepAlive(a)
		return work()
	}, drop)
}

// errNoObject is for calls that succeeded without a result.
var errNoObject = errors.New("the call gave no object")

// request is a cache request: one call brings the properties of everything in
// its scope. What it finds is the control view, which is the default.
func (a *automation) request(s scope, properties ...property) (*comObject, error) {
	r, err := a.core.object(slotCreateCacheRequest)
	if err == nil && r == nil {
		err = errNoObject
	}
	if err != nil {
		return nil, err
	}
	for _, p := range properties {
		_ = r.call(slotAddProperty, uintptr(p)) // an older Windows may not know one; elements then do not have it
	}
	if err := r.call(slotPutTreeScope, uintptr(s)); err != nil {
		r.release()
		return nil, err
	}
	return r, nil
}

// condition is what elements must have: a property with a value.
func (a *automation) condition(p property, value ole.VARIANT) (*comObject, error) {
	// By value, but larger than two registers: the address is what is passed.
	in := escaped[ole.VARIANT]()
	*in = value
	defer runtime.KeepAlive(in)
	return a.core.object(slotCreatePropertyCondition, uintptr(p), uintptr(unsafe.Pointer(in)))
}

// cached reads a property that a request has brought; the default value where
// the element does not have it.
func (o *comObject) cached(p property) any { return o.property(slotGetCachedPropertyValue, p) }

// current asks the program for a property.
func (o *comObject) current(p property) any { return o.property(slotGetCurrentPropertyValue, p) }

// property is a value as Go has it; lists are []any, nil is none.
func (o *comObject) property(slot int, p property) any {
	v, err := result[ole.VARIANT](o, slot, uintptr(p))
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

func (o *comObject) cachedFlag(p property) bool { yes, _ := o.cached(p).(bool); return yes }

func (o *comObject) cachedText(p property) string { s, _ := o.cached(p).(string); return s }

func (o *comObject) cachedNumber(p property) int32 { n, _ := o.cached(p).(int32); return n }

// cachedBounds is the rectangle on the screen: left, top, width and height.
func (o *comObject) cachedBounds() (facts.Bounds, bool) {
	list, _ := o.cached(propertyBounds).([]any)
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
func items(array *comObject, limit int) (elements []*comObject, left bool, err error) {
	if array == nil {
		return nil, false, nil
	}
	defer array.release()
	count, err := result[int32](array, slotArrayLength)
	if err != nil {
		return nil, false, err
	}
	for i := range min(int(count), limit) {
		e, err := array.object(slotArrayGetElement, uintptr(i))
		if err != nil || e == nil {
			left = true
			continue
		}
		elements = append(elements, e)
	}
	return elements, left || int(count) > limit, nil
}

// accessible finds a window in UI Automation. Windows keeps programs apart that have
// different rights: of a window of an administrator's program there would be the
// frame, and nothing in it.
func (d *desktop) accessible(ctx context.Context, w window) (automationWindow, error) {
	if process.Higher(w.pid) {
		return automationWindow{}, notAllowed()
	}
	a, err := d.automation(ctx)
	if err != nil {
		return automationWindow{}, unanswered(ctx, err)
	}
	s := automationWindow{automation: a, window: w}
	if err := d.guardName(ctx, s); err != nil {
		return automationWindow{}, err
	}
	return s, nil
}

// guardName refuses a window of Chromium that says only by its accessible name
// that it is a private one.
func (d *desktop) guardName(ctx context.Context, s automationWindow) error {
	p := d.private()
	if !p.Asked() || !browser.IsChromiumProgram(s.window.process) {
		return nil
	}
	name, err := s.name(ctx)
	if err != nil {
		return unanswered(ctx, err)
	}
	if err := p.Refuses(name, s.window.process, s.window.class); err != nil {
		return err
	}
	if !p.NoDefaults && browser.Bracketed(name, s.window.title) {
		return privacy.ErrUsual
	}
	return nil
}

// tellsPrivacy refuses a window that says by its accessible name that it is a
// private one, or does not say its name.
func (d *desktop) tellsPrivacy(ctx context.Context, w window) error {
	_, err := d.accessible(ctx, w)
	return err
}

// name is the accessible name of the window.
func (s automationWindow) name(ctx context.Context) (string, error) {
	return ask(ctx, s.automation, func() (string, error) {
		request, err := s.request(scopeElement, propertyName)
		if err != nil {
			return "", err
		}
		defer request.release()
		root, err := s.core.object(slotElementFromHandleBuildCache, uintptr(s.window.handle), request.handle())
		if err != nil || root == nil {
			return "", err
		}
		defer root.release()
		return root.cachedText(propertyName), nil
	}, nil)
}

// automation is UI Automation, opened when it is first needed.
func (d *desktop) automation(ctx context.Context) (*automation, error) {
	select { // one at a time: the first calls set the library up
	case d.opening <- struct{}{}:
		defer func() { <-d.opening }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	d.mu.Lock()
	known := d.uia
	d.mu.Unlock()
	if known != nil {
		return known, nil
	}
	made, err := await(ctx, func() (*automation, error) {
		core, err := d.create()
		if err != nil {
			return nil, err
		}
		if core == nil {
			return nil, errNoObject
		}
		return newAutomation(core)
	}, nil)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.uia = made
	return made, nil
}

// unanswered words a failure of UI Automation.
func unanswered(ctx context.Context, err error) error {
	var known *facts.CollectError
	if errors.As(err, &known) {
		return err
	}
	var code hresult
	errors.As(err, &code)
	switch {
	case code == errDenied:
		return notAllowed()
	case code == errGone:
		return facts.Unavailable("the window in front has gone", "")
	case code == errNoClass:
		return facts.Unavailable("this Windows has no UI Automation", "")
	case ctx.Err() != nil, code == errSlow, errors.Is(err, context.DeadlineExceeded):
		return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "the program in front does not answer", Remedy: "wait until it reacts again", Err: err}
	}
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the program in front did not tell about its window", Err: err}
}

// notAllowed is the answer about a program with more rights than this one.
func notAllowed() error {
	return facts.PermissionMissing("the program in front runs as administrator", "run pertain as administrator, or that program without")
}
