package collect

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/go-ole/go-ole"
	"github.com/go-ole/go-ole/oleutil"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// explorer reads the folder and the selection of the Explorer window in front
// through the shell's COM objects (MS §9).
type explorer struct{ *desktop }

func (explorer) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "windows.explorer", Serves: []string{"extra.file_manager"}}
}

func (explorer) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

// Classes of Explorer's windows.
const (
	explorerClass    = "CabinetWClass"
	oldExplorerClass = "ExploreWClass"
)

func (e explorer) Collect(_ context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	w, ok, err := e.front()
	if err != nil {
		return facts.Part{}, err
	}
	if !ok || w.class != explorerClass && w.class != oldExplorerClass {
		return facts.Part{}.With("extra.file_manager", facts.Value{}), nil
	}
	runtime.LockOSThread() // COM objects belong to their thread
	defer runtime.UnlockOSThread()
	if err := ole.CoInitializeEx(0, ole.COINIT_APARTMENTTHREADED); err != nil && !alreadyDone(err) {
		return facts.Part{}, comFailed(err)
	}
	defer ole.CoUninitialize()
	view, err := shellView(w)
	if err != nil {
		return facts.Part{}, comFailed(err)
	}
	defer view.Release()
	return describeView(view)
}

// alreadyDone tells that COM was ready on this thread before (S_FALSE).
func alreadyDone(err error) bool {
	var code *ole.OleError
	return errors.As(err, &code) && code.Code() == 1
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

// shellView finds the view of the window in front. The tabs of a window share
// its handle; the one whose name is in the title is in front.
func shellView(w window) (*ole.IDispatch, error) {
	unknown, err := oleutil.CreateObject("Shell.Application")
	if err != nil {
		return nil, err
	}
	defer unknown.Release()
	shell, err := unknown.QueryInterface(ole.IID_IDispatch)
	if err != nil {
		return nil, err
	}
	defer shell.Release()
	all, err := call(shell, "Windows")
	if err != nil {
		return nil, err
	}
	defer all.Release()
	var best *ole.IDispatch
	for i := range number(value(all, "Count")) {
		item, err := call(all, "Item", int32(i))
		if err != nil {
			continue
		}
		if number(value(item, "HWND")) == int64(w.handle) {
			named := strings.HasPrefix(w.title, textOf(item, "LocationName"))
			if view, err := get(item, "Document"); err == nil {
				if best == nil || named {
					if best != nil {
						best.Release()
					}
					best = view
				} else {
					view.Release()
				}
			}
		}
		item.Release()
	}
	if best == nil {
		return nil, errors.New("no view has this window")
	}
	return best, nil
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

// describeView makes the object extra.file_manager of a view. Folders that are
// not on disk, such as the recycle bin, and their items have no path.
func describeView(view *ole.IDispatch) (facts.Part, error) {
	var fields []facts.Field
	folder, err := get(view, "Folder")
	if err != nil {
		return facts.Part{}, comFailed(err)
	}
	defer folder.Release()
	if self, err := get(folder, "Self"); err == nil {
		if onDisk, _ := value(self, "IsFileSystem").(bool); onDisk {
			fields = append(fields, folderField(textOf(self, "Path"), textOf(self, "Name")))
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
	for i := range count {
		item, err := call(selected, "Item", int32(i))
		if err != nil {
			items = append(items, facts.Fields())
			continue
		}
		path := ""
		if onDisk, _ := value(item, "IsFileSystem").(bool); onDisk {
			path = textOf(item, "Path")
		}
		items = append(items, itemAt(path, textOf(item, "Name")))
		item.Release()
	}
	fields = append(fields, selectionField(items))
	part := facts.Part{}.With("extra.file_manager", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.file_manager": fmt.Sprintf("%d selected", count)}
	return part, nil
}
