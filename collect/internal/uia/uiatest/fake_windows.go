// Package uiatest is a fake of UI Automation for tests: a program with one window,
// with the same COM tables as Windows has.
//
//	NewNode, Editor → New → Automation.Open → uia.NewClient
package uiatest

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/go-ole/go-ole"
	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/uia/api"
)

// The methods of UI Automation's interfaces in the order of
// UIAutomationClient.idl, after those of IUnknown. The fake's tables are made of
// these lists and not of the numbers in package api, so that a wrong
// number there ends in a method that is not expected.
const (
	unknownMethods = "QueryInterface AddRef Release "

	automationMethods = unknownMethods + `CompareElements CompareRuntimeIds GetRootElement ElementFromHandle ElementFromPoint GetFocusedElement
		GetRootElementBuildCache ElementFromHandleBuildCache ElementFromPointBuildCache GetFocusedElementBuildCache CreateTreeWalker
		get_ControlViewWalker get_ContentViewWalker get_RawViewWalker get_RawViewCondition get_ControlViewCondition get_ContentViewCondition
		CreateCacheRequest CreateTrueCondition CreateFalseCondition CreatePropertyCondition CreatePropertyConditionEx CreateAndCondition
		CreateAndConditionFromArray CreateAndConditionFromNativeArray CreateOrCondition CreateOrConditionFromArray CreateOrConditionFromNativeArray
		CreateNotCondition AddAutomationEventHandler RemoveAutomationEventHandler AddPropertyChangedEventHandlerNativeArray
		AddPropertyChangedEventHandler RemovePropertyChangedEventHandler AddStructureChangedEventHandler RemoveStructureChangedEventHandler
		AddFocusChangedEventHandler RemoveFocusChangedEventHandler RemoveAllEventHandlers IntNativeArrayToSafeArray IntSafeArrayToNativeArray
		RectToVariant VariantToRect SafeArrayToRectNativeArray CreateProxyFactoryEntry get_ProxyFactoryMapping GetPropertyProgrammaticName
		GetPatternProgrammaticName PollForPotentialSupportedPatterns PollForPotentialSupportedProperties CheckNotSupported
		get_ReservedNotSupportedValue get_ReservedMixedAttributeValue ElementFromIAccessible ElementFromIAccessibleBuildCache
		get_AutoSetFocus put_AutoSetFocus get_ConnectionTimeout put_ConnectionTimeout get_TransactionTimeout put_TransactionTimeout`

	elementMethods = unknownMethods + `SetFocus GetRuntimeId FindFirst FindAll FindFirstBuildCache FindAllBuildCache BuildUpdatedCache
		GetCurrentPropertyValue GetCurrentPropertyValueEx GetCachedPropertyValue GetCachedPropertyValueEx GetCurrentPatternAs GetCachedPatternAs
		GetCurrentPattern GetCachedPattern GetCachedParent GetCachedChildren get_CurrentProcessId get_CurrentControlType`

	requestMethods = unknownMethods + `AddProperty AddPattern Clone get_TreeScope put_TreeScope get_TreeFilter put_TreeFilter
		get_AutomationElementMode put_AutomationElementMode`
	arrayMethods  = unknownMethods + `get_Length GetElement`
	walkerMethods = unknownMethods + `GetParentElement GetFirstChildElement GetLastChildElement GetNextSiblingElement GetPreviousSiblingElement
		NormalizeElement GetParentElementBuildCache GetFirstChildElementBuildCache`
	textMethods  = unknownMethods + `RangeFromPoint RangeFromChild GetSelection GetVisibleRanges get_DocumentRange get_SupportedTextSelection`
	rangeMethods = unknownMethods + `Clone Compare CompareEndpoints ExpandToEnclosingUnit FindAttribute FindText GetAttributeValue
		GetBoundingRectangles GetEnclosingElement GetText Move MoveEndpointByUnit MoveEndpointByRange Select AddToSelection RemoveFromSelection
		ScrollIntoView GetChildren`
	valueMethods     = unknownMethods + `SetValue get_CurrentValue get_CurrentIsReadOnly get_CachedValue get_CachedIsReadOnly`
	conditionMethods = unknownMethods
)

