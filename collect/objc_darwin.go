package collect

import (
	"errors"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
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

// appKit is the system's classes. Objects that messages give are borrowed and
// go with the pool that is open.
type appKit struct {
	coreFoundation
	pools
	classFn, selectorFn, sendFn uintptr
}

// loadAppKit finds everything; nothing is asked yet.
func loadAppKit() (*appKit, error) {
	k := &appKit{}
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
func (k *appKit) class(name string) axRef { return axRef(named(k.classFn, name)) }

// send sends a message whose arguments are objects or numbers. To nobody, it
// does nothing and gives 0.
func (k *appKit) send(receiver axRef, message string, arguments ...uintptr) axRef {
	if receiver == 0 {
		return 0
	}
	all := append([]uintptr{uintptr(receiver), named(k.selectorFn, message)}, arguments...)
	return axRef(call(k.sendFn, all...))
}

// understands tells whether an object takes a message: newer systems have more.
func (k *appKit) understands(receiver axRef, message string) bool {
	return receiver != 0 && truthOf(uintptr(k.send(receiver, "respondsToSelector:", named(k.selectorFn, message))))
}

// string is an object's text; "" where there is none.
func (k *appKit) string(object axRef, units int) string {
	if object == 0 || k.kind(object) != axText {
		return ""
	}
	return k.text(object, units)
}
