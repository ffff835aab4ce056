package collect

import (
	"context"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/facts"
)

// desktop is the user's session on Windows. It keeps nothing open.
type desktop struct{ options Options }

// window is the one in front.
type window struct {
	handle  windows.HWND
	title   string
	class   string
	pid     uint32
	process string // name of its program without .exe
}

func newDesktop(options Options) *desktop { return &desktop{options: options} }

func (*desktop) close() {}

// collectors is the table of what reads Windows, in the order of asking.
func (d *desktop) collectors() []facts.Collector {
	return []facts.Collector{clipboard{d}, explorer{d}}
}

// frontDir: Windows does not tell the working directory of another process.
func (*desktop) frontDir(context.Context) (string, error) { return "", nil }

func (*desktop) watch(context.Context, func()) error {
	return facts.Unavailable("the desktop of Windows is not watched yet", "")
}

// user32 is the system's library of windows.
func user32(name string) *windows.LazyProc {
	return windows.NewLazySystemDLL("user32.dll").NewProc(name)
}

// front is the window in front; false if there is none, as on a locked screen.
func (d *desktop) front() (window, bool, error) {
	handle := windows.GetForegroundWindow()
	if handle == 0 {
		return window{}, false, nil
	}
	w := window{handle: handle}
	var text [512]uint16
	if n, _, _ := user32("GetWindowTextW").Call(uintptr(handle), uintptr(unsafe.Pointer(&text[0])), uintptr(len(text))); n > 0 {
		w.title = windows.UTF16ToString(text[:])
	}
	var class [256]uint16
	if n, err := windows.GetClassName(handle, &class[0], int32(len(class))); err == nil && n > 0 {
		w.class = windows.UTF16ToString(class[:])
	}
	if _, err := windows.GetWindowThreadProcessId(handle, &w.pid); err == nil {
		w.process = programName(w.pid)
	}
	if d.options.Private.hides(w.title, w.process, w.class) {
		return window{}, false, errPrivate()
	}
	return w, true, nil
}

// programName is the name of a process's program without .exe.
func programName(pid uint32) string {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(process) //nolint:errcheck // it was only asked
	var path [windows.MAX_LONG_PATH]uint16
	size := uint32(len(path))
	if windows.QueryFullProcessImageName(process, 0, &path[0], &size) != nil {
		return ""
	}
	name := filepath.Base(windows.UTF16ToString(path[:size]))
	return strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".EXE")
}