// Node is an element of a fake program.
type Node struct {
	control    int32
	name       string
	properties map[api.Property]any // bool, string, []int32, []float64, int32; what is missing has UI Automation's default
	text       *string              // has the text pattern
	selected   []string             // what is selected in it
	Children   []*Node
	Hang       <-chan struct{} // asking for its children blocks until this ends
	parent     *Node
}

// Automation is a fake of UI Automation, and of a program with one window.
type Automation struct {
	t          testing.TB
	tables     map[string]*[128]uintptr
	Window     *Node
	Handle     uintptr // of the window
	Focus      *Node
	Failure    com.ResultError // of requests for the window; 0: none
	HangWhole  <-chan struct{} // the request for everything blocks until this ends
	NoCache2   bool            // there is no IUIAutomation2
	mu         sync.Mutex
	live       map[*object]string
	Calls      map[string]int
	unexpected []string
	Limits     map[string]uintptr
}

// object is a COM object in Go's memory: its table comes first. Objects are
// kept by the fake as long as somebody has a reference.
type object struct {
	table  *[128]uintptr
	refs   int
	fake   *Automation
	node   *Node
	list   []*object // of an array; not counted
	scope  api.Scope // of a request
	wanted map[api.Property]bool
	text   string
	accept func(*Node) bool // of a condition
	cached *object          // the request that brought an element
}

const (
	NoInterface = 0x80004002 // E_NOINTERFACE
	NotImpl     = 0x80004001 // E_NOTIMPL
	invalidArg  = 0x80070057 // E_INVALIDARG
)

type method func(o *object, a, b, c, d uintptr) uintptr

// tables are made once: Windows never frees callbacks.
var tables = sync.OnceValue(func() map[string]*[128]uintptr {
	tables := map[string]*[128]uintptr{}
	for name, methods := range map[string]string{
		"automation": automationMethods, "element": elementMethods, "request": requestMethods, "array": arrayMethods,
		"walker": walkerMethods, "text": textMethods, "range": rangeMethods, "value": valueMethods, "condition": conditionMethods,
	} {
		table := new([128]uintptr)
		names := strings.Fields(methods)
		for i := range table {
			method := "beyond the table"
			if i < len(names) {
				method = names[i]
			}
			known := knownMethods()[name+"."+method]
			if known == nil {
				known = knownMethods()[method]
			}
			if known == nil {
				if i >= len(names) {
					table[i] = table[len(names)-1]
					continue
				}
				known = func(o *object, _, _, _, _ uintptr) uintptr {
					o.fake.note(name + "." + method)
					return NotImpl
				}
			}
			table[i] = windows.NewCallback(func(self *object, a, b, c, d uintptr) uintptr {
				o := self
				o.fake.count(name + "." + method)
				return known(o, a, b, c, d)
			})
		}
		tables[name] = table
	}
	return tables
})

func (f *Automation) note(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unexpected = append(f.unexpected, what)
}

func (f *Automation) count(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Calls[what]++
}

// New makes a fake whose window holds the elements, and checks at the end
// that nothing was called that should not be and everything was released.
func New(t testing.TB, window *Node) *Automation {
	t.Helper()
	f := &Automation{t: t, tables: tables(), Window: window, Handle: 77, live: map[*object]string{}, Calls: map[string]int{}, Limits: map[string]uintptr{}}
	var own func(n *Node)
	own = func(n *Node) {
		for _, c := range n.Children {
			c.parent = n
			own(c)
		}
	}
	own(window)
	t.Cleanup(f.settle)
	return f
}

