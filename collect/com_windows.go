package collect

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

// comObject is a COM interface: what it points to begins with the address of
// its table of methods. Who gets one from a call owns a reference to it and
// releases it once.
type comObject struct{ methods *[128]uintptr }

// The methods that every interface begins with (IUnknown).
const (
	slotQueryInterface = 0
	slotAddRef         = 1
	slotRelease        = 2
)

// hresult is a failure that COM reports.
type hresult uint32

// Failures that mean something to users (winerror.h, UIAutomationCoreApi.h).
const (
	errDenied  hresult = 0x80070005 // E_ACCESSDENIED
	errNoClass hresult = 0x80040154 // REGDB_E_CLASSNOTREG
	errGone    hresult = 0x80040201 // UIA_E_ELEMENTNOTAVAILABLE
	errSlow    hresult = 0x80131505 // UIA_E_TIMEOUT
)

func (h hresult) Error() string { return fmt.Sprintf("COM failed with 0x%08X", uint32(h)) }

// call calls the method at a place of the table. Pointers among the arguments
// must come from [escaped].
func (o *comObject) call(slot int, args ...uintptr) error {
	all := make([]uintptr, 0, 8)
	all = append(append(all, uintptr(unsafe.Pointer(o))), args...)
	code, _, _ := syscall.SyscallN(o.methods[slot], all...)
	if int32(code) < 0 {
		return hresult(code)
	}
	return nil
}

// escaped is room that other code may write to. It is on the heap for certain:
// what is on a goroutine's stack moves when a call comes back into Go and needs
// more of it.
//
//go:noinline
func escaped[T any]() *T { return new(T) }

// result calls a method whose last parameter is where the result goes.
func result[T any](o *comObject, slot int, args ...uintptr) (T, error) {
	out := escaped[T]()
	err := o.call(slot, append(args, uintptr(unsafe.Pointer(out)))...)
	runtime.KeepAlive(out)
	return *out, err
}

// object is result for an interface; nil where there is none, which is no
// failure.
func (o *comObject) object(slot int, args ...uintptr) (*comObject, error) {
	got, err := result[*comObject](o, slot, args...)
	if err != nil {
		return nil, err
	}
	return got, nil
}

// text is result for a text (BSTR), which is freed.
func (o *comObject) text(slot int, args ...uintptr) (string, error) {
	raw, err := result[*uint16](o, slot, args...)
	if err != nil || raw == nil {
		return "", err
	}
	defer ole.SysFreeString((*int16)(unsafe.Pointer(raw))) //nolint:errcheck // it has no failure
	return ole.BstrToString(raw), nil
}

// query asks an object for another of its interfaces.
func (o *comObject) query(iid *ole.GUID) (*comObject, error) {
	id := escaped[ole.GUID]()
	*id = *iid
	defer runtime.KeepAlive(id)
	return o.object(slotQueryInterface, uintptr(unsafe.Pointer(id)))
}

// handle is the object as an argument of a call.
func (o *comObject) handle() uintptr { return uintptr(unsafe.Pointer(o)) }

// hold adds a reference.
func (o *comObject) hold() *comObject {
	_, _, _ = syscall.SyscallN(o.methods[slotAddRef], uintptr(unsafe.Pointer(o)))
	return o
}

// release gives a reference back; nil has none.
func (o *comObject) release() {
	if o != nil {
		_, _, _ = syscall.SyscallN(o.methods[slotRelease], uintptr(unsafe.Pointer(o)))
	}
}

func releaseAll(objects []*comObject) {
	for _, o := range objects {
		o.release()
	}
}

// createObject makes an object of a class that is in a library of this process.
func createObject(class, iid *ole.GUID) (*comObject, error) {
	const inProcess = 1 // CLSCTX_INPROC_SERVER
	out := escaped[*comObject]()
	code, _, _ := windows.NewLazySystemDLL("ole32.dll").NewProc("CoCreateInstance").Call(
		uintptr(unsafe.Pointer(class)), 0, inProcess, uintptr(unsafe.Pointer(iid)), uintptr(unsafe.Pointer(out)))
	if int32(code) < 0 {
		return nil, hresult(code)
	}
	return *out, nil
}

// keepApartment makes the multithreaded apartment outlive the threads in it:
// with its last thread, COM would unload the libraries of objects that are kept
// between calls. It belongs to the process and so is done once for it.
var keepApartment = sync.OnceValue(func() error {
	cookie := escaped[uintptr]()
	code, _, _ := windows.NewLazySystemDLL("ole32.dll").NewProc("CoIncrementMTAUsage").Call(uintptr(unsafe.Pointer(cookie)))
	if int32(code) < 0 {
		return hresult(code)
	}
	return nil
})

// inApartment runs work on a thread of the multithreaded apartment. UI
// Automation asks its clients to call it from such threads, without windows of
// their own.
func inApartment(work func()) error {
	if err := keepApartment(); err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := ole.CoInitializeEx(0, ole.COINIT_MULTITHREADED); err != nil && !alreadyDone(err) {
		return err
	}
	defer ole.CoUninitialize()
	work()
	return nil
}

// await runs calls to another program in the apartment and waits for them as
// long as ctx lasts. A program that hangs keeps its thread until it answers, and
// nobody else: drop gets what comes then.
func await[T any](ctx context.Context, work func() (T, error), drop func(T)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers, left := make(chan answer), make(chan struct{})
	defer close(left)
	go func() {
		var a answer
		failed := inApartment(func() { a.value, a.err = work() })
		if failed != nil {
			a.err = failed
		}
		select {
		case answers <- a:
		case <-left:
			if a.err == nil && drop != nil {
				_ = inApartment(func() { drop(a.value) })
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

// alreadyDone tells that COM was ready on this thread before (S_FALSE).
func alreadyDone(err error) bool {
	var code *ole.OleError
	return errors.As(err, &code) && code.Code() == 1
}
