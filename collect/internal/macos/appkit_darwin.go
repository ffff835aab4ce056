package macos

import (
	"errors"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/pertain-dev/pertain/collect/internal/ax"
)

// pools free what the system's libraries make in passing.
type pools struct{ pushFn, popFn uintptr }

func (p *pools) load() error {
	return loadSymbols(objectiveCLibrary, []symbol{
		{"objc_autoreleasePoolPush", &p.pushFn},
		{"objc_autoreleasePoolPop", &p.popFn},
	})
}

// pool begins a pool and gives the function that ends it. It belongs to the
// thread, which the goroutine keeps so long.
func (p *pools) pool() func() {
	runtime.LockOSThread()
	token := call(p.pushFn)
	return func() {
		call(p.popFn, token)
		runtime.UnlockOSThread()
	}
}

// AppKit is the system's classes. Objects that messages give are borrowed and
// go with the pool that is open.
type AppKit struct {
	coreFoundation
	pools
	classFn, selectorFn, sendFn uintptr
}

// OpenAppKit finds everything; nothing is asked yet.
func OpenAppKit() (*AppKit, error) {
	k := &AppKit{}
	var present uintptr
	err := errors.Join(
		k.coreFoundation.load(),
		k.pools.load(),
		loadSymbols(objectiveCLibrary, []symbol{
			{"objc_getClass", &k.classFn},
			{"sel_registerName", &k.selectorFn},
			{"objc_msgSend", &k.sendFn},
		}),
		loadSymbols(appKitLibrary, []symbol{{"NSApplicationLoad", &present}}),
	)
	if err != nil {
		return nil, err
	}
	return k, nil
}

// named calls a function that takes a C string.
func named(function uintptr, name string) uintptr {
	bytes := append([]byte(name), 0)
	result, _, _ := purego.SyscallN(function, uintptr(unsafe.Pointer(&bytes[0])))
	return result
}

// class is the object of a class; 0: this system has none such.
func (k *AppKit) class(name string) ax.Ref { return ax.Ref(named(k.classFn, name)) }

// send sends a message whose arguments are objects or numbers. To nobody, it
// does nothing and gives 0.
func (k *AppKit) send(receiver ax.Ref, message string, arguments ...uintptr) ax.Ref {
	if receiver == 0 {
		return 0
	}
	all := append([]uintptr{uintptr(receiver), named(k.selectorFn, message)}, arguments...)
	return ax.Ref(call(k.sendFn, all...))
}

// understands tells whether an object takes a message: newer systems have more.
func (k *AppKit) understands(receiver ax.Ref, message string) bool {
	return receiver != 0 && truthOf(uintptr(k.send(receiver, "respondsToSelector:", named(k.selectorFn, message))))
}

// string is an object's text; "" where there is none.
func (k *AppKit) string(object ax.Ref, units int) string {
	if object == 0 || k.Kind(object) != ax.KindText {
		return ""
	}
	return k.Text(object, units)
}

// Identity is what an application is called: its bundle, such as
// com.apple.finder, and its name in the user's language; "" if not known.
func (k *AppKit) Identity(pid int) (bundle, name string) {
	defer k.pool()()
	running := k.send(k.class("NSRunningApplication"), "runningApplicationWithProcessIdentifier:", uintptr(pid))
	return k.string(k.send(running, "bundleIdentifier"), ax.MaxName), k.string(k.send(running, "localizedName"), ax.MaxName)
}