// settle waits until all references have been given back.
func (f *Automation) settle() {
	left := map[string]int{}
	for range 200 {
		runtime.GC()
		f.mu.Lock()
		clear(left)
		for _, kind := range f.live {
			left[kind]++
		}
		f.mu.Unlock()
		if len(left) == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if len(left) > 0 {
		f.t.Errorf("never released: %v", left)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.unexpected) > 0 {
		f.t.Errorf("methods that nobody should call: %v", f.unexpected)
	}
}

// Open gives the object of UI Automation, as Windows would make it.
func (f *Automation) Open() (*com.Object, error) { return f.object("automation").pointer(), nil }

func (f *Automation) object(kind string) *object {
	o := &object{table: f.tables[kind], refs: 1, fake: f}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live[o] = kind
	return o
}

func (o *object) pointer() *com.Object { return (*com.Object)(unsafe.Pointer(o)) }

// give writes a pointer to an object where a caller wants it.
func give(at uintptr, o *object) uintptr {
	if at == 0 {
		return invalidArg
	}
	*Address[*object](at) = o
	return 0
}

// Address is memory of the caller. The caller's pointer has become a number on
// its way through Windows.
func Address[T any](at uintptr) *T { return *(**T)(unsafe.Pointer(&at)) }

func (f *Automation) element(n *Node, request uintptr) *object {
	o := f.object("element")
	o.node = n
	if request != 0 {
		o.cached = Address[object](request)
	}
	return o
}

func (f *Automation) array(nodes []*Node, request *object) *object {
	o := f.object("array")
	for _, n := range nodes {
		o.list = append(o.list, &object{node: n, cached: request})
	}
	return o
}

// knownMethods are those that the collectors may call.
func knownMethods() map[string]method {
	return map[string]method{
		"QueryInterface": func(o *object, iid, out, _, _ uintptr) uintptr {
			if ole.IsEqualGUID(Address[ole.GUID](iid), api.IIDAutomation2) && !o.fake.NoCache2 {
				o.pointer().Hold()
				return give(out, o)
			}
			return NoInterface
		},
		"AddRef": func(o *object, _, _, _, _ uintptr) uintptr {
			o.fake.mu.Lock()
			defer o.fake.mu.Unlock()
			if o.refs <= 0 {
				o.fake.unexpected = append(o.fake.unexpected, "AddRef of what is gone")
			}
			o.refs++
			return uintptr(o.refs)
		},
		"Release": func(o *object, _, _, _, _ uintptr) uintptr {
			o.fake.mu.Lock()
			defer o.fake.mu.Unlock()
			o.refs--
			if o.refs < 0 {
				o.fake.unexpected = append(o.fake.unexpected, "Release of what is gone")
			}
			if o.refs == 0 {
				delete(o.fake.live, o)
			}
			return uintptr(max(o.refs, 0))
		},
		"put_AutoSetFocus":       func(o *object, v, _, _, _ uintptr) uintptr { return o.fake.limit("focus", v) },
		"put_ConnectionTimeout":  func(o *object, v, _, _, _ uintptr) uintptr { return o.fake.limit("connection", v) },
		"put_TransactionTimeout": func(o *object, v, _, _, _ uintptr) uintptr { return o.fake.limit("transaction", v) },
		"CreateCacheRequest": func(o *object, out, _, _, _ uintptr) uintptr {
			r := o.fake.object("request")
			r.wanted = map[api.Property]bool{}
			return give(out, r)
		},
		"get_ControlViewCondition": func(o *object, out, _, _, _ uintptr) uintptr {
			c := o.fake.object("condition")
			c.accept = func(*Node) bool { return true }
			return give(out, c)
		},
		"get_ControlViewWalker": func(o *object, out, _, _, _ uintptr) uintptr { return give(out, o.fake.object("walker")) },
		"CreatePropertyCondition": func(o *object, p, value, out, _ uintptr) uintptr {
			v := Address[ole.VARIANT](value)
			want := v.Value()
			c := o.fake.object("condition")
			c.accept = func(n *Node) bool { return n.property(api.Property(p)) == want }
			return give(out, c)
		},
		"CreateAndCondition": func(o *object, a, b, out, _ uintptr) uintptr {
			one, two := Address[object](a).accept, Address[object](b).accept
			c := o.fake.object("condition")
			c.accept = func(n *Node) bool { return one(n) && two(n) }
			return give(out, c)
		},
		"AddProperty": func(o *object, p, _, _, _ uintptr) uintptr { o.wanted[api.Property(p)] = true; return 0 },
		"put_TreeScope": func(o *object, s, _, _, _ uintptr) uintptr {
			o.scope = api.Scope(s)
			return 0
		},
		"ElementFromHandleBuildCache": func(o *object, handle, request, out, _ uintptr) uintptr {
			if o.fake.Failure != 0 {
				return uintptr(o.fake.Failure)
			}
			if handle != o.fake.Handle {
				return uintptr(com.ErrGone)
			}
			if Address[object](request).scope == api.ScopeSubtree && o.fake.HangWhole != nil {
				<-o.fake.HangWhole
			}
			return give(out, o.fake.element(o.fake.Window, request))
		},
		"GetFocusedElementBuildCache": func(o *object, request, out, _, _ uintptr) uintptr {
			if o.fake.Focus == nil {
				return give(out, nil)
			}
			return give(out, o.fake.element(o.fake.Focus, request))
		},
		"GetCachedPropertyValue": func(o *object, p, out, _, _ uintptr) uintptr {
			if o.cached == nil || !o.cached.wanted[api.Property(p)] {
				o.fake.note("a property that was not asked for")
				return invalidArg
			}
			return o.node.write(api.Property(p), out)
		},
		"GetCurrentPropertyValue": func(o *object, p, out, _, _ uintptr) uintptr { return o.node.write(api.Property(p), out) },
		"GetCachedChildren": func(o *object, out, _, _, _ uintptr) uintptr {
			if o.cached == nil || o.cached.scope != api.ScopeSubtree {
				return invalidArg
			}
			if len(o.node.Children) == 0 {
				return give(out, nil)
			}
			return give(out, o.fake.array(o.node.Children, o.cached))
		},
		"FindAllBuildCache": func(o *object, s, condition, request, out uintptr) uintptr {
			if o.node.Hang != nil {
				<-o.node.Hang
			}
			if api.Scope(s) != api.ScopeChildren || condition == 0 {
				return invalidArg
			}
			return give(out, o.fake.array(o.node.Children, Address[object](request)))
		},
		"FindFirstBuildCache": func(o *object, s, condition, request, out uintptr) uintptr {
			if api.Scope(s) != api.ScopeDescendants {
				return invalidArg
			}
			if n := o.node.first(Address[object](condition).accept); n != nil {
				return give(out, o.fake.element(n, request))
			}
			return give(out, nil)
		},
		"get_Length": func(o *object, out, _, _, _ uintptr) uintptr { *Address[int32](out) = int32(len(o.list)); return 0 },
		"GetElement": func(o *object, i, out, _, _ uintptr) uintptr {
			if int(i) >= len(o.list) {
				return invalidArg
			}
			if o.list[i].node == nil {
				r := o.fake.object("range")
				r.text = o.list[i].text
				return give(out, r)
			}
			e := o.fake.object("element")
			e.node, e.cached = o.list[i].node, o.list[i].cached
			return give(out, e)
		},
		"GetParentElementBuildCache": func(o *object, child, request, out, _ uintptr) uintptr {
			n := Address[object](child).node
			if n.parent == nil {
				return give(out, nil)
			}
			return give(out, o.fake.element(n.parent, request))
		},
		"GetCurrentPatternAs": func(o *object, number, iid, out, _ uintptr) uintptr {
			id := Address[ole.GUID](iid)
			switch {
			case number == 10014 && ole.IsEqualGUID(id, api.IIDTextPattern) && o.node.text != nil:
				p := o.fake.object("text")
				p.node = o.node
				return give(out, p)
			case number == 10002 && ole.IsEqualGUID(id, api.IIDValuePattern) && o.node.property(api.PropertyHasValue) == true:
				p := o.fake.object("value")
				p.node = o.node
				return give(out, p)
			}
			return give(out, nil)
		},
		"get_DocumentRange": func(o *object, out, _, _, _ uintptr) uintptr {
			r := o.fake.object("range")
			r.text = *o.node.text
			return give(out, r)
		},
		"text.GetSelection": func(o *object, out, _, _, _ uintptr) uintptr {
			a := o.fake.object("array")
			for _, s := range o.node.selected {
				a.list = append(a.list, &object{text: s})
			}
			return give(out, a)
		},
		"range.GetText": func(o *object, limit, out, _, _ uintptr) uintptr {
			text := o.text
			if n := int(int32(limit)); n >= 0 && n < len(text) {
				text = text[:n]
			}
			return writeText(out, text)
		},
		"get_CurrentValue": func(o *object, out, _, _, _ uintptr) uintptr {
			s, _ := o.node.property(api.PropertyValue).(string)
			return writeText(out, s)
		},
	}
}

func (f *Automation) limit(name string, value uintptr) uintptr {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Limits[name] = value
	return 0
}

// writeText gives a new BSTR, which the caller frees.
func writeText(out uintptr, text string) uintptr {
	*Address[*int16](out) = ole.SysAllocStringLen(text)
	return 0
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
