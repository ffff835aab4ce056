package collect

import (
	"context"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/facts"
)

// pollTime lies between looks at the window in front, its title and the
// clipboard: what programs do not tell is noticed by looking.
const pollTime = 250 * time.Millisecond

// Events of windows (winuser.h).
const (
	eventForeground    = 0x0003
	eventMenuStart     = 0x0004
	eventMenuPopupEnd  = 0x0007
	eventShow          = 0x8002
	eventHide          = 0x8003
	eventFocus         = 0x8005
	eventSelectedMany  = 0x8009 // EVENT_OBJECT_SELECTIONWITHIN
	eventName          = 0x800C
	eventValue         = 0x800E
	eventTextSelection = 0x8014
)

// watchedEvents are the ranges that are listened to. Movements are left out:
// there would be no rest.
var watchedEvents = []struct{ first, last uintptr }{
	{eventForeground, eventForeground},
	{eventMenuStart, eventMenuPopupEnd},
	{eventShow, eventHide},
	{eventFocus, eventSelectedMany},
	{eventName, eventName},
	{eventValue, eventValue},
	{eventTextSelection, eventTextSelection},
}

// newsMessage carries an event from the callback to the loop of its thread; the
// event is the first parameter, the window the second.
const newsMessage = 0x8000 // WM_APP

// winEvent is what Windows calls for an event. It knows nothing of who listens:
// Windows calls it on the thread that asked, and so it writes to that thread.
// Callbacks are never freed, so there is one for the process.
var winEvent = sync.OnceValue(func() uintptr {
	return windows.NewCallback(func(_, event, handle, object, _, _, _ uintptr) uintptr {
		if e := uint32(event); (e == eventShow || e == eventHide) && int32(object) != 0 {
			return 0 // carets and other parts, not windows
		}
		callUser32("PostThreadMessageW", uintptr(windows.GetCurrentThreadId()), newsMessage, uintptr(uint32(event)), handle)
		return 0
	})
})

// watch listens to what Windows tells about windows and looks for the rest.
func (d *desktop) watch(ctx context.Context, changed func()) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	warm := &warmCache{uitree.Kept[window]{Lasts: warmTime}}
	d.warm.Store(warm)
	defer d.warm.Store(nil)
	news := newNews()
	ended := make(chan error, 1)
	go func() {
		defer cancel()
		ended <- listen(ctx, &eventListener{warm: warm, tell: news.tell})
	}()
	news.follow(ctx, func(ctx context.Context) bool { d.refresh(ctx, warm); return true }, changed)
	return <-ended
}

// refreshTime is how long reading ahead may take.
const refreshTime = time.Second

// refresh reads the tree of the window in front before it is asked for, if it
// ever was.
func (d *desktop) refresh(ctx context.Context, warm *warmCache) {
	if !warm.Wanted() {
		return
	}
	_, _ = visual{d}.Collect(ctx, nil, facts.Request{}) // who asks later is told what is wrong
}

// eventListener is what the listening thread knows of the desktop.
type eventListener struct {
	warm  *warmCache
	tell  func()
	front windows.HWND
	title string
	clip  uintptr   // counts changes of the clipboard
	asked time.Time // when the tree was last read again for its age
}

// message is one of a thread's queue (MSG).
type message struct {
	window   windows.HWND
	number   uint32
	first    uintptr
	second   uintptr
	time     uint32
	x, y     int32
	internal uint32
}

// listen runs the loop of messages that events come by, until ctx ends.
func listen(ctx context.Context, l *eventListener) error {
	runtime.LockOSThread() // events come to the thread that asked for them
	defer runtime.UnlockOSThread()
	for _, r := range watchedEvents {
		hook := callUser32("SetWinEventHook", r.first, r.last, 0, winEvent(), 0, 0, 0)
		if hook == 0 {
			return facts.Unavailable("Windows does not tell what happens on this desktop", "")
		}
		defer callUser32("UnhookWinEvent", hook)
	}
	thread := uintptr(windows.GetCurrentThreadId())
	stop := context.AfterFunc(ctx, func() { callUser32("PostThreadMessageW", thread, 0, 0, 0) })
	defer stop()
	l.look()
	m := com.Escaped[message]()
	for ctx.Err() == nil {
		const allInput, available = 0x04FF, 4 // QS_ALLINPUT, MWMO_INPUTAVAILABLE
		callUser32("MsgWaitForMultipleObjectsEx", 0, 0, uintptr(pollTime.Milliseconds()), allInput, available)
		for {
			got := callUser32("PeekMessageW", uintptr(unsafe.Pointer(m)), 0, 0, 0, 1)
			if got == 0 {
				break
			}
			if m.number == newsMessage {
				l.hear(m.first, windows.HWND(m.second))
			}
		}
		l.look()
	}
	return nil
}

// hear takes an event. What programs in the background do is no news.
func (l *eventListener) hear(event uintptr, handle windows.HWND) {
	if event == eventForeground {
		l.warm.Drop()
		l.tell()
		return
	}
	const root = 2 // GA_ROOT
	top := callUser32("GetAncestor", uintptr(handle), root)
	menu := event >= eventMenuStart && event <= eventMenuPopupEnd
	if !menu && windows.HWND(top) != windows.GetForegroundWindow() {
		return
	}
	if event == eventValue || event == eventTextSelection {
		l.warm.ForgetTexts()
	} else {
		l.warm.Drop()
	}
	l.tell()
}

// look notices what no event has told.
func (l *eventListener) look() {
	front := windows.GetForegroundWindow()
	title := windowTitle(front)
	clip := callUser32("GetClipboardSequenceNumber")
	if front != l.front || title != l.title {
		l.front, l.title = front, title
		l.warm.Drop()
		l.tell()
	}
	if clip != l.clip {
		l.clip = clip
		l.tell()
	}
	if l.warm.Stale() && time.Since(l.asked) >= warmTime {
		l.asked = time.Now()
		l.tell()
	}
}
