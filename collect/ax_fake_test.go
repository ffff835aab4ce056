package collect

import (
	"sync"
	"testing"
	"time"
	"unicode/utf16"
)

// axHeap is the system without macOS: applications made of elements, messages
// that take time on a clock of its own, and memory that counts owners. Using an
// object that nobody owns, and reading the value of a password, fails the test.
type axHeap struct {
	t *testing.T

	mu       sync.Mutex
	live     map[axRef]*axObject
	last     axRef
	spent    time.Duration
	messages int
	spans    []int // lengths of texts that were asked for
	apps     map[int]*axFake
}

// axFake is an element of another application.
type axFake struct {
	hash     uint64
	values   map[axAttribute]any
	cost     time.Duration // of a message to it
	status   axStatus      // of a message to it
	settable bool
	secret   bool // its value must not be read
	whole    bool // all of its children must not be asked for
}

type axObject struct {
	kind   axKind
	value  any
	owners int
	item   []axRef
	fake   *axFake
}

type (
	axAt   struct{ x, y float64 }
	axWide struct{ w, h float64 }
	axSel  struct{ from, n float64 }
)

func newAXHeap(t *testing.T) *axHeap {
	return &axHeap{t: t, live: map[axRef]*axObject{}, apps: map[int]*axFake{}}
}

// element makes an element; pairs are attributes and their values.
func (h *axHeap) element(role string, pairs ...any) *axFake {
	h.last++
	f := &axFake{hash: uint64(h.last), values: map[axAttribute]any{axRole: role}}
	for i := 0; i < len(pairs); i += 2 {
		f.values[pairs[i].(axAttribute)] = pairs[i+1]
	}
	return f
}

// at places an element.
func (f *axFake) at(x, y, w, h float64) *axFake {
	f.values[axPosition], f.values[axExtent] = axAt{x, y}, axWide{w, h}
	return f
}

func (f *axFake) with(children ...*axFake) *axFake {
	all, _ := f.values[axChildren].([]*axFake)
	f.values[axChildren] = append(all, children...)
	for _, child := range children {
		child.values[axParent] = f
	}
	return f
}

// make puts a value into memory; the caller owns it.
func (h *axHeap) make(value any) axRef {
	o := &axObject{value: value, owners: 1}
	switch v := value.(type) {
	case nil:
	case string:
		o.kind = axText
	case float64:
		o.kind = axNumber
	case bool:
		o.kind = axFlag
	case axAt:
		o.kind = axPoint
	case axWide:
		o.kind = axSize
	case axSel:
		o.kind = axRange
	case *axFake:
		o.kind, o.fake = axElementKind, v
	case []*axFake:
		o.kind = axArray
		for _, f := range v {
			o.item = append(o.item, h.make(f))
		}
	case []any:
		o.kind = axArray
		for _, one := range v {
			o.item = append(o.item, h.make(one))
		}
	default:
		h.t.Fatalf("no such value: %T", value)
	}
	h.last++
	h.live[h.last] = o
	return h.last
}

func (h *axHeap) get(ref axRef) *axObject {
	o := h.live[ref]
	if o == nil {
		h.t.Errorf("object %d is used, and nobody owns it", ref)
		return &axObject{fake: &axFake{}}
	}
	return o
}

// message spends the time of a message to an element.
func (h *axHeap) message(ref axRef, limit time.Duration) (*axFake, axStatus) {
	f := h.get(ref).fake
	h.messages++
	h.spent += min(f.cost, limit)
	switch {
	case limit <= 0:
		h.t.Error("a message without time")
	case f.cost > limit:
		return f, axCannotComplete
	}
	return f, f.status
}

// left is the time that a budget leaves.
func (h *axHeap) left(budget time.Duration) func() time.Duration {
	return func() time.Duration {
		h.mu.Lock()
		defer h.mu.Unlock()
		return budget - h.spent
	}
}

// owned is how many objects somebody owns.
func (h *axHeap) owned() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.live)
}

// ref gives the test an object that it owns.
func (h *axHeap) ref(f *axFake) axRef {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.make(f)
}

func (h *axHeap) createApplication(pid int) axRef {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.apps[pid] == nil {
		return 0
	}
	return h.make(h.apps[pid])
}

func (h *axHeap) copyAttributes(element axRef, list axList, limit time.Duration) (axRef, axStatus) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, status := h.message(element, limit)
	if status != axSuccess {
		return 0, status
	}
	var values []any
	for _, name := range list.attributes() {
		if f.secret && (name == axValueOf || name == axSelectedText) {
			h.t.Error("a password was read")
		}
		if f.whole && name == axChildren {
			h.t.Error("all rows of a long table were asked for")
		}
		values = append(values, f.values[name])
	}
	return h.make(values), axSuccess
}

func (h *axHeap) copyElements(element axRef, attribute axAttribute, count int, limit time.Duration) (axRef, axStatus) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, status := h.message(element, limit)
	if status != axSuccess {
		return 0, status
	}
	all, ok := f.values[attribute].([]*axFake)
	if !ok {
		return 0, axUnsupported
	}
	return h.make(all[:min(len(all), count)]), axSuccess
}

func (h *axHeap) copyText(element axRef, length int, limit time.Duration) (axRef, axStatus) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, status := h.message(element, limit)
	if f.secret {
		h.t.Error("a password was read")
	}
	text, ok := f.values[axValueOf].(string)
	if status != axSuccess || !ok {
		return 0, min(status, axNoValue)
	}
	h.spans = append(h.spans, length)
	units := utf16.Encode([]rune(text))
	return h.make(string(utf16.Decode(units[:min(len(units), length)]))), axSuccess
}

func (h *axHeap) settable(element axRef, _ axAttribute, limit time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, status := h.message(element, limit)
	return status == axSuccess && f.settable
}

func (h *axHeap) kind(v axRef) axKind {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(v).kind
}

func (h *axHeap) text(v axRef, units int) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := utf16.Encode([]rune(h.get(v).value.(string)))
	return string(utf16.Decode(all[:min(len(all), units)]))
}

func (h *axHeap) number(v axRef) float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(v).value.(float64)
}

func (h *axHeap) flag(v axRef) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(v).value.(bool)
}

func (h *axHeap) pair(v axRef) (float64, float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch p := h.get(v).value.(type) {
	case axAt:
		return p.x, p.y
	case axWide:
		return p.w, p.h
	case axSel:
		return p.from, p.n
	}
	h.t.Error("no pair")
	return 0, 0
}

func (h *axHeap) count(array axRef) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.get(array).item)
}

func (h *axHeap) item(array axRef, i int) axRef {
	h.mu.Lock()
	defer h.mu.Unlock()
	ref := h.get(array).item[i]
	if h.get(ref).kind == axNone {
		return 0
	}
	return ref
}

func (h *axHeap) hash(v axRef) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(v).fake.hash
}

func (h *axHeap) equal(a, b axRef) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(a).fake == h.get(b).fake
}

func (h *axHeap) retain(v axRef) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.get(v).owners++
}

func (h *axHeap) release(v axRef) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(v)
}

func (h *axHeap) drop(v axRef) {
	o := h.get(v)
	if o.owners--; o.owners > 0 {
		return
	}
	delete(h.live, v)
	for _, item := range o.item {
		h.drop(item)
	}
}
