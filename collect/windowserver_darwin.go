package collect

import "errors"

// Options of the window server's list.
const (
	windowsOnScreen  = 1  // kCGWindowListOptionOnScreenOnly
	windowsNoDesktop = 16 // kCGWindowListExcludeDesktopElements
)

// windowServer tells which windows are on the screen. It needs no permission,
// but without one it does not tell their titles.
type windowServer struct {
	coreFoundation
	pools
	listFn, sessionFn   uintptr
	owner, layer, alpha axRef
	name, locked        axRef
}

func loadWindowServer() (*windowServer, error) {
	w := &windowServer{}
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

// present tells whether this program runs in a user's session with a screen,
// and nobody has locked that.
func (w *windowServer) present() bool {
	defer w.pool()()
	session := axRef(call(w.sessionFn))
	if session == 0 {
		return false
	}
	defer w.release(session)
	locked := w.field(session, w.locked)
	return locked == 0 || w.kind(locked) == axFlag && !w.flag(locked) || w.kind(locked) == axNumber && w.number(locked) == 0
}

// front is the process of the window that lies above all others, and its title
// where that is told; 0: none.
func (w *windowServer) front() (pid int, title string) {
	defer w.pool()()
	list := axRef(call(w.listFn, windowsOnScreen|windowsNoDesktop, 0))
	if list == 0 {
		return 0, ""
	}
	defer w.release(list)
	for i := range w.count(list) { // from front to back
		window := w.item(list, i)
		if w.numberOf(window, w.layer, -1) != 0 { // the menu bar, the Dock, what floats
			continue
		}
		if w.numberOf(window, w.alpha, 1) == 0 {
			continue
		}
		if name := w.field(window, w.name); name != 0 && w.kind(name) == axText {
			title = w.text(name, axMaxName)
		}
		return int(w.numberOf(window, w.owner, 0)), title
	}
	return 0, ""
}

func (w *windowServer) numberOf(dictionary, key axRef, otherwise float64) float64 {
	value := w.field(dictionary, key)
	if value == 0 || w.kind(value) != axNumber {
		return otherwise
	}
	return w.number(value)
}
