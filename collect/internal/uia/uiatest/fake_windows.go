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
