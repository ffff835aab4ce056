package collect

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/process"
	"github.com/pertain-dev/pertain/collect/internal/uia/uiatest"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// openWindow shows a window of this process and brings it to the front. Where
// that is impossible, as without a desktop, the test is skipped.
func openWindow(t *testing.T, title string) windows.HWND {
	t.Helper()
	handle, _ := openThread(t, title)
	return handle
}

// openThread opens a window and gives what runs a function on its thread, as a
// program would: Wine lets a thread that takes no messages miss that somebody
// listens to its events.
func openThread(t *testing.T, title string) (windows.HWND, func(func())) {
	t.Helper()
	opened, over, closed, acts := make(chan windows.HWND), make(chan struct{}), make(chan struct{}), make(chan func())
	go func() {
		defer close(closed)
		runtime.LockOSThread() // a window belongs to the thread that made it
		defer runtime.UnlockOSThread()
		class, _ := windows.UTF16PtrFromString("STATIC")
		name, _ := windows.UTF16PtrFromString(title)
		const overlapped, visible = 0x00CF0000, 0x10000000
		handle := callUser32("CreateWindowExW", 0, uintptr(unsafe.Pointer(class)), uintptr(unsafe.Pointer(name)), overlapped|visible, 10, 10, 300, 200, 0, 0, 0, 0)
		callUser32("SetForegroundWindow", handle)
		opened <- windows.HWND(handle)
		m := com.Escaped[message]()
		for {
			select {
			case <-over:
				callUser32("DestroyWindow", handle)
				return
			case act := <-acts:
				act()
			case <-time.After(5 * time.Millisecond):
			}
			for {
				if got := callUser32("PeekMessageW", uintptr(unsafe.Pointer(m)), 0, 0, 0, 1); got == 0 {
					break
				}
				callUser32("DispatchMessageW", uintptr(unsafe.Pointer(m)))
			}
		}
	}()
	handle := <-opened
	t.Cleanup(func() {
		close(over)
		<-closed
	})
	bringToFront(t, handle)
	return handle, func(act func()) {
		done := make(chan struct{})
		acts <- func() { act(); close(done) }
		<-done
	}
}

// bringToFront waits until a window is in front: the system may have windows of
// its own to show.
func bringToFront(t *testing.T, handle windows.HWND) {
	t.Helper()
	for range 100 {
		if handle != 0 && windows.GetForegroundWindow() == handle {
			return
		}
		callUser32("SetForegroundWindow", uintptr(handle))
		time.Sleep(10 * time.Millisecond)
	}
	t.Skip("no window can be brought to the front here")
}

