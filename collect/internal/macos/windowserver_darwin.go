package macos

import (
	"errors"

	"github.com/pertain-dev/pertain/collect/internal/ax"
)

// Options of the window server's list.
const (
	windowsOnScreen  = 1  // kCGWindowListOptionOnScreenOnly
	windowsNoDesktop = 16 // kCGWindowListExcludeDesktopElements
)

// WindowServer tells which windows are on the screen. It needs no permission,
// but without one it does not tell their titles.
type WindowServer struct {
	coreFoundation
	pools
	listFn, sessionFn   uintptr
	owner, layer, alpha ax.Ref
	name, locked        ax.Ref
}

// OpenWindowServer finds the calls of the window server; nothing is asked yet.
func OpenWindowServer() (*WindowServer, error) {
	w := &WindowServer{}
	err := errors.Join(
		w.coreFoundation.load(),
		w.pools.load(),
		loadSymbols(coreGraphicsLibrary, []symbol{
			{"CGWindowListCopyWindowInfo", &w.listFn},
			{"CGSessionCopyCurrentDictionary", &w.sessionFn},
		}),
	)
	if err != nil {
		return nil, err
	}
	w.owner, w.layer = w.createString("kCGWindowOwnerPID"), w.createString("kCGWindowLayer")
	w.alpha, w.name = w.createString("kCGWindowAlpha"), w.createString("kCGWindowName")
	w.locked = w.createString("CGSSessionScreenIsLocked")
	return w, nil
}

// Present tells whether this program runs in a user's session with a screen,
// and nobody has locked that.
func (w *WindowServer) Present() bool {
	defer w.pool()()
	session := ax.Ref(call(w.sessionFn))
	if session == 0 {
		return false
	}
	defer w.Release(session)
	locked := w.field(session, w.locked)
	return locked == 0 || w.Kind(locked) == ax.KindFlag && !w.Flag(locked) || w.Kind(locked) == ax.KindNumber && w.Number(locked) == 0
}

// Front is the process of the window that lies above all others, and its title
// where that is told; 0: none.
func (w *WindowServer) Front() (pid int, title string) {
	defer w.pool()()
	list := ax.Ref(call(w.listFn, windowsOnScreen|windowsNoDesktop, 0))
	if list == 0 {
		return 0, ""
	}
	defer w.Release(list)
	for i := range w.Count(list) { // from front to back
		window := w.Item(list, i)
		if w.numberOf(window, w.layer, -1) != 0 { // the menu bar, the Dock, what floats
			continue
		}
		if w.numberOf(window, w.alpha, 1) == 0 {
			continue
		}
		if name := w.field(window, w.name); name != 0 && w.Kind(name) == ax.KindText {
			title = w.Text(name, ax.MaxName)
		}
		return int(w.numberOf(window, w.owner, 0)), title
	}
	return 0, ""
}

func (w *WindowServer) numberOf(dictionary, key ax.Ref, otherwise float64) float64 {
	value := w.field(dictionary, key)
	if value == 0 || w.Kind(value) != ax.KindNumber {
		return otherwise
	}
	return w.Number(value)
}
