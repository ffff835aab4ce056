package ax

import (
	"sync"
	"testing"
	"time"
	"unicode/utf16"
)

// Heap is the system without macOS: applications made of elements, messages
// that take time on a clock of its own, and memory that counts owners. Using an
// object that nobody owns, and reading the value of a password, fails the test.
type Heap struct {
	t *testing.T

	mu       sync.Mutex
	live     map[Ref]*Object
	last     Ref
	spent    time.Duration
	messages int
	spans    []int // lengths of texts that were asked for
	apps     map[int]*Fake
}

// Fake is an element of another application.
type Fake struct {
	hash     uint64
	values   map[Attribute]any
	cost     time.Duration // of a message to it
	status   Status        // of a message to it
	settable bool
	secret   bool // its value must not be read
	whole    bool // all of its children must not be asked for
}

type Object struct {
	kind   Kind
	value  any
	owners int
	item   []Ref
	fake   *Fake
}

type (
	At   struct{ x, y float64 }
	Wide struct{ w, h float64 }
	Sel  struct{ from, n float64 }
)

func newHeap(t *testing.T) *Heap {
	return &Heap{t: t, live: map[Ref]*Object{}, apps: map[int]*Fake{}}
}

// element makes an element; pairs are attributes and their values.
func (h *Heap) element(role string, pairs ...any) *Fake {
	h.last++
	f := &Fake{hash: uint64(h.last), values: map[Attribute]any{AttributeRole: role}}
	for i := 0; i < len(pairs); i += 2 {
		f.values[pairs[i].(Attribute)] = pairs[i+1]
	}
	return f
}

// at gives an element a rectangle.
func (f *Fake) at(x, y, w, h float64) *Fake {
	f.values[AttributePosition], f.values[AttributeExtent] = At{x, y}, Wide{w, h}
	return f
}

func (f *Fake) with(children ...*Fake) *Fake {
	all, _ := f.values[AttributeChildren].([]*Fake)
	f.values[AttributeChildren] = append(all, children...)
	for _, child := range children {
		child.values[AttributeParent] = f
	}
	return f
}

// make puts a value into memory; the caller owns it.
func (h *Heap) make(value any) Ref {
	o := &Object{value: value, owners: 1}
	switch v := value.(type) {
	case nil:
	case string:
		o.kind = KindText
	case float64:
		o.kind = KindNumber
	case bool:
		o.kind = KindFlag
	case At:
		o.kind = KindPoint
	case Wide:
		o.kind = KindSize
	case Sel:
		o.kind = KindRange
	case *Fake:
		o.kind, o.fake = KindElement, v
	case []*Fake:
		o.kind = KindArray
		for _, f := range v {
			o.item = append(o.item, h.make(f))
		}
	case []any:
		o.kind = KindArray
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

func (h *Heap) get(ref Ref) *Object {
	o := h.live[ref]
	if o == nil {
		h.t.Errorf("object %d is used, and nobody owns it", ref)
		return &Object{fake: &Fake{}}
	}
	return o
}

// message spends the time of a message to an element.
func (h *Heap) message(ref Ref, limit time.Duration) (*Fake, Status) {
	f := h.get(ref).fake
	h.messages++
	h.spent += min(f.cost, limit)
	switch {
	case limit <= 0:
		h.t.Error("a message without time")
	case f.cost > limit:
		return f, StatusCannotComplete
	}
	return f, f.status
}

// left is the time that a budget leaves.
func (h *Heap) left(budget time.Duration) func() time.Duration {
	return func() time.Duration {
		h.mu.Lock()
		defer h.mu.Unlock()
		return budget - h.spent
	}
}

// owned is how many objects somebody owns.
func (h *Heap) owned() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.live)
}

// ref gives the test an object that it owns.
func (h *Heap) ref(f *Fake) Ref {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.make(f)
}

func (h *Heap) CreateApplication(pid int) Ref {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.apps[pid] == nil {
		return 0
	}
	return h.make(h.apps[pid])
}

func (h *Heap) CopyAttributes(element Ref, list List, limit time.Duration) (Ref, Status) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, status := h.message(element, limit)
	if status != StatusSuccess {
		return 0, status
	}
	var values []any
	for _, name := range list.Attributes() {
		if f.secret && (name == AttributeValue || name == AttributeSelectedText) {
			h.t.Error("a password was read")
		}
		if f.whole && name == AttributeChildren {
			h.t.Error("all rows of a long table were asked for")
		}
		values = append(values, f.values[name])
	}
	return h.make(values), StatusSuccess
}

func (h *Heap) CopyElements(element Ref, attribute Attribute, count int, limit time.Duration) (Ref, Status) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, status := h.message(element, limit)
	if status != StatusSuccess {
		return 0, status
	}
	all, ok := f.values[attribute].([]*Fake)
	if !ok {
		return 0, StatusUnsupported
	}
	return h.make(all[:min(len(all), count)]), StatusSuccess
}

func (h *Heap) CopyText(element Ref, length int, limit time.Duration) (Ref, Status) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, status := h.message(element, limit)
	if f.secret {
		h.t.Error("a password was read")
	}
	text, ok := f.values[AttributeValue].(string)
	if status != StatusSuccess || !ok {
		return 0, min(status, StatusNoValue)
	}
	h.spans = append(h.spans, length)
	units := utf16.Encode([]rune(text))
	return h.make(string(utf16.Decode(units[:min(len(units), length)]))), StatusSuccess
}

func (h *Heap) Settable(element Ref, _ Attribute, limit time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, status := h.message(element, limit)
	return status == StatusSuccess && f.settable
}

func (h *Heap) Kind(v Ref) Kind {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(v).kind
}

func (h *Heap) Text(v Ref, units int) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := utf16.Encode([]rune(h.get(v).value.(string)))
	return string(utf16.Decode(all[:min(len(all), units)]))
}

func (h *Heap) Number(v Ref) float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(v).value.(float64)
}

func (h *Heap) Flag(v Ref) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(v).value.(bool)
}

func (h *Heap) Pair(v Ref) (float64, float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch p := h.get(v).value.(type) {
	case At:
		return p.x, p.y
	case Wide:
		return p.w, p.h
	case Sel:
		return p.from, p.n
	}
	h.t.Error("no pair")
	return 0, 0
}

func (h *Heap) Count(array Ref) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.get(array).item)
}

func (h *Heap) Item(array Ref, i int) Ref {
	h.mu.Lock()
	defer h.mu.Unlock()
	ref := h.get(array).item[i]
	if h.get(ref).kind == KindNone {
		return 0
	}
	return ref
}

func (h *Heap) Hash(v Ref) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(v).fake.hash
}

func (h *Heap) Equal(a, b Ref) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.get(a).fake == h.get(b).fake
}

func (h *Heap) Retain(v Ref) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.get(v).owners++
}

func (h *Heap) Release(v Ref) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(v)
}

func (h *Heap) drop(v Ref) {
	o := h.get(v)
	if o.owners--; o.owners > 0 {
		return
	}
	delete(h.live, v)
	for _, item := range o.item {
		h.drop(item)
	}
}