func TestFrontWindow(t *testing.T) {
	handle := openWindow(t, "Letter to Ann")
	d := newDesktop(Options{})
	w, err := d.front(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if w.handle != handle || w.title != "Letter to Ann" || w.class != "Static" && w.class != "STATIC" || int(w.pid) != os.Getpid() || w.process == "" {
		t.Errorf("%+v", w)
	}
	own, _ := os.Executable()
	if w.process != process.BareName(own) {
		t.Errorf("process %q, want %q", w.process, process.BareName(own))
	}
	for name, private := range map[string]Private{
		"title":   {Titles: []string{"*to ann"}},
		"program": {Applications: []string{strings.ToUpper(w.process)}},
		"class":   {Applications: []string{"static"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := uiatest.New(t, uiatest.Editor())
			d := fakeDesktop(f, Options{Private: private})
			for _, c := range d.collectors() {
				_, err := c.Collect(t.Context(), nil, facts.Request{})
				if c.Info().ID != "browser.devtools" && err == nil {
					t.Errorf("%s reads it", c.Info().ID)
				}
			}
			if dir, err := d.frontDir(t.Context()); err == nil || dir != "" {
				t.Errorf("frontDir reads it: %q", dir)
			}
			if len(f.Calls) > 0 {
				t.Errorf("UI Automation was asked: %v", f.Calls)
			}
		})
	}
}

// TestFrontWindowOfPrivate: a dialog of a private window is private.
func TestFrontWindowOfPrivate(t *testing.T) {
	letter := openWindow(t, "Letter to Ann")
	dialog := openWindow(t, "Find")
	d := newDesktop(Options{Private: Private{Titles: []string{"*to ann"}}})
	if _, err := d.front(t.Context()); err != nil {
		t.Errorf("a window of its own: %v", err)
	}
	const owner = ^uintptr(7) // GWLP_HWNDPARENT, which is -8
	callUser32("SetWindowLongPtrW", uintptr(dialog), owner, uintptr(letter))
	if w, err := d.front(t.Context()); err == nil {
		t.Errorf("%q belongs to a private window", w.title)
	}
	callUser32("SetWindowLongPtrW", uintptr(dialog), owner, 0)
}

// Collect as a user would: everything that is needed, from one gatherer.
func TestGatherOnWindows(t *testing.T) {
	handle := openWindow(t, "Letter to Ann")
	f := uiatest.New(t, uiatest.Editor())
	d := fakeDesktop(f, Options{})
	f.Handle = uintptr(handle)
	var needs facts.Needs
	for _, need := range []string{facts.Visual, "extra.browser", "extra.file_manager", selectedText} {
		needs.Add(need)
	}
	f.Focus = f.Window.Children[2]
	got, err := facts.NewGatherer(d.collectors()...).Gather(t.Context(), needs, facts.Parts{Values: facts.Fields()}, 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Diagnostics) > 0 {
		t.Errorf("%v", got.Diagnostics)
	}
	if tree := got.Snapshot.Tree(); tree == nil || tree.Len() != 20 {
		t.Errorf("no tree")
	}
	if text := facts.Item(got.Snapshot.Values(), selectedText).Text(); text != "all" {
		t.Errorf("selected %q", text)
	}
	d.close()
}

// Without UI Automation, as under Wine, it is said so and nothing fails.
func TestNoAutomation(t *testing.T) {
	openWindow(t, "Letter to Ann")
	d := newDesktop(Options{})
	part, err := visual{d}.Collect(t.Context(), nil, facts.Request{})
	var why *facts.CollectError
	switch {
	case err == nil && part.Tree != nil && part.Tree.Len() > 0:
		t.Log("this Windows has UI Automation, and it answers")
	case !errors.As(err, &why) || why.Code == diag.ExtraProviderFailed:
		t.Errorf("%v", err)
	}
}

// The watch tells of a window that comes to the front, of what happens in it and
// of the clipboard, and of nothing else.
func TestWatchWindows(t *testing.T) {
	handle, onThread := openThread(t, "first")
	d := fakeDesktop(uiatest.New(t, uiatest.Editor()), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	news := make(chan struct{}, 64)
	ended := make(chan error, 1)
	go func() {
		ended <- d.watch(ctx, func() { news <- struct{}{} })
	}()
	rest := func() { // until nothing has been told for a while
		for {
			select {
			case <-news:
			case <-time.After(2*pollTime + 100*time.Millisecond):
				return
			}
		}
	}
	wait := func(what string, act func()) {
		t.Helper()
		for range 5 { // a window of the system may come to the front in between
			bringToFront(t, handle)
			rest()
			act()
			select {
			case <-news:
				return
			case <-time.After(3 * time.Second):
			}
		}
		t.Errorf("not told: %s", what)
	}
	wait("a title", func() {
		name, _ := windows.UTF16PtrFromString(time.Now().String()) // another one each time
		callUser32("SetWindowTextW", uintptr(handle), uintptr(unsafe.Pointer(name)))
	})
	focus := func(handle windows.HWND) {
		onThread(func() { callUser32("NotifyWinEvent", eventFocus, uintptr(handle), 0xFFFFFFFC, 0) })
	}
	wait("the focus", func() { focus(handle) })
	wait("the clipboard", func() { copyText(t, "copied") })
	other := windows.HWND(0)
	wait("another window", func() { other = openWindow(t, "third") })
	bringToFront(t, handle)
	rest()
	focus(other)
	select {
	case <-news:
		if windows.GetForegroundWindow() == handle {
			t.Error("a window in the background was told of")
		}
	case <-time.After(2 * pollTime):
	}
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the watch does not end")
	}
	if d.warm.Load() != nil {
		t.Error("something is kept after the watch")
	}
}

// copyText puts a text on the clipboard.
func copyText(t *testing.T, text string, marks ...mark) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	units := windows.StringToUTF16(text)
	for callUser32("OpenClipboard", 0) == 0 {
		if !sleep(t.Context(), 5*time.Millisecond) {
			t.Fatal("the clipboard is not free")
		}
	}
	defer callUser32("CloseClipboard")
	callUser32("EmptyClipboard")
	put := func(format uintptr, data []byte) {
		kernel := windows.NewLazySystemDLL("kernel32.dll")
		memory, _, _ := kernel.NewProc("GlobalAlloc").Call(2, uintptr(len(data))) // GMEM_MOVEABLE
		at, _, _ := kernel.NewProc("GlobalLock").Call(memory)
		copy(unsafe.Slice(uiatest.Address[byte](at), len(data)), data)
		_, _, _ = kernel.NewProc("GlobalUnlock").Call(memory)
		if callUser32("SetClipboardData", format, memory) == 0 {
			t.Skip("there is no clipboard here")
		}
	}
	const unicodeText = 13 // CF_UNICODETEXT
	put(unicodeText, unsafe.Slice((*byte)(unsafe.Pointer(&units[0])), len(units)*2))
	for _, m := range marks {
		name, _ := windows.UTF16PtrFromString(m.format)
		put(callUser32("RegisterClipboardFormatW", uintptr(unsafe.Pointer(name))), []byte{m.value, 0, 0, 0})
	}
}

