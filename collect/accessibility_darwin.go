package collect

import (
	"errors"
	"sync"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

// systemAccessibility is the system's way to the windows of other applications. It is
// an axSystem.
type systemAccessibility struct {
	coreFoundation
	pools

	trustedFn, createFn, systemWideFn, pidFn             uintptr
	attributeFn, attributesFn, rangeFn, spanFn, canSetFn uintptr
	elementType, valueType                               uintptr
	valueCreate, valueTypeFn, valueGet                   uintptr

	elementID, valueID uintptr
	setLimit           func(element uintptr, seconds float32) int32

	lists      [axLists]axRef // arrays of names, kept as long as the program runs
	names      map[axAttribute]axRef
	spanName   axRef
	systemWide axRef

	// Several messages at once make some applications answer with nothing.
	mu sync.Mutex
}

// axPatience is the limit of a message to whichever application is in front.
const axPatience = 100 * time.Millisecond

// loadAccessibility finds everything; nothing is asked yet, and nobody is
// bothered for a permission.
func loadAccessibility() (*systemAccessibility, error) {
	a := &systemAccessibility{names: map[axAttribute]axRef{}}
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
	for list := range axLists {
		a.lists[list] = a.createStrings(list.attributes())
	}
	for _, name := range []axAttribute{axChildren, axVisibleChildren, axValueOf, axFocusedApp} {
		a.names[name] = a.createString(string(name))
	}
	a.spanName = a.createString("AXStringForRange")
	a.systemWide = axRef(call(a.systemWideFn))
	// On this element it is the limit of all messages that have none of their own.
	a.setLimit(uintptr(a.systemWide), float32(axPatience.Seconds()))
	return a, nil
}

// trusted tells whether the user has allowed accessibility.
func (a *systemAccessibility) trusted() bool { return truthOf(call(a.trustedFn)) }

func (a *systemAccessibility) createApplication(pid int) axRef {
	return axRef(call(a.createFn, uintptr(pid)))
}

// frontPid is the process that has the keyboard; 0 if that is not known.
func (a *systemAccessibility) frontPid() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.pool()()
	var app uintptr
	status, _, _ := purego.SyscallN(a.attributeFn, uintptr(a.systemWide), uintptr(a.names[axFocusedApp]), uintptr(unsafe.Pointer(&app)))
	if axStatus(int32(status)) != axSuccess || app == 0 {
		return 0
	}
	defer a.release(axRef(app))
	if a.kind(axRef(app)) != axElementKind {
		return 0
	}
	var pid int32
	if status, _, _ = purego.SyscallN(a.pidFn, app, uintptr(unsafe.Pointer(&pid))); axStatus(int32(status)) != axSuccess {
		return 0
	}
	return int(pid)
}

// limited sets how long the next message to an element may take. The limit is
// that of this object alone, not of others that stand for the same element.
func (a *systemAccessibility) limited(element axRef, limit time.Duration) {
	a.setLimit(uintptr(element), float32(max(limit, time.Millisecond).Seconds()))
}

func (a *systemAccessibility) copyAttributes(element axRef, list axList, limit time.Duration) (axRef, axStatus) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.pool()()
	a.limited(element, limit)
	var values uintptr
	// The options 0 give an error in the place of a value; others would end the
	// answer at the first attribute that an element has not.
	status, _, _ := purego.SyscallN(a.attributesFn, uintptr(element), uintptr(a.lists[list]), 0, uintptr(unsafe.Pointer(&values)))
	return a.owned(values, status)
}

func (a *systemAccessibility) copyElements(element axRef, attribute axAttribute, count int, limit time.Duration) (axRef, axStatus) {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.pool()()
	a.limited(element, limit)
	var values uintptr
	status, _, _ := purego.SyscallN(a.rangeFn, uintptr(element), uintptr(a.names[attribute]), 0, uintptr(count), uintptr(unsafe.Pointer(&values)))
	return a.owned(values, status)
}

func (a *systemAccessibility) copyText(element axRef, length int, limit time.Duration) (axRef, axStatus) {
	span := [2]int{0, length}
	parameter, _, _ := purego.SyscallN(a.valueCreate, axValueRange, uintptr(unsafe.Pointer(&span)))
	if parameter == 0 {
		return 0, axNoValue
	}
	defer a.release(axRef(parameter))
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
func (*systemAccessibility) owned(value, status uintptr) (axRef, axStatus) {
	if s := axStatus(int32(status)); s != axSuccess {
		return 0, s
	}
	return axRef(value), axSuccess
}

func (a *systemAccessibility) settable(element axRef, attribute axAttribute, limit time.Duration) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	defer a.pool()()
	a.limited(element, limit)
	var can byte
	status, _, _ := purego.SyscallN(a.canSetFn, uintptr(element), uintptr(a.names[attribute]), uintptr(unsafe.Pointer(&can)))
	return axStatus(int32(status)) == axSuccess && can != 0
}

func (a *systemAccessibility) kind(v axRef) axKind {
	switch call(a.typeFn, uintptr(v)) {
	case a.elementID:
		return axElementKind
	case a.valueID:
		switch a.valueKind(v) {
		case axValuePoint:
			return axPoint
		case axValueSize:
			return axSize
		case axValueRange:
			return axRange
		}
		return axNone // an error in the place of a value is one of these
	}
	return a.coreFoundation.kind(v)
}

// valueKind is what an AXValue holds; an enumeration has four bytes.
func (a *systemAccessibility) valueKind(v axRef) uintptr {
	return uintptr(uint32(call(a.valueTypeFn, uintptr(v))))
}

func (a *systemAccessibility) pair(v axRef) (float64, float64) {
	kind := a.valueKind(v)
	if kind == axValueRange {
		var span [2]int
		purego.SyscallN(a.valueGet, uintptr(v), kind, uintptr(unsafe.Pointer(&span)))
		return float64(span[0]), float64(span[1])
	}
	var pair [2]float64 // a CGPoint, a CGSize
	purego.SyscallN(a.valueGet, uintptr(v), kind, uintptr(unsafe.Pointer(&pair)))
	return pair[0], pair[1]
}
