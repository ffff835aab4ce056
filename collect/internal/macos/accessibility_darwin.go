package macos

import (
	"errors"
	"sync"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/pertain-dev/pertain/collect/internal/ax"
)

// Accessibility is the system's way to the windows of other applications. It is
// an System.
type Accessibility struct {
	coreFoundation
	pools

	trustedFn, createFn, systemWideFn, pidFn             uintptr
	attributeFn, attributesFn, rangeFn, spanFn, canSetFn uintptr
	elementType, valueType                               uintptr
	valueCreate, valueTypeFn, valueGet                   uintptr

	elementID, valueID uintptr
	setLimit           func(element uintptr, seconds float32) int32

	lists      [ax.Lists]ax.Ref // arrays of names, kept as long as the program runs
	names      map[ax.Attribute]ax.Ref
	spanName   ax.Ref
	systemWide ax.Ref

	// Several messages at once make some applications answer with nothing.
	mu sync.Mutex
}

// Patience is the limit of a message to whichever application is in front.
const Patience = 100 * time.Millisecond

// OpenAccessibility finds everything; nothing is asked yet, and nobody is
// bothered for a permission.
func OpenAccessibility() (*Accessibility, error) {
	a := &Accessibility{names: map[ax.Attribute]ax.Ref{}}
	if err := errors.Join(a.coreFoundation.load(), a.pools.load()); err != nil {
		return nil, err
	}
	var limit uintptr
	err := loadSymbols(servicesLibrary, []symbol{
		{"AXIsProcessTrusted", &a.trustedFn},
		{"AXUIElementCreateApplication", &a.createFn},
		{"AXUIElementCreateSystemWide", &a.systemWideFn},
		{"AXUIElementGetPid", &a.pidFn},
		{"AXUIElementCopyAttributeValue", &a.attributeFn},
		{"AXUIElementCopyMultipleAttributeValues", &a.attributesFn},
		{"AXUIElementCopyAttributeValues", &a.rangeFn},
		{"AXUIElementCopyParameterizedAttributeValue", &a.spanFn},
		{"AXUIElementIsAttributeSettable", &a.canSetFn},
		{"AXUIElementSetMessagingTimeout", &limit},
		{"AXUIElementGetTypeID", &a.elementType},
		{"AXValueGetTypeID", &a.valueType},
		{"AXValueCreate", &a.valueCreate},
		{"AXValueGetType", &a.valueTypeFn},
		{"AXValueGetValue", &a.valueGet},
	})
	if err != nil {
		return nil, err
	}
	purego.RegisterFunc(&a.setLimit, limit)
	a.elementID, a.valueID = call(a.elementType), call(a.valueType)
	for list := range ax.Lists {
		a.lists[list] = a.createStrings(list.Attributes())
	}
	for _, name := range []ax.Attribute{ax.AttributeChildren, ax.AttributeVisibleChildren, ax.AttributeValue, ax.AttributeFocusedApp} {
		a.names[name] = a.createString(string(name))
	}
	a.spanName = a.createString("AXStringForRange")
	a.systemWide = ax.Ref(call(a.systemWideFn))
	// On this element it is the limit of all messages that have none of their own.
	a.setLimit(uintptr(a.systemWide), float32(Patience.Seconds()))
	return a, nil
}

// Trusted tells whether the user has allowed accessibility.
func (a *Accessibility) Trusted() bool { return truthOf(call(a.trustedFn)) }

// CreateApplication is that of [ax.System].
func (a *Accessibility) CreateApplication(pid int) ax.Ref {
	return ax.Ref(call(a.createFn, uintptr(pid)))
}

// FrontPid is the process that has the keyboard; 0 if that is not known.
func (a *Accessibility) FrontPid() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.pool()()
	var app uintptr
	status, _, _ := purego.SyscallN(a.attributeFn, uintptr(a.systemWide), uintptr(a.names[ax.AttributeFocusedApp]), uintptr(unsafe.Pointer(&app)))
	if ax.Status(int32(status)) != ax.StatusSuccess || app == 0 {
		return 0
	}
	defer a.Release(ax.Ref(app))
	if a.Kind(ax.Ref(app)) != ax.KindElement {
		return 0
	}
	var pid int32
	if status, _, _ = purego.SyscallN(a.pidFn, app, uintptr(unsafe.Pointer(&pid))); ax.Status(int32(status)) != ax.StatusSuccess {
		return 0
	}
	return int(pid)
}

