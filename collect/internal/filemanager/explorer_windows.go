package filemanager

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/go-ole/go-ole"
	"github.com/go-ole/go-ole/oleutil"
	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Classes of Explorer's windows.
const (
	explorerClass    = "CabinetWClass"
	oldExplorerClass = "ExploreWClass"
)

// IsExplorer tells whether a window of this class is one of Explorer's.
func IsExplorer(class string) bool { return class == explorerClass || class == oldExplorerClass }

// Explorer makes the object extra.file_manager of a window of Explorer.
func Explorer(ctx context.Context, window windows.HWND) (facts.Part, error) {
	runtime.LockOSThread() // COM objects belong to their thread
	defer runtime.UnlockOSThread()
	if err := ole.CoInitializeEx(0, ole.COINIT_APARTMENTTHREADED); err != nil && !com.AlreadyDone(err) {
		return facts.Part{}, comFailed(err)
	}
	defer ole.CoUninitialize()
	shell, err := openShell()
	if err != nil {
		return facts.Part{}, comFailed(err)
	}
	defer shell.Release()
	// The tab in front is the one on top.
	view, err := shellView(shell, window, frontTab(window))
	if err != nil {
		return facts.Part{}, comFailed(err)
	}
	defer view.Release()
	return describeView(ctx, view)
}

// frontTab is the tab of a window that is on top; 0: it has no tabs.
func frontTab(window windows.HWND) windows.HWND {
	class, err := windows.UTF16PtrFromString(tabClass)
	if err != nil {
		return 0
	}
	tab, _, _ := windows.NewLazySystemDLL("user32.dll").NewProc("FindWindowExW").Call(uintptr(window), 0, uintptr(unsafe.Pointer(class)), 0)
	return windows.HWND(tab)
}

func comFailed(err error) error {
	return &facts.CollectError{Code: diag.ExtraProviderFailed, Reason: "the Windows shell did not tell about its window", Err: err}
}

// get reads a property that is an object. The caller releases it.
func get(object *ole.IDispatch, name string) (*ole.IDispatch, error) {
	v, err := oleutil.GetProperty(object, name)
	if err != nil {
		return nil, err
	}
	if d := v.ToIDispatch(); d != nil {
		return d, nil
	}
	_ = v.Clear()
	return nil, fmt.Errorf("%s is no object", name)
}

// call is get for a method.
func call(object *ole.IDispatch, name string, args ...any) (*ole.IDispatch, error) {
	v, err := oleutil.CallMethod(object, name, args...)
	if err != nil {
		return nil, err
	}
	if d := v.ToIDispatch(); d != nil {
		return d, nil
	}
	_ = v.Clear()
	return nil, fmt.Errorf("%s gave no object", name)
}

// value reads a property that is a plain value; nil if there is none.
func value(object *ole.IDispatch, name string) any {
	v, err := oleutil.GetProperty(object, name)
	if err != nil {
		return nil
	}
	defer v.Clear() //nolint:errcheck // the value was copied
	return v.Value()
}

func textOf(object *ole.IDispatch, name string) string {
	s, _ := value(object, name).(string)
	return s
}

// tabClass is a tab in a window of Explorer, since Windows 11.
const tabClass = "ShellTabWindowClass"

// openShell is the object that knows the shell's windows.
func openShell() (*ole.IDispatch, error) {
	unknown, err := oleutil.CreateObject("Shell.Application")
	if err != nil {
		return nil, err
	}
	defer unknown.Release()
	return unknown.QueryInterface(ole.IID_IDispatch)
}

// shellView finds the view of a window. The tabs of a window share its handle;
// tab is the one in front, or 0 where there are none.
func shellView(shell *ole.IDispatch, handle, tab windows.HWND) (*ole.IDispatch, error) {
	all, err := call(shell, "Windows")
	if err != nil {
		return nil, err
	}
	defer all.Release()
	for i := range number(value(all, "Count")) {
		item, err := call(all, "Item", int32(i))
		if err != nil {
			continue
		}
		view, ok := viewIn(item, handle, tab)
		item.Release()
		if ok {
			return view, nil
		}
	}
	return nil, errors.New("no view has this window")
}

