package filemanager

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/go-ole/go-ole"
	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/uia/uiatest"
	"github.com/pertain-dev/pertain/facts"
)

// shellObject is a fake of one of the shell's scripting objects (IDispatch),
// which is its own service provider and its own browser.
type shellObject struct {
	table      *[16]uintptr
	shell      *fakeShell
	refs       int
	properties map[string]any // what properties and methods give: bool, int32, string, *shellObject
	items      []*shellObject // of a collection
	window     windows.HWND   // it draws in; 0: it does not say
}

// fakeShell counts what is alive.
type fakeShell struct {
	objects, services *[16]uintptr // tables of methods
	mu                sync.Mutex
	refs              int
	bad               []string
	kept              []*shellObject // what only the shell's callers know of, for Go's memory
}

func newFakeShell() *fakeShell { return &fakeShell{objects: shellTable(), services: serviceTable()} }

// shellNames number the properties, for all objects alike.
var shellNames = []string{"Windows", "Count", "Item", "HWND", "Document", "Folder", "Self", "IsFileSystem", "Path", "Name", "SelectedItems"}

// shellTable is the methods of IDispatch.
var shellTable = sync.OnceValue(func() *[16]uintptr {
	return &[16]uintptr{
		windows.NewCallback(func(o *shellObject, iid *ole.GUID, out **shellObject) uintptr {
			if ole.IsEqualGUID(iid, iidServiceProvider) && o.window != 0 {
				*out = o.service()
				return 0
			}
			*out = nil
			return uiatest.NoInterface
		}),
		windows.NewCallback(func(o *shellObject) uintptr { return o.count(1) }),
		windows.NewCallback(func(o *shellObject) uintptr { return o.count(-1) }),
		windows.NewCallback(func(*shellObject) uintptr { return uiatest.NotImpl }), // GetTypeInfoCount
		windows.NewCallback(func(*shellObject) uintptr { return uiatest.NotImpl }), // GetTypeInfo
		windows.NewCallback(func(_ *shellObject, _, names, _, _ uintptr, id *int32) uintptr {
			name := windows.UTF16PtrToString(*uiatest.Address[*uint16](names))
			for i, n := range shellNames {
				if n == name {
					*id = int32(i)
					return 0
				}
			}
			return 0x80020006 // DISP_E_UNKNOWNNAME
		}),
		windows.NewCallback(func(o *shellObject, id, _, _, _ uintptr, arguments *struct {
			list  *ole.VARIANT
			named uintptr
			count uint32
		}, out *ole.VARIANT, _, _ uintptr,
		) uintptr {
			name := shellNames[int32(id)]
			value, ok := o.properties[name]
			switch {
			case name == "Count" && o.items != nil:
				value = int32(len(o.items))
			case name == "Item" && o.items != nil && arguments.count == 1:
				value = o.items[arguments.list.Val]
			case !ok:
				return 0x80020003 // DISP_E_MEMBERNOTFOUND
			}
			switch m := value.(type) {
			case int32:
				*out = ole.NewVariant(ole.VT_I4, int64(m))
			case bool:
				*out = ole.NewVariant(ole.VT_BOOL, map[bool]int64{true: 0xFFFF}[m])
			case string:
				*out = ole.NewVariant(ole.VT_BSTR, int64(uintptr(unsafe.Pointer(ole.SysAllocStringLen(m)))))
			case *shellObject:
				m.count(1)
				*out = ole.NewVariant(ole.VT_DISPATCH, int64(uintptr(unsafe.Pointer(m))))
			}
			return 0
		}),
	}
})

// serviceTable is IServiceProvider and IShellBrowser in one: the first method of
// both is in the same slot. A browser has properties.
var serviceTable = sync.OnceValue(func() *[16]uintptr {
	table := *shellTable()
	table[3] = windows.NewCallback(func(o *shellObject, service, iid, out uintptr) uintptr {
		if o.properties != nil { // IOleWindow.GetWindow
			*uiatest.Address[windows.HWND](service) = o.window
			return 0
		}
		if !ole.IsEqualGUID(uiatest.Address[ole.GUID](service), iidShellBrowser) || !ole.IsEqualGUID(uiatest.Address[ole.GUID](iid), iidShellBrowser) {
			return uiatest.NoInterface
		}
		browser := o.service()
		browser.properties = map[string]any{}
		*uiatest.Address[*shellObject](out) = browser
		return 0
	})
	return &table
})

func (o *shellObject) service() *shellObject {
	s := &shellObject{table: o.shell.services, shell: o.shell, window: o.window}
	s.count(1)
	o.shell.mu.Lock()
	defer o.shell.mu.Unlock()
	o.shell.kept = append(o.shell.kept, s)
	return s
}