// limited sets how long the next message to an element may take. The limit is
// that of this object alone, not of others that stand for the same element.
func (a *Accessibility) limited(element ax.Ref, limit time.Duration) {
	a.setLimit(uintptr(element), float32(max(limit, time.Millisecond).Seconds()))
}

// CopyAttributes is that of [ax.System].
func (a *Accessibility) CopyAttributes(element ax.Ref, list ax.List, limit time.Duration) (ax.Ref, ax.Status) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.pool()()
	a.limited(element, limit)
	var values uintptr
	// The options 0 give an error instead of a value; others would end the
	// answer at the first attribute that an element has not.
	status, _, _ := purego.SyscallN(a.attributesFn, uintptr(element), uintptr(a.lists[list]), 0, uintptr(unsafe.Pointer(&values)))
	return a.owned(values, status)
}

// CopyElements is that of [ax.System].
func (a *Accessibility) CopyElements(element ax.Ref, attribute ax.Attribute, count int, limit time.Duration) (ax.Ref, ax.Status) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.pool()()
	a.limited(element, limit)
	var values uintptr
	status, _, _ := purego.SyscallN(a.rangeFn, uintptr(element), uintptr(a.names[attribute]), 0, uintptr(count), uintptr(unsafe.Pointer(&values)))
	return a.owned(values, status)
}

// CopyText is that of [ax.System].
func (a *Accessibility) CopyText(element ax.Ref, length int, limit time.Duration) (ax.Ref, ax.Status) {
	span := [2]int{0, length}
	parameter, _, _ := purego.SyscallN(a.valueCreate, ValueRange, uintptr(unsafe.Pointer(&span)))
	if parameter == 0 {
		return 0, ax.StatusNoValue
	}
	defer a.Release(ax.Ref(parameter))
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.pool()()
	a.limited(element, limit)
	var value uintptr
	status, _, _ := purego.SyscallN(a.spanFn, uintptr(element), uintptr(a.spanName), parameter, uintptr(unsafe.Pointer(&value)))
	return a.owned(value, status)
}

// owned is the result of a call that gives an object away. One that failed has
// given none, whatever stands there.
func (*Accessibility) owned(value, status uintptr) (ax.Ref, ax.Status) {
	if s := ax.Status(int32(status)); s != ax.StatusSuccess {
		return 0, s
	}
	return ax.Ref(value), ax.StatusSuccess
}

// Settable is that of [ax.System].
func (a *Accessibility) Settable(element ax.Ref, attribute ax.Attribute, limit time.Duration) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.pool()()
	a.limited(element, limit)
	var can byte
	status, _, _ := purego.SyscallN(a.canSetFn, uintptr(element), uintptr(a.names[attribute]), uintptr(unsafe.Pointer(&can)))
	return ax.Status(int32(status)) == ax.StatusSuccess && can != 0
}

// Kind is that of [ax.System].
func (a *Accessibility) Kind(v ax.Ref) ax.Kind {
	switch call(a.typeFn, uintptr(v)) {
	case a.elementID:
		return ax.KindElement
	case a.valueID:
		switch a.valueKind(v) {
		case ValuePoint:
			return ax.KindPoint
		case ValueSize:
			return ax.KindSize
		case ValueRange:
			return ax.KindRange
		}
		return ax.KindNone // an error instead of a value is one of these
	}
	return a.coreFoundation.Kind(v)
}

// valueKind is what an AXValue holds; an enumeration has four bytes.
func (a *Accessibility) valueKind(v ax.Ref) uintptr {
	return uintptr(uint32(call(a.valueTypeFn, uintptr(v))))
}

// Pair is that of [ax.System].
func (a *Accessibility) Pair(v ax.Ref) (float64, float64) {
	kind := a.valueKind(v)
	if kind == ValueRange {
		var span [2]int
		purego.SyscallN(a.valueGet, uintptr(v), kind, uintptr(unsafe.Pointer(&span)))
		return float64(span[0]), float64(span[1])
	}
	var pair [2]float64 // a CGPoint, a CGSize
	purego.SyscallN(a.valueGet, uintptr(v), kind, uintptr(unsafe.Pointer(&pair)))
	return pair[0], pair[1]
}
