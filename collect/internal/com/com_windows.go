// Package com calls COM objects by the tables of their methods: for interfaces that
// have no IDispatch, such as those of UI Automation.
//
//	Create → Object.Call, Object.Query, ResultOf → values, and objects to release
//
// Calls to another program run in [Await], on a thread of the multithreaded
// apartment, and never keep whoever asks longer than that has time.
package com

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"github.com/go-ole/go-ole"
	"golang.org/x/sys/windows"
)

// Object is a COM interface: what it points to begins with the address of
// its table of methods. Who gets one from a call owns a reference to it and
// releases it once.
type Object struct{ methods *[128]uintptr }

// The methods that every interface begins with (IUnknown).
const (
	slotQueryInterface = 0
	slotAddRef         = 1
	slotRelease        = 2
)

// ResultError is a failure that COM reports.
type ResultError uint32

// Failures that mean something to users (winerror.h, UIAutomationCoreApi.h).
const (
	ErrDenied  ResultError = 0x80070005 // E_ACCESSDENIED
	ErrNoClass ResultError = 0x80040154 // REGDB_E_CLASSNOTREG
	ErrGone    ResultError = 0x80040201 // UIA_E_ELEMENTNOTAVAILABLE
	ErrSlow    ResultError = 0x80131505 // UIA_E_TIMEOUT
)

func (h ResultError) Error() string { return fmt.Sprintf("COM failed with 0x%08X", uint32(h)) }

// Call calls the method in a slot of the table. Pointers among the arguments
// must come from [escaped].
func (o *Object) Call(slot int, args ...uintptr) error {
	all := make([]uintptr, 0, 8)
	all = append(append(all, uintptr(unsafe.Pointer(o))), args...)
	code, _, _ := syscall.SyscallN(o.methods[slot], all...)
	if int32(code) < 0 {
		return ResultError(code)
	}
	return nil
}

// Escaped is memory that other code may write to. It is on the heap for certain:
// what is on a goroutine's stack moves when a call comes back into Go and needs
// more of it.
//
//go:noinline
func Escaped[T any]() *T { return new(T) }

// ResultOf calls a method whose last parameter is where the result goes.
func ResultOf[T any](o *Object, slot int, args ...uintptr) (T, error) {
	out := Escaped[T]()
	err := o.Call(slot, append(args, uintptr(unsafe.Pointer(out)))...)
	runtime.KeepAlive(out)
	return *out, err
}

// Object is result for an interface; nil where there is none, which is no
// failure.
func (o *Object) Object(slot int, args ...uintptr) (*Object, error) {
	got, err := ResultOf[*Object](o, slot, args...)
	if err != nil {
		return nil, err
	}
	return got, nil
}

// Text is result for a text (BSTR), which is freed.
func (o *Object) Text(slot int, args ...uintptr) (string, error) {
	raw, err := ResultOf[*uint16](o, slot, args...)
	if err != nil || raw == nil {
		return "", err
	}
	defer ole.SysFreeString((*int16)(unsafe.Pointer(raw))) //nolint:errcheck // it has no failure
	return ole.BstrToString(raw), nil
}

// Query asks an object for another of its interfaces.
func (o *Object) Query(iid *ole.GUID) (*Object, error) {
	id := Escaped[ole.GUID]()
	*id = *iid
	defer runtime.KeepAlive(id)
	return o.Object(slotQueryInterface, uintptr(unsafe.Pointer(id)))
}

// Handle is the object as an argument of a call.
func (o *Object) Handle() uintptr { return uintptr(unsafe.Pointer(o)) }

// Hold adds a reference.
func (o *Object) Hold() *Object {
	_, _, _ = syscall.SyscallN(o.methods[slotAddRef], uintptr(unsafe.Pointer(o)))
	return o
}

// Release gives a reference back; nil has none.
func (o *Object) Release() {
	if o != nil {
		_, _, _ = syscall.SyscallN(o.methods[slotRelease], uintptr(unsafe.Pointer(o)))
	}
}

// ReleaseAll gives the references to objects back.
func ReleaseAll(objects []*Object) {
	for _, o := range objects {
		o.Release()
	}
}

// Create makes an object of a class that is in a library of this process.
func Create(class, iid *ole.GUID) (*Object, error) {
	const inProcess = 1 // CLSCTX_INPROC_SERVER
	out := Escaped[*Object]()
	code, _, _ := windows.NewLazySystemDLL("ole32.dll").NewProc("CoCreateInstance").Call(
		uintptr(unsafe.Pointer(class)), 0, inProcess, uintptr(unsafe.Pointer(iid)), uintptr(unsafe.Pointer(out)))
	if int32(code) < 0 {
		return nil, ResultError(code)
	}
	return *out, nil
}

// keepApartment makes the multithreaded apartment outlive the threads in it:
// with its last thread, COM would unload the libraries of objects that are kept
// between calls. It belongs to the process and so is done once for it.
var keepApartment = sync.OnceValue(func() error {
	cookie := Escaped[uintptr]()
	code, _, _ := windows.NewLazySystemDLL("ole32.dll").NewProc("CoIncrementMTAUsage").Call(uintptr(unsafe.Pointer(cookie)))
	if int32(code) < 0 {
		return ResultError(code)
	}
	return nil
})

// InApartment runs work on a thread of the multithreaded apartment. UI
// Automation asks its clients to call it from such threads, without windows of
// their own.
func InApartment(work func()) error {
	if err := keepApartment(); err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := ole.CoInitializeEx(0, ole.COINIT_MULTITHREADED); err != nil && !AlreadyDone(err) {
		return err
	}
	defer ole.CoUninitialize()
	work()
	return nil
}

// Await runs calls to another program in the apartment and waits for them as
// long as ctx lasts. A program that hangs keeps its thread until it answers, and
// nobody else: drop gets what comes then.
func Await[T any](ctx context.Context, work func() (T, error), drop func(T)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers, left := make(chan answer), make(chan struct{})
	defer close(left)
	go func() {
		var a answer
		failed := InApartment(func() { a.value, a.err = work() })
		if failed != nil {
			a.err = failed
		}
		select {
		case answers <- a:
		case <-left:
			if a.err == nil && drop != nil {
				_ = InApartment(func() { drop(a.value) })
			}
		}
	}()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// AlreadyDone tells that COM was ready on this thread before (S_FALSE).
func AlreadyDone(err error) bool {
	var code *ole.OleError
	return errors.As(err, &code) && code.Code() == 1
}
