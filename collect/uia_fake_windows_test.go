package collect

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/go-ole/go-ole"
	"golang.org/x/sys/windows"
)

// The methods of UI Automation's interfaces in the order of
// UIAutomationClient.idl, after those of IUnknown. The fake's tables are made of
// these lists and not of the numbers in uia_slots_windows.go, so that a wrong
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

// fakeNode is an element of a fake program.
type fakeNode struct {
	control    int32
	name       string
	properties map[property]any // bool, string, []int32, []float64, int32; what is missing has UI Automation's default
	text       *string          // has the text pattern
	selected   []string         // what is selected in it
	children   []*fakeNode
	hang       <-chan struct{} // asking for its children blocks until this ends
	parent     *fakeNode
}

// fakeUIA is a fake of UI Automation, and of a program with one window.
type fakeUIA struct {
	t          testing.TB
	tables     map[string]*[128]uintptr
	window     *fakeNode
	handle     uintptr // of the window
	focus      *fakeNode
	failure    hresult         // of requests for the window; 0: none
	hangWhole  <-chan struct{} // the request for everything blocks until this ends
	noCache2   bool            // there is no IUIAutomation2
	mu         sync.Mutex
	live       map[*fakeObject]string
	calls      map[string]int
	unexpected []string
	limits     map[string]uintptr
}

// fakeObject is a COM object in Go's memory: its table comes first. Objects are
// kept by the fake as long as somebody has a reference.
type fakeObject struct {
	table  *[128]uintptr
	refs   int
	fake   *fakeUIA
	node   *fakeNode
	list   []*fakeObject // of an array; not counted
	scope  scope         // of a request
	wanted map[property]bool
	text   string
	accept func(*fakeNode) bool // of a condition
	cached *fakeObject          // the request that brought an element
}

const (
	noInterface = 0x80004002 // E_NOINTERFACE
	notImpl     = 0x80004001 // E_NOTIMPL
	invalidArg  = 0x80070057 // E_INVALIDARG
)

type fakeMethod func(o *fakeObject, a, b, c, d uintptr) uintptr

// fakeTables are made once: Windows never frees callbacks.
var fakeTables = sync.OnceValue(func() map[string]*[128]uintptr {
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
			known := fakeMethods()[name+"."+method]
			if known == nil {
				known = fakeMethods()[method]
			}
			if known == nil {
				if i >= len(names) {
					table[i] = table[len(names)-1]
					continue
				}
				known = func(o *fakeObject, _, _, _, _ uintptr) uintptr {
					o.fake.note(name + "." + method)
					return notImpl
				}
			}
			table[i] = windows.NewCallback(func(self *fakeObject, a, b, c, d uintptr) uintptr {
				o := self
				o.fake.count(name + "." + method)
				return known(o, a, b, c, d)
			})
		}
		tables[name] = table
	}
	return tables
})

func (f *fakeUIA) note(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unexpected = append(f.unexpected, what)
}

func (f *fakeUIA) count(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls[what]++
}

// newFake makes a fake whose window holds the elements, and checks at the end
// that nothing was called that should not be and everything was released.
func newFake(t testing.TB, window *fakeNode) *fakeUIA {
	t.Helper()
	f := &fakeUIA{t: t, tables: fakeTables(), window: window, handle: 77, live: map[*fakeObject]string{}, calls: map[string]int{}, limits: map[string]uintptr{}}
	var own func(n *fakeNode)
	own = func(n *fakeNode) {
		for _, c := range n.children {
			c.parent = n
			own(c)
		}
	}
	own(window)
	t.Cleanup(f.settle)
	return f
}

