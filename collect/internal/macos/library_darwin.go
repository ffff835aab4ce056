package macos

import (
	"errors"
	"fmt"

	"github.com/ebitengine/purego"
)

// Where the system keeps what is called. The files are in a cache of the system
// and not on disk, but open all the same.
const (
	coreFoundationLibrary = "/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation"
	coreGraphicsLibrary   = "/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics"
	servicesLibrary       = "/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices"
	appKitLibrary         = "/System/Library/Frameworks/AppKit.framework/AppKit"
	objectiveCLibrary     = "/usr/lib/libobjc.A.dylib"
	systemLibrary         = "/usr/lib/libSystem.B.dylib"
)

// symbol is a function of a library and where its address goes.
type symbol struct {
	name string
	to   *uintptr
}

// errLibrary is why a library could not be used; its text is never shown.
var errLibrary = errors.New("a library of the system lacks something")

// loadSymbols finds functions when they are first needed: a system that has not
// all of them loses one part of the context and not the whole program.
func loadSymbols(library string, symbols []symbol) error {
	handle, err := purego.Dlopen(library, purego.RTLD_LAZY|purego.RTLD_GLOBAL)
	if err != nil {
		return fmt.Errorf("%w: %w", errLibrary, err)
	}
	for _, s := range symbols {
		address, err := purego.Dlsym(handle, s.name)
		if err != nil || address == 0 {
			return fmt.Errorf("%w: %s", errLibrary, s.name)
		}
		*s.to = address
	}
	return nil
}

// call calls a function of which all arguments are numbers or objects of the
// system: no pointers to memory of Go.
func call(function uintptr, arguments ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(function, arguments...)
	return result
}

// truthOf reads a Boolean, which is one byte; what stands above it is chance.
func truthOf(result uintptr) bool { return byte(result) != 0 }