func (o *shellObject) count(by int) uintptr {
	o.shell.mu.Lock()
	defer o.shell.mu.Unlock()
	o.refs += by
	o.shell.refs += by
	if o.refs < 0 {
		o.shell.bad = append(o.shell.bad, "released once too often")
	}
	return uintptr(o.refs)
}

func (f *fakeShell) object(properties map[string]any, items ...*shellObject) *shellObject {
	return &shellObject{table: f.objects, shell: f, properties: properties, items: items}
}

func (f *fakeShell) list(items ...*shellObject) *shellObject {
	o := f.object(map[string]any{}, items...)
	if items == nil {
		o.properties["Count"] = int32(0)
	}
	return o
}

func (f *fakeShell) item(path, name string, onDisk bool) *shellObject {
	return f.object(map[string]any{"Path": path, "Name": name, "IsFileSystem": onDisk})
}

// explorerWindow is one with a folder and a selection; tab is 0 before Windows 11.
func (f *fakeShell) explorerWindow(handle int32, tab windows.HWND, folder *shellObject, selected ...*shellObject) *shellObject {
	view := f.object(map[string]any{"Folder": f.object(map[string]any{"Self": folder}), "SelectedItems": f.list(selected...)})
	o := f.object(map[string]any{"HWND": handle, "Document": view})
	o.window = tab
	return o
}

func (o *shellObject) dispatch() *ole.IDispatch { return (*ole.IDispatch)(unsafe.Pointer(o)) }

func TestExplorerViews(t *testing.T) {
	dir := tempDir(t)
	for name, size := range map[string]int{"a.pdf": 5, "b": 0} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	f := newFakeShell()
	folder := f.item(dir, "Work", true)
	elsewhere := f.item(`C:\elsewhere`, "elsewhere", true)
	bin := f.item("::{645FF040-5081-101B-9F08-00AA002F954E}", "Recycle Bin", false)
	all := f.list(
		f.explorerWindow(5, 0, elsewhere),
		f.explorerWindow(7, 70, elsewhere),
		f.explorerWindow(7, 71, folder, f.item(filepath.Join(dir, "a.pdf"), "a", true), f.item(filepath.Join(dir, "sub"), "sub", true), f.item("::{x}", "gone.txt", false)),
		f.explorerWindow(-9, 0, bin),
		f.object(map[string]any{"HWND": int32(11)}),
	)
	shell := f.object(map[string]any{"Windows": all})
	for name, test := range map[string]struct {
		handle, tab windows.HWND
		folder      string
		kinds       []string
	}{
		"tab in front":  {7, 71, dir, []string{"file", "folder", "virtual"}},
		"other tab":     {7, 70, `C:\elsewhere`, nil},
		"without tabs":  {5, 0, `C:\elsewhere`, nil},
		"not on disk":   {0xFFFFFFF7, 0, "", nil},
		"no view in it": {11, 0, "-", nil},
		"unknown":       {99, 0, "-", nil},
	} {
		t.Run(name, func(t *testing.T) {
			view, err := shellView(shell.dispatch(), test.handle, test.tab)
			if test.folder == "-" {
				if err == nil {
					t.Error("a view was found")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer view.Release()
			part, err := describeView(t.Context(), view)
			if err != nil {
				t.Fatal(err)
			}
			manager := part.Values.Field("extra").Field("file_manager")
			if got := manager.Field("current_folder").Field("path").Text(); got != test.folder {
				t.Errorf("folder %q", got)
			}
			items := manager.Field("selection").Field("items").Items()
			if len(items) != len(test.kinds) {
				t.Fatalf("%d items", len(items))
			}
			for i, item := range items {
				kind := item.Field("kind").Text()
				if kind != test.kinds[i] || item.Field("path").IsAbsent() != (kind == "virtual") {
					t.Errorf("item %d: %s", i, kind)
				}
			}
			if len(items) > 0 && (items[0].Field("size").Number() != 5 || items[0].Field("extension").Text() != ".pdf" || items[0].Field("displayName").Text() != "a") {
				t.Error("the file is not described")
			}
		})
	}
	// Of a selection that there is no time for, the rest is counted.
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	view, err := shellView(shell.dispatch(), 7, 71)
	if err != nil {
		t.Fatal(err)
	}
	part, err := describeView(ctx, view)
	view.Release()
	if items := facts.Item(part.Values, "extra.file_manager.selection.items").Items(); err != nil || len(items) != 3 || len(items[0].Fields()) != 0 {
		t.Errorf("%d items, %v", len(items), err)
	}
	if f.refs != 0 || len(f.bad) > 0 {
		t.Errorf("%d references were not given back; %v", f.refs, f.bad)
	}
	runtime.KeepAlive(shell)
}

// tempDir is t.TempDir without a failure where it cannot be removed: Wine does
// not know the call that Go removes files with.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pertain") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
