package uiatest

import (
	"unsafe"

	"github.com/go-ole/go-ole"
	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/uia/api"
)

// NewNode is an element with a control type, a name and the elements in it.
func NewNode(control int32, name string, children ...*Node) *Node {
	return &Node{control: control, name: name, Children: children, properties: map[api.Property]any{}}
}

// With gives the element a property.
func (n *Node) With(p api.Property, value any) *Node {
	n.properties[p] = value
	return n
}

// Says gives the element the text pattern, with a text and what is selected in it.
func (n *Node) Says(text string, selected ...string) *Node {
	n.text, n.selected = &text, selected
	return n
}

// Editor is a window with one of everything that matters.
func Editor() *Node {
	return NewNode(50032, "Letter - Editor",
		NewNode(50037, ""),
		NewNode(50010, "Menu", NewNode(50011, "File", NewNode(50011, "hidden")).With(api.PropertyIsOffscreen, true)),
		NewNode(50004, "Text").Says("Dear all", "all").With(api.PropertyHasFocus, true).With(api.PropertyHasValue, true).With(api.PropertyValueReadOnly, false).
			With(api.PropertyBounds, []float64{10, 20, 300, 400}),
		NewNode(50004, "Secret").Says("hunter2").With(api.PropertyIsPassword, true).With(api.PropertyHasValue, true).With(api.PropertyValue, "hunter2"),
		NewNode(50004, "Path").With(api.PropertyHasValue, true).With(api.PropertyValue, `C:\letters`),
		NewNode(50008, "Files",
			NewNode(50007, " a.txt ").With(api.PropertyIsSelected, true),
			NewNode(50007, "b.txt").With(api.PropertyIsEnabled, false)),
		NewNode(50025, "Own", NewNode(50027, "grip"), NewNode(50000, "OK")),
		NewNode(50036, "Grid", NewNode(50029, "row", NewNode(50029, "cell"))),
		NewNode(50014, "Bar", NewNode(50027, "handle")),
		NewNode(50020, "Ready"),
		NewNode(49999, "Odd"),
	).With(api.PropertyBounds, []float64{0, 0, 800, 600})
}

func (n *Node) first(accept func(*Node) bool) *Node {
	for _, c := range n.Children {
		if accept(c) {
			return c
		}
		if found := c.first(accept); found != nil {
			return found
		}
	}
	return nil
}

// property is what an element says; the defaults are those of UI Automation.
func (n *Node) property(p api.Property) any {
	if v, ok := n.properties[p]; ok {
		return v
	}
	switch p {
	case api.PropertyControlType:
		return n.control
	case api.PropertyName:
		return n.name
	case api.PropertyIsEnabled, api.PropertyValueReadOnly:
		return true
	case api.PropertyHasTextPattern:
		return n.text != nil
	case api.PropertyProcessID:
		return int32(4711)
	case api.PropertyRuntimeID:
		return []int32{42, int32(uintptr(unsafe.Pointer(n)) & 0x7fffffff)}
	case api.PropertyBounds:
		return []float64{0, 0, 0, 0}
	case api.PropertyValue, api.PropertyClassName, api.PropertyAutomationID:
		return ""
	default:
		return false
	}
}

// write makes a VARIANT of a property.
func (n *Node) write(p api.Property, out uintptr) uintptr {
	v := Address[ole.VARIANT](out)
	switch value := n.property(p).(type) {
	case bool:
		*v = ole.NewVariant(ole.VT_BOOL, 0)
		if value {
			v.Val = 0xFFFF
		}
	case int32:
		*v = ole.NewVariant(ole.VT_I4, int64(value))
	case string:
		*v = ole.NewVariant(ole.VT_BSTR, int64(uintptr(unsafe.Pointer(ole.SysAllocStringLen(value)))))
	case []int32:
		*v = ole.NewVariant(ole.VT_ARRAY|ole.VT_I4, int64(safeArray(ole.VT_I4, unsafe.Pointer(&value[0]), len(value), 4)))
	case []float64:
		*v = ole.NewVariant(ole.VT_ARRAY|ole.VT_R8, int64(safeArray(ole.VT_R8, unsafe.Pointer(&value[0]), len(value), 8)))
	case com.ResultError:
		return uintptr(value)
	}
	return 0
}

// safeArray is a new SAFEARRAY with numbers, which the caller destroys.
func safeArray(kind ole.VT, from unsafe.Pointer, count, size int) uintptr {
	library := windows.NewLazySystemDLL("oleaut32.dll")
	array, _, _ := library.NewProc("SafeArrayCreateVector").Call(uintptr(kind), 0, uintptr(count))
	var data uintptr
	_, _, _ = library.NewProc("SafeArrayAccessData").Call(array, uintptr(unsafe.Pointer(&data)))
	copy(unsafe.Slice(Address[byte](data), count*size), unsafe.Slice((*byte)(from), count*size))
	_, _, _ = library.NewProc("SafeArrayUnaccessData").Call(array)
	return array
}
