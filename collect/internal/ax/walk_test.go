package ax

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// readAX reads a window as the collector does.
func readAX(t *testing.T, h *Heap, window, focus *Fake, budget time.Duration) facts.Part {
	t.Helper()
	w := &Walk{system: h, left: h.left(budget)}
	if status := w.walk(h.ref(window)); status != StatusSuccess {
		w.close()
		t.Fatalf("status %d", status)
	}
	ref := Ref(0)
	if focus != nil {
		ref = h.ref(focus)
		defer h.Release(ref)
	}
	part, _ := Part(w, NewTypes(), ref, "Editor")
	return part
}

// drawAX is a tree as text: types, names and states.
func drawAX(tree *facts.Tree) string {
	var b strings.Builder
	depth := map[int]int{}
	for i := range tree.Len() {
		e := tree.At(i)
		if e.Parent >= 0 {
			depth[i] = depth[e.Parent] + 1
		}
		fmt.Fprintf(&b, "%s%s", strings.Repeat(" ", depth[i]), e.Type)
		if e.HasName {
			fmt.Fprintf(&b, " %q", e.Name)
		}
		for _, s := range e.States.Names() {
			b.WriteString(" " + s)
		}
		if e.Cut {
			b.WriteString(" …")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestAXTree(t *testing.T) {
	h := newHeap(t)
	text := h.element("AXTextArea", AttributeFocused, true, AttributeCharacters, 5.0, AttributeValue, "Hello").at(100, 60, 300, 200)
	text.settable = true
	password := h.element("AXTextField", AttributeSubrole, "AXSecureTextField", AttributePlaceholder, "Password", AttributeValue, "secret", AttributeSelectedText, "secret", AttributeCharacters, 6.0).at(100, 270, 100, 20)
	password.secret, password.settable = true, true
	row := h.element("AXRow", AttributeSelected, true).at(100, 300, 200, 20).with(
		h.element("AXCell").at(100, 300, 100, 20).with(h.element("AXTextField", AttributeValue, "a.pdf").at(100, 300, 100, 20)),
		h.element("AXCell").at(200, 300, 100, 20).with(h.element("AXStaticText", AttributeValue, "12 KB").at(200, 300, 100, 20)))
	table := h.element("AXTable", AttributeVisibleRows, []*Fake{row},
		AttributeHeader, h.element("AXGroup").at(100, 280, 200, 20).with(h.element("AXButton", AttributeSubrole, "AXSortButton", AttributeTitle, "Name").at(100, 280, 100, 20))).at(100, 280, 200, 60)
	table.whole = true
	window := h.element("AXWindow", AttributeTitle, "a.txt").at(100, 0, 400, 400).with(
		h.element("AXToolbar").at(100, 0, 400, 40).with(
			h.element("AXButton", AttributeDescription, "Save", AttributeEnabled, false).at(110, 0, 20, 20),
			h.element("AXPopUpButton", AttributeTitle, "View").at(140, 0, 40, 20).with(h.element("AXMenu").with(h.element("AXMenuItem", AttributeTitle, "never seen"))),
		),
		h.element("AXTabGroup").at(100, 40, 400, 20).with(
			h.element("AXRadioButton", AttributeTitle, "One", AttributeValue, 1.0).at(100, 40, 50, 20),
			h.element("AXRadioButton", AttributeSubrole, "AXTabButton", AttributeTitle, "Two", AttributeValue, 0.0).at(150, 40, 50, 20)),
		h.element("AXScrollArea").at(100, 60, 300, 200).with(text),
		password,
		h.element("AXScrollArea").at(100, 280, 200, 60).with(table),
		h.element("AXStaticText", AttributeValue, " Ready ").at(100, 380, 100, 20),
		h.element("AXGroup", AttributeTitle, "far away").at(900, 900, 10, 10).with(h.element("AXButton", AttributeTitle, "never seen").at(900, 900, 10, 10)),
		h.element("AXSheet").at(90, 390, 100, 100).with(h.element("AXButton", AttributeTitle, "OK").at(95, 450, 20, 20)),
		h.element("AXSomethingNew").at(300, 300, 1, 1),
	)
	part := readAX(t, h, window, text, time.Second)
	want := `TopLevel "a.txt"
 ToolBar
  Button "Save" disabled
  ComboBox "View"
   Menu
 TabControl
  TabItem "One" selected
  TabItem "Two"
 Panel
  TextEdit focused
 TextEdit "Password" password
 Panel
  ListView
   Header
    HeaderItem "Name"
   ListViewItem "a.pdf" selected
    DataGridItem
     TextEdit
    DataGridItem
     Label "12 KB"
 Label "Ready"
 Panel "far away" offscreen
 Panel
  Button "OK"
 Unknown
`
	if got := drawAX(part.Tree); got != want {
		t.Errorf("got\n%s", got)
	}
	if part.Tree.Partial() != "" {
		t.Error("nothing was left out, but the tree says so")
	}
	if got := part.Summary[facts.Visual]; got != "25 elements" {
		t.Errorf("summary %q", got)
	}
	edit := part.Tree.OfType(typeAX("TextEdit"))
	first := part.Tree.At(int(edit[0]))
	if first.Process != "Editor" || first.Bounds != (facts.Bounds{X: 100, Y: 60, Width: 300, Height: 200}) || !first.HasBounds {
		t.Errorf("%+v", first)
	}
	if primary := part.Values.Field("attachments").Field("visual").Field("primary").Text(); primary != first.ID {
		t.Errorf("primary %q, want %q", primary, first.ID)
	}
	for _, tt := range []struct {
		index int
		text  string
		ok    bool
	}{{int(edit[0]), "Hello", true}, {int(edit[1]), "", false}} {
		if got, ok := part.Tree.Text(t.Context(), tt.index); got != tt.text || ok != tt.ok {
			t.Errorf("text %q %v", got, ok)
		}
	}
	if strings.Contains(fmt.Sprint(part), "secret") {
		t.Error("a password is in the part")
	}
}

func typeAX(name string) facts.ElementType {
	t, _ := facts.ParseElementType(name)
	return t
}

func TestAXReadOnly(t *testing.T) {
	h := newHeap(t)
	part := readAX(t, h, h.element("AXWindow").with(h.element("AXTextArea").at(0, 0, 1, 1)), nil, time.Second)
	if got := drawAX(part.Tree); got != "TopLevel\n TextEdit readonly\n" {
		t.Errorf("got\n%s", got)
	}
	if primary := part.Values.Field("attachments").Field("visual").Field("primary").Text(); primary != part.Tree.At(0).ID {
		t.Error("without an element that has the keyboard, the window is the primary one")
	}
}

func TestAXOneMessagePerElement(t *testing.T) {
	h := newHeap(t)
	window := h.element("AXWindow")
	for range 40 {
		window.with(h.element("AXGroup").with(h.element("AXButton"), h.element("AXButton")))
	}
	part := readAX(t, h, window, nil, time.Second)
	if part.Tree.Len() != 121 || h.messages != 121 {
		t.Errorf("%d elements, %d messages", part.Tree.Len(), h.messages)
	}
}

func TestAXLimits(t *testing.T) {
	many := func(h *Heap, n int) []*Fake {
		var all []*Fake
		for range n {
			all = append(all, h.element("AXButton"))
		}
		return all
	}
	for _, tt := range []struct {
		name     string
		window   func(*Heap) *Fake
		elements int
		lacks    string
	}{
		{"as many children as are read", func(h *Heap) *Fake { return h.element("AXWindow").with(many(h, MaxChildren)...) }, 1 + MaxChildren, ""},
		{"one more", func(h *Heap) *Fake { return h.element("AXWindow").with(many(h, MaxChildren+1)...) }, 1 + MaxChildren, TooMany},
		{"a long list that scrolls", func(h *Heap) *Fake {
			return h.element("AXWindow").with(h.element("AXScrollArea").with(h.element("AXGroup").with(many(h, 1000)...)))
		}, 3 + MaxChildren, TooMany},
		{"too many in all", func(h *Heap) *Fake {
			window := h.element("AXWindow")
			for range 30 {
				window.with(h.element("AXGroup").with(many(h, 200)...))
			}
			return window
		}, MaxElements, TooMany},
		{"too deep", func(h *Heap) *Fake {
			inner := h.element("AXButton")
			for range 200 {
				inner = h.element("AXGroup").with(inner)
			}
			return h.element("AXWindow").with(inner)
		}, 1 + MaxDepth, TooMany},
		{"an element inside itself", func(h *Heap) *Fake {
			window := h.element("AXWindow")
			group := h.element("AXGroup")
			return window.with(group.with(group, window))
		}, 2, ""},
		{"visible rows of a long table", func(h *Heap) *Fake {
			rows := []*Fake{}
			for range 20 {
				rows = append(rows, h.element("AXRow", AttributeSubrole, "AXOutlineRow"))
			}
			outline := h.element("AXOutline", AttributeVisibleRows, rows)
			outline.whole = true
			return h.element("AXWindow").with(h.element("AXScrollArea").with(outline))
		}, 23, ""},
		{"an element that has gone", func(h *Heap) *Fake {
			gone := h.element("AXGroup")
			gone.status = StatusInvalidElement
			return h.element("AXWindow").with(gone, h.element("AXButton"))
		}, 2, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHeap(t)
			part := readAX(t, h, tt.window(h), nil, time.Second)
			if got := part.Tree.Len(); got != tt.elements {
				t.Errorf("%d elements, want %d", got, tt.elements)
			}
			if got := part.Tree.Partial(); got != tt.lacks {
				t.Errorf("left out: %q, want %q", got, tt.lacks)
			}
			if (len(part.Tree.Cuts()) > 0) != (tt.lacks != "") {
				t.Errorf("cuts %v", part.Tree.Cuts())
			}
		})
	}
}

func TestAXTime(t *testing.T) {
	t.Run("a hung window", func(t *testing.T) {
		h := newHeap(t)
		window := h.element("AXWindow")
		window.cost = time.Hour
		w := &Walk{system: h, left: h.left(100 * time.Millisecond)}
		if status := w.walk(h.ref(window)); status != StatusCannotComplete {
			t.Errorf("status %d", status)
		}
		w.close()
		if h.owned() != 0 || h.spent > 100*time.Millisecond {
			t.Errorf("%d objects are left, %v spent", h.owned(), h.spent)
		}
	})
	t.Run("a slow one", func(t *testing.T) {
		h := newHeap(t)
		window := h.element("AXWindow")
		for range 100 {
			button := h.element("AXButton")
			button.cost = 10 * time.Millisecond
			window.with(button)
		}
		part := readAX(t, h, window, nil, 200*time.Millisecond)
		if part.Tree.Len() != 21 || part.Tree.Partial() != NoTime || !part.Tree.At(0).Cut {
			t.Errorf("%d elements, left out: %q", part.Tree.Len(), part.Tree.Partial())
		}
		if h.spent > 200*time.Millisecond {
			t.Errorf("%v spent", h.spent)
		}
	})
	t.Run("one that stops answering", func(t *testing.T) {
		h := newHeap(t)
		window := h.element("AXWindow").with(h.element("AXButton"))
		for range 50 {
			silent := h.element("AXGroup")
			silent.status = StatusCannotComplete
			window.with(silent)
		}
		part := readAX(t, h, window, nil, time.Second)
		if part.Tree.Len() != 2 || part.Tree.Partial() != Silence || h.messages > 2+MaxSilence {
			t.Errorf("%d elements, %d messages, left out: %q", part.Tree.Len(), h.messages, part.Tree.Partial())
		}
	})
}

func TestAXTimeLeft(t *testing.T) {
	if got := TimeLeft(t.Context(), time.Hour)(); got != LongestCall {
		t.Errorf("without a deadline: %v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := TimeLeft(ctx, 0)(); got != 0 {
		t.Errorf("after the end: %v", got)
	}
}

// TestAXFocusOutOfReach has the keyboard in an element that the walk did not
// come to.
func TestAXFocusOutOfReach(t *testing.T) {
	h := newHeap(t)
	focus := h.element("AXTextField", AttributeTitle, "Search")
	list := h.element("AXList")
	for range MaxChildren {
		list.with(h.element("AXButton"))
	}
	list.with(h.element("AXGroup", AttributeTitle, "last").with(focus))
	part := readAX(t, h, h.element("AXWindow").with(list), focus, time.Second)
	primary := part.Values.Field("attachments").Field("visual").Field("primary").Text()
	at, ok := part.Tree.ByID(primary)
	if !ok || part.Tree.Path(at) != "/TopLevel/ListView/ListViewItem/TextEdit" || part.Tree.At(at).States&facts.Focused == 0 || part.Tree.At(at).Name != "Search" {
		t.Errorf("%s %+v", part.Tree.Path(at), part.Tree.At(at))
	}
	// There was no time for it, but a little is kept back.
	late := h.element("AXTextField", AttributeTitle, "Late")
	slow := h.element("AXGroup")
	slow.cost = 90 * time.Millisecond
	w := &Walk{system: h, left: h.left(h.spent + 90*time.Millisecond)}
	if status := w.walk(h.ref(h.element("AXWindow").with(slow, late))); status != StatusSuccess {
		t.Fatal(status)
	}
	w.left = h.left(h.spent + 20*time.Millisecond)
	ref := h.ref(late)
	part, texts := Part(w, NewTypes(), ref, "")
	h.Release(ref)
	if text, ok := texts(t.Context(), 0); ok {
		t.Errorf("a window has the text %q", text)
	}
	if got := drawAX(part.Tree); got != "TopLevel …\n Panel\n TextEdit \"Late\" focused\n" {
		t.Errorf("got\n%s", got)
	}
	elsewhere := h.element("AXMenuItem")
	h.element("AXMenuBar").with(elsewhere)
	part = readAX(t, h, h.element("AXWindow"), elsewhere, h.spent+time.Second)
	if part.Tree.Len() != 1 {
		t.Error("an element of no window was added")
	}
}

// TestAXOwners reads windows of all kinds and counts what is left in memory.
func TestAXOwners(t *testing.T) {
	h := newHeap(t)
	focus := h.element("AXTextField", AttributeValue, "text")
	window := h.element("AXWindow").with(h.element("AXColumn"), h.element("AXGroup").with(focus))
	for range 300 {
		window.with(h.element("AXGroup"))
	}
	func() {
		part := readAX(t, h, window, focus, time.Second)
		if h.owned() < part.Tree.Len() {
			t.Errorf("%d objects for %d elements", h.owned(), part.Tree.Len())
		}
		for i := range part.Tree.Len() {
			part.Tree.Text(t.Context(), i)
		}
		runtime.KeepAlive(part)
	}()
	for range 500 {
		if h.owned() == 0 {
			return
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d objects are left", h.owned())
}

// TestAXAnyWindow reads windows that chance has made: of slow, silent and gone
// elements, too, nothing stays in memory, and no more time is spent than there is.
func TestAXAnyWindow(t *testing.T) {
	roles := []string{"AXGroup", "AXScrollArea", "AXTable", "AXOutline", "AXList", "AXRow", "AXStaticText", "AXTextField", "AXRadioButton", "AXTabGroup", "AXMenu", "AXWebArea", "AXColumn", ""}
	for seed := range uint64(300) {
		chance := rand.New(rand.NewPCG(seed, 1))
		h := newHeap(t)
		all := []*Fake{h.element("AXWindow").at(0, 0, 100, 100)}
		for range chance.IntN(120) {
			f := h.element(roles[chance.IntN(len(roles))], AttributeValue, "words", AttributeTitle, []any{nil, "title", 1.0, true}[chance.IntN(4)])
			if chance.IntN(2) == 0 {
				f.at(chance.Float64()*200-50, chance.Float64()*200-50, chance.Float64()*50, chance.Float64()*50)
			}
			if chance.IntN(8) == 0 {
				f.status = []Status{StatusCannotComplete, StatusInvalidElement, StatusUnsupported, StatusNoValue}[chance.IntN(4)]
			}
			if chance.IntN(8) == 0 {
				f.cost = time.Duration(chance.IntN(60)) * time.Millisecond
			}
			outer := all[chance.IntN(len(all))]
			outer.with(f)
			outer.values[AttributeVisibleRows], outer.values[AttributeHeader] = outer.values[AttributeChildren], f
			all = append(all, f)
		}
		const budget = 100 * time.Millisecond
		w := &Walk{system: h, left: h.left(budget)}
		if status := w.walk(h.ref(all[0])); status != StatusSuccess {
			t.Fatalf("seed %d: status %d", seed, status)
		}
		focus := h.ref(all[chance.IntN(len(all))])
		w.focus(focus)
		h.Release(focus)
		if order := w.documentOrder(); len(order) > len(w.nodes) || order[0] != 0 {
			t.Errorf("seed %d: order %v", seed, order)
		}
		w.close()
		if h.owned() != 0 || h.spent > budget {
			t.Errorf("seed %d: %d objects are left, %v spent", seed, h.owned(), h.spent)
		}
	}
}