// settle waits until all references have been given back.
func (f *fakeUIA) settle() {
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

// desktop is a desktop whose UI Automation is the fake.
func (f *fakeUIA) desktop(options Options) *desktop {
	d := newDesktop(options)
	d.create = func() (*comObject, error) { return f.object("automation").pointer(), nil }
	return d
}

// scene is the fake's window as the collectors see it.
func (f *fakeUIA) scene() (*desktop, automationWindow) {
	d := f.desktop(Options{})
	a, err := d.automation(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	return d, automationWindow{automation: a, window: window{handle: 77, title: "Fake", pid: 4711, process: "fake"}}
}

func (f *fakeUIA) object(kind string) *fakeObject {
	o := &fakeObject{table: f.tables[kind], refs: 1, fake: f}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live[o] = kind
	return o
}

func (o *fakeObject) pointer() *comObject { return (*comObject)(unsafe.Pointer(o)) }

// give writes a pointer to an object where a caller wants it.
func give(at uintptr, o *fakeObject) uintptr {
	if at == 0 {
		return invalidArg
	}
	*address[*fakeObject](at) = o
	return 0
}

// address is memory of the caller. The caller's pointer has become a number on
// its way through Windows.
func address[T any](at uintptr) *T { return *(**T)(unsafe.Pointer(&at)) }

func (f *fakeUIA) element(n *fakeNode, request uintptr) *fakeObject {
	o := f.object("element")
	o.node = n
	if request != 0 {
		o.cached = address[fakeObject](request)
	}
	return o
}

func (f *fakeUIA) array(nodes []*fakeNode, request *fakeObject) *fakeObject {
	o := f.object("array")
	for _, n := range nodes {
		o.list = append(o.list, &fakeObject{node: n, cached: request})
	}
	return o
}

// fakeMethods are those that the collectors may call.
func fakeMethods() map[string]fakeMethod {
	return map[string]fakeMethod{
		"QueryInterface": func(o *fakeObject, iid, out, _, _ uintptr) uintptr {
			if ole.IsEqualGUID(address[ole.GUID](iid), iidAutomation2) && !o.fake.noCache2 {
				o.pointer().hold()
				return give(out, o)
			}
			return noInterface
		},
		"AddRef": func(o *fakeObject, _, _, _, _ uintptr) uintptr {
			o.fake.mu.Lock()
			defer o.fake.mu.Unlock()
			if o.refs <= 0 {
				o.fake.unexpected = append(o.fake.unexpected, "AddRef of what is gone")
			}
			o.refs++
			return uintptr(o.refs)
		},
		"Release": func(o *fakeObject, _, _, _, _ uintptr) uintptr {
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
		"put_AutoSetFocus":       func(o *fakeObject, v, _, _, _ uintptr) uintptr { return o.fake.limit("focus", v) },
		"put_ConnectionTimeout":  func(o *fakeObject, v, _, _, _ uintptr) uintptr { return o.fake.limit("connection", v) },
		"put_TransactionTimeout": func(o *fakeObject, v, _, _, _ uintptr) uintptr { return o.fake.limit("transaction", v) },
		"CreateCacheRequest": func(o *fakeObject, out, _, _, _ uintptr) uintptr {
			r := o.fake.object("request")
			r.wanted = map[property]bool{}
			return give(out, r)
		},
		"get_ControlViewCondition": func(o *fakeObject, out, _, _, _ uintptr) uintptr {
			c := o.fake.object("condition")
			c.accept = func(*fakeNode) bool { return true }
			return give(out, c)
		},
		"get_ControlViewWalker": func(o *fakeObject, out, _, _, _ uintptr) uintptr { return give(out, o.fake.object("walker")) },
		"CreatePropertyCondition": func(o *fakeObject, p, value, out, _ uintptr) uintptr {
			v := address[ole.VARIANT](value)
			want := v.Value()
			c := o.fake.object("condition")
			c.accept = func(n *fakeNode) bool { return n.property(property(p)) == want }
			return give(out, c)
		},
		"CreateAndCondition": func(o *fakeObject, a, b, out, _ uintptr) uintptr {
			one, two := address[fakeObject](a).accept, address[fakeObject](b).accept
			c := o.fake.object("condition")
			c.accept = func(n *fakeNode) bool { return one(n) && two(n) }
			return give(out, c)
		},
		"AddProperty": func(o *fakeObject, p, _, _, _ uintptr) uintptr { o.wanted[property(p)] = true; return 0 },
		"put_TreeScope": func(o *fakeObject, s, _, _, _ uintptr) uintptr {
			o.scope = scope(s)
			return 0
		},
		"ElementFromHandleBuildCache": func(o *fakeObject, handle, request, out, _ uintptr) uintptr {
			if o.fake.failure != 0 {
				return uintptr(o.fake.failure)
			}
			if handle != o.fake.handle {
				return uintptr(errGone)
			}
			if address[fakeObject](request).scope == scopeSubtree && o.fake.hangWhole != nil {
				<-o.fake.hangWhole
			}
			return give(out, o.fake.element(o.fake.window, request))
		},
		"GetFocusedElementBuildCache": func(o *fakeObject, request, out, _, _ uintptr) uintptr {
			if o.fake.focus == nil {
				return give(out, nil)
			}
			return give(out, o.fake.element(o.fake.focus, request))
		},
		"GetCachedPropertyValue": func(o *fakeObject, p, out, _, _ uintptr) uintptr {
			if o.cached == nil || !o.cached.wanted[property(p)] {
				o.fake.note("a property that was not asked for")
				return invalidArg
			}
			return o.node.write(property(p), out)
		},
		"GetCurrentPropertyValue": func(o *fakeObject, p, out, _, _ uintptr) uintptr { return o.node.write(property(p), out) },
		"GetCachedChildren": func(o *fakeObject, out, _, _, _ uintptr) uintptr {
			if o.cached == nil || o.cached.scope != scopeSubtree {
				return invalidArg
			}
			if len(o.node.children) == 0 {
				return give(out, nil)
			}
			return give(out, o.fake.array(o.node.children, o.cached))
		},
		"FindAllBuildCache": func(o *fakeObject, s, condition, request, out uintptr) uintptr {
			if o.node.hang != nil {
				<-o.node.hang
			}
			if scope(s) != scopeChildren || condition == 0 {
				return invalidArg
			}
			return give(out, o.fake.array(o.node.children, address[fakeObject](request)))
		},
		"FindFirstBuildCache": func(o *fakeObject, s, condition, request, out uintptr) uintptr {
			if scope(s) != scopeDescendants {
				return invalidArg
			}
			if n := o.node.first(address[fakeObject](condition).accept); n != nil {
				return give(out, o.fake.element(n, request))
			}
			return give(out, nil)
		},
		"get_Length": func(o *fakeObject, out, _, _, _ uintptr) uintptr { *address[int32](out) = int32(len(o.list)); return 0 },
		"GetElement": func(o *fakeObject, i, out, _, _ uintptr) uintptr {
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
		"GetParentElementBuildCache": func(o *fakeObject, child, request, out, _ uintptr) uintptr {
			n := address[fakeObject](child).node
			if n.parent == nil {
				return give(out, nil)
			}
			return give(out, o.fake.element(n.parent, request))
		},
		"GetCurrentPatternAs": func(o *fakeObject, number, iid, out, _ uintptr) uintptr {
			id := address[ole.GUID](iid)
			switch {
			case number == 10014 && ole.IsEqualGUID(id, iidTextPattern) && o.node.text != nil:
				p := o.fake.object("text")
				p.node = o.node
				return give(out, p)
			case number == 10002 && ole.IsEqualGUID(id, iidValuePattern) && o.node.property(propertyHasValue) == true:
				p := o.fake.object("value")
				p.node = o.node
				return give(out, p)
			}
			return give(out, nil)
		},
		"get_DocumentRange": func(o *fakeObject, out, _, _, _ uintptr) uintptr {
			r := o.fake.object("range")
			r.text = *o.node.text
			return give(out, r)
		},
		"text.GetSelection": func(o *fakeObject, out, _, _, _ uintptr) uintptr {
			a := o.fake.object("array")
			for _, s := range o.node.selected {
				a.list = append(a.list, &fakeObject{text: s})
			}
			return give(out, a)
		},
		"range.GetText": func(o *fakeObject, limit, out, _, _ uintptr) uintptr {
			text := o.text
			if n := int(int32(limit)); n >= 0 && n < len(text) {
				text = text[:n]
			}
			return writeText(out, text)
		},
		"get_CurrentValue": func(o *fakeObject, out, _, _, _ uintptr) uintptr {
			s, _ := o.node.property(propertyValue).(string)
			return writeText(out, s)
		},
	}
}

func (f *fakeUIA) limit(name string, value uintptr) uintptr {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.limits[name] = value
	return 0
}

// writeText gives a new BSTR, which the caller frees.
func writeText(out uintptr, text string) uintptr {
	*address[*int16](out) = ole.SysAllocStringLen(text)
	return 0
}

func (n *fakeNode) first(accept func(*fakeNode) bool) *fakeNode {
	for _, c := range n.children {
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
func (n *fakeNode) property(p property) any {
	if v, ok := n.properties[p]; ok {
		return v
	}
	switch p {
	case propertyControlType:
		return n.control
	case propertyName:
		return n.name
	case propertyIsEnabled, propertyValueReadOnly:
		return true
	case propertyHasTextPattern:
		return n.text != nil
	case propertyProcessID:
		return int32(4711)
	case propertyRuntimeID:
		return []int32{42, int32(uintptr(unsafe.Pointer(n)) & 0x7fffffff)}
	case propertyBounds:
		return []float64{0, 0, 0, 0}
	case propertyValue, propertyClassName, propertyAutomationID:
		return ""
	default:
		return false
	}
}

// write makes a VARIANT of a property.
func (n *fakeNode) write(p property, out uintptr) uintptr {
	v := address[ole.VARIANT](out)
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
	case hresult:
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
	copy(unsafe.Slice(address[byte](data), count*size), unsafe.Slice((*byte)(from), count*size))
	_, _, _ = library.NewProc("SafeArrayUnaccessData").Call(array)
	return array
}