// viewIn is the view of an item of the shell's windows, if it is that of a
// window and, where the window has tabs, of its tab in front.
func viewIn(item *ole.IDispatch, handle, tab windows.HWND) (*ole.IDispatch, bool) {
	// Handles have 32 bits that count, and the shell tells them with a sign.
	own := uint32(number(value(item, "HWND")))
	if own != uint32(handle) && (tab == 0 || own != uint32(tab)) {
		return nil, false
	}
	if tab != 0 {
		if shown, ok := shellWindow(item); ok && uint32(shown) != uint32(tab) {
			return nil, false
		}
	}
	view, err := get(item, "Document")
	return view, err == nil
}

// Interfaces of the shell (servprov.h, ShObjIdl.h).
var (
	iidServiceProvider = ole.NewGUID("{6D5140C1-7436-11CE-8034-00AA006009FA}") // IServiceProvider
	iidShellBrowser    = ole.NewGUID("{000214E2-0000-0000-C000-000000000046}") // IShellBrowser, and the service of that name
)

// shellWindow is the window that an item of the shell's windows draws in.
func shellWindow(item *ole.IDispatch) (windows.HWND, bool) {
	const slotQueryService, slotGetWindow = 3, 3 // IServiceProvider, IOleWindow
	services, err := (*com.Object)(unsafe.Pointer(item)).Query(iidServiceProvider)
	if err != nil || services == nil {
		return 0, false
	}
	defer services.Release()
	id := com.Escaped[ole.GUID]()
	*id = *iidShellBrowser
	browser, err := services.Object(slotQueryService, uintptr(unsafe.Pointer(id)), uintptr(unsafe.Pointer(id)))
	runtime.KeepAlive(id)
	if err != nil || browser == nil {
		return 0, false
	}
	defer browser.Release()
	handle, err := com.ResultOf[windows.HWND](browser, slotGetWindow)
	return handle, err == nil && handle != 0
}

func number(v any) int64 {
	switch n := v.(type) {
	case int32:
		return int64(n)
	case int64:
		return n
	case uint32:
		return int64(n)
	case float64:
		return int64(n)
	}
	return 0
}

// selectReserve is the time that is left for the answer when items of a long
// selection are no longer read.
const selectReserve = 15 * time.Millisecond

// describeView makes the object extra.file_manager of a view. Folders that are
// not on disk, such as the recycle bin, and their items have no path. Of a
// selection that is too long for the time, the rest is counted.
func describeView(ctx context.Context, view *ole.IDispatch) (facts.Part, error) {
	var fields []facts.Field
	folder, err := get(view, "Folder")
	if err != nil {
		return facts.Part{}, comFailed(err)
	}
	defer folder.Release()
	if self, err := get(folder, "Self"); err == nil {
		if onDisk, _ := value(self, "IsFileSystem").(bool); onDisk {
			fields = append(fields, FolderField(textOf(self, "Path"), textOf(self, "Name")))
		}
		self.Release()
	}
	selected, err := call(view, "SelectedItems")
	if err != nil {
		return facts.Part{}, comFailed(err)
	}
	defer selected.Release()
	count := number(value(selected, "Count"))
	items := make([]facts.Value, 0, count)
	deadline, limited := ctx.Deadline()
	for i := range count {
		if limited && time.Until(deadline) < selectReserve {
			items = append(items, facts.Fields())
			continue
		}
		item, err := call(selected, "Item", int32(i))
		if err != nil {
			items = append(items, facts.Fields())
			continue
		}
		path := ""
		if onDisk, _ := value(item, "IsFileSystem").(bool); onDisk {
			path = textOf(item, "Path")
		}
		items = append(items, ItemAt(path, textOf(item, "Name")))
		item.Release()
	}
	fields = append(fields, SelectionField(items))
	part := facts.Part{}.With("extra.file_manager", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.file_manager": fmt.Sprintf("%d selected", count)}
	return part, nil
}