// mark is what password managers add.
type mark struct {
	format string
	value  byte
}

// What a password manager has copied is there, and is not read.
func TestClipboardSecrets(t *testing.T) {
	openWindow(t, "first")
	for name, test := range map[string]struct {
		marks []mark
		read  bool
	}{
		"excluded":        {[]mark{{"ExcludeClipboardContentFromMonitorProcessing", 1}}, false},
		"ignored":         {[]mark{{"Clipboard Viewer Ignore", 1}}, false},
		"not for history": {[]mark{{"CanIncludeInClipboardHistory", 0}}, false},
		"for history":     {[]mark{{"CanIncludeInClipboardHistory", 1}}, true},
		"no mark":         {nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			copyText(t, "hunter2", test.marks...)
			var needs facts.Needs
			needs.Add("clipboard.text")
			needs.Add("clipboard.hasText")
			part, err := clipboardReader{newDesktop(Options{})}.Collect(t.Context(), nil, facts.Request{Needs: needs})
			if err != nil {
				t.Fatal(err)
			}
			if got := !facts.Item(part.Values, "clipboard.text").IsAbsent(); got != test.read || !facts.Item(part.Values, "clipboard.hasText").Bool() {
				t.Errorf("read: %v", got)
			}
		})
	}
}

func TestClipboardOnWindows(t *testing.T) {
	openWindow(t, "first")
	copyText(t, "grüße, 日本")
	var needs facts.Needs
	for _, need := range []string{"clipboard.text", "clipboard.hasText", "clipboard.hasImage", "clipboard.files"} {
		needs.Add(need)
	}
	part, err := clipboardReader{newDesktop(Options{})}.Collect(t.Context(), nil, facts.Request{Needs: needs})
	if err != nil {
		t.Fatal(err)
	}
	values := part.Values
	if facts.Item(values, "clipboard.text").Text() != "grüße, 日本" || !facts.Item(values, "clipboard.hasText").Bool() ||
		facts.Item(values, "clipboard.hasImage").Bool() || len(facts.Item(values, "clipboard.files").Items()) != 0 {
		t.Errorf("%v", slices.Collect(func(yield func(string) bool) {
			for _, f := range values.Field("clipboard").Fields() {
				if !yield(f.Name) {
					return
				}
			}
		}))
	}
}
