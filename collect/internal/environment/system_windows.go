package environment

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// systemLocale is the user's locale, such as de-DE.
func systemLocale() string {
	proc := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetUserDefaultLocaleName")
	if proc.Find() != nil {
		return ""
	}
	var name [85]uint16 // LOCALE_NAME_MAX_LENGTH
	if n, _, _ := proc.Call(uintptr(unsafe.Pointer(&name[0])), uintptr(len(name))); n == 0 {
		return ""
	}
	return windows.UTF16ToString(name[:])
}

// systemZone is the IANA name of the user's time zone. Windows has names of its
// own; the Unicode library that comes with Windows 10 (1903) and later knows
// both.
func systemZone() string {
	proc := windows.NewLazySystemDLL("icu.dll").NewProc("ucal_getDefaultTimeZone")
	if proc.Find() != nil {
		return ""
	}
	var name [64]uint16
	var status int32 // above zero: an error
	_, _, _ = proc.Call(uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(unsafe.Pointer(&status)))
	if status > 0 {
		return ""
	}
	return windows.UTF16ToString(name[:])
}
