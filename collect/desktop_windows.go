package collect

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/uia"
	"github.com/pertain-dev/pertain/facts"
)

// systemName begins the ids of collectors; readPermission is what those need
// that read other programs' windows.
const (
	systemName     = "windows"
	readPermission = "the rights of the program in front"
)

// desktop is the user's session on Windows. UI Automation is opened when it is
// needed and kept.
type desktop struct {
	options Options
	uia     *uia.Client // UI Automation

	warm atomic.Pointer[warmCache] // what is kept at hand while the desktop is watched; nil: nothing
}

// window is the one in front.
type window struct {
	handle  windows.HWND
	title   string
	class   string
	pid     uint32
	process string // name of its program without .exe
}

// key tells windows apart.
func (w window) key() string { return strconv.FormatUint(uint64(w.handle), 10) }

func newDesktop(options Options) *desktop {
	return &desktop{options: options, uia: uia.NewClient(nil)}
}

// lends says that with makes connections of its own: what is kept here is of one caller.
const lends = false

func (*desktop) with(options Options) *desktop { return newDesktop(options) }

func (d *desktop) close() { d.uia.Close() }

// collectors is the table of what reads Windows, in the order of asking.
func (d *desktop) collectors() []facts.Collector {
	return []facts.Collector{selectionReader{d}, visual{d}, active{d}, clipboardReader{d}, explorer{d}, newDevTools(d), tabReader{d}}
}

// frontDir is the folder that the user of the window in front works in.
func (d *desktop) frontDir(ctx context.Context) (string, error) {
	w, err := d.front(ctx)
	if err != nil || w.pid == 0 {
		if errors.Is(err, errNoWindow) {
			err = nil
		}
		return "", err
	}
	return process.Dir(w.pid, w.process, w.class), nil
}

// user32 is the system's library of windows.
func user32(name string) *windows.LazyProc {
	return windows.NewLazySystemDLL("user32.dll").NewProc(name)
}

// callUser32 calls a function of that library for what it gives back.
//
//go:uintptrescapes
func callUser32(name string, args ...uintptr) uintptr {
	got, _, _ := user32(name).Call(args...)
	return got
}

// frameClass is the window that store programs are shown in; it belongs to
// another process, and the program is a window in it.
const (
	frameClass = "ApplicationFrameWindow"
	coreClass  = "Windows.UI.Core.CoreWindow"
)

// present tells whether there is a desktop: always.
func (*desktop) present() bool { return true }

// front is the window in front, if it may be read; errNoWindow if there is none,
// as on a locked screen.
func (d *desktop) front(context.Context) (window, error) {
	handle := windows.GetForegroundWindow()
	if handle == 0 {
		return window{}, errNoWindow
	}
	w := describeWindow(handle)
	names := []string{w.process, w.class}
	if w.class == frameClass {
		if pid, ok := framed(handle); ok {
			w.pid, w.process = pid, process.Name(pid)
			names = append(names, w.process)
		}
	}
	p := d.private()
	if !p.Asked() {
		return w, nil
	}
	if err := cmp.Or(p.Refuses(w.title, names...), p.RefusesArguments(process.Arguments(w.pid), names...), d.ownersRefuse(handle)); err != nil {
		return window{}, err
	}
	return w, nil
}

// ownersRefuse is the answer about a window that belongs to one that must not be
// read, as a dialog does; nil if it may be.
func (d *desktop) ownersRefuse(handle windows.HWND) error {
	const ownerOf, deepest = 4, 16
	for range deepest {
		if handle = windows.HWND(callUser32("GetWindow", uintptr(handle), ownerOf)); handle == 0 {
			return nil
		}
		w := describeWindow(handle)
		if err := d.private().Refuses(w.title, w.process, w.class); err != nil {
			return err
		}
	}
	return nil
}

// describeWindow asks Windows about a window, and its program for nothing.
func describeWindow(handle windows.HWND) window {
	w := window{handle: handle, title: windowTitle(handle)}
	var class [256]uint16
	if n, err := windows.GetClassName(handle, &class[0], int32(len(class))); err == nil && n > 0 {
		w.class = windows.UTF16ToString(class[:])
	}
	if _, err := windows.GetWindowThreadProcessId(handle, &w.pid); err == nil {
		w.process = process.Name(w.pid)
	}
	return w
}

// windowTitle is the title as Windows keeps it: a program that hangs is not
// asked.
func windowTitle(handle windows.HWND) string {
	var text [512]uint16
	if callUser32("GetWindowTextW", uintptr(handle), uintptr(unsafe.Pointer(&text[0])), uintptr(len(text))) == 0 {
		return ""
	}
	return windows.UTF16ToString(text[:])
}

// framed is the process of the store program in a frame.
func framed(frame windows.HWND) (uint32, bool) {
	inner := childWindow(frame, coreClass)
	var pid uint32
	if inner == 0 {
		return 0, false
	}
	_, err := windows.GetWindowThreadProcessId(inner, &pid)
	return pid, err == nil && pid != 0
}

// childWindow is the first window of a class in another, the one on top; 0 if
// there is none.
func childWindow(parent windows.HWND, class string) windows.HWND {
	name, err := windows.UTF16PtrFromString(class)
	if err != nil {
		return 0
	}
	return windows.HWND(callUser32("FindWindowExW", uintptr(parent), 0, uintptr(unsafe.Pointer(name)), 0))
}

// programFile is the file that a process runs; "" if it is not known.
func (*desktop) programFile(pid int) string { return process.File(uint32(pid)) }
