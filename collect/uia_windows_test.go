package collect

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func node(control int32, name string, children ...*fakeNode) *fakeNode {
	return &fakeNode{control: control, name: name, children: children, properties: map[property]any{}}
}

func (n *fakeNode) with(p property, value any) *fakeNode {
	n.properties[p] = value
	return n
}

func (n *fakeNode) says(text string, selected ...string) *fakeNode {
	n.text, n.selected = &text, selected
	return n
}

// patient is a context that a busy machine does not outlast.
func patient(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// hanging blocks until the test is over.
func hanging(t *testing.T) <-chan struct{} {
	t.Helper()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return over
}

// sketch is a tree as lines: types by depth, name, states, bounds.
func sketch(tree *facts.Tree) string {
	var b strings.Builder
	for i := range tree.Len() {
		e := tree.At(i)
		b.WriteString(strings.Repeat("  ", strings.Count(tree.Path(i), "/")-1))
		b.WriteString(e.Type.String())
		if e.HasName {
			fmt.Fprintf(&b, " %q", e.Name)
		}
		if e.States != 0 {
			fmt.Fprintf(&b, " %s", strings.Join(e.States.Names(), ","))
		}
		if e.HasBounds {
			fmt.Fprintf(&b, " %g,%g,%g,%g", e.Bounds.X, e.Bounds.Y, e.Bounds.Width, e.Bounds.Height)
		}
		if e.Cut {
			b.WriteString(" …")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// editor is a window with one of everything that matters.
func editor() *fakeNode {
	return node(50032, "Letter - Editor",
		node(50037, ""),
		node(50010, "Menu", node(50011, "File", node(50011, "hidden")).with(propertyIsOffscreen, true)),
		node(50004, "Text").says("Dear all", "all").with(propertyHasFocus, true).with(propertyHasValue, true).with(propertyValueReadOnly, false).
			with(propertyBounds, []float64{10, 20, 300, 400}),
		node(50004, "Secret").says("hunter2").with(propertyIsPassword, true).with(propertyHasValue, true).with(propertyValue, "hunter2"),
		node(50004, "Path").with(propertyHasValue, true).with(propertyValue, `C:\letters`),
		node(50008, "Files",
			node(50007, " a.txt ").with(propertyIsSelected, true),
			node(50007, "b.txt").with(propertyIsEnabled, false)),
		node(50025, "Own", node(50027, "grip"), node(50000, "OK")),
		node(50036, "Grid", node(50029, "row", node(50029, "cell"))),
		node(50014, "Bar", node(50027, "handle")),
		node(50020, "Ready"),
		node(49999, "Odd"),
	).with(propertyBounds, []float64{0, 0, 800, 600})
}

const editorTree = `TopLevel "Letter - Editor" 0,0,800,600
  Panel
  Menu "Menu"
    MenuItem "File" offscreen
  TextEdit "Text" focused 10,20,300,400
  TextEdit "Secret" readonly,password
  TextEdit "Path" readonly
  ListView "Files"
    ListViewItem "a.txt" selected
    ListViewItem "b.txt" disabled
  Panel "Own"
    Splitter "grip"
    Button "OK"
  Table "Grid"
    TableRow "row"
      DataGridItem "cell"
  ScrollBar "Bar"
    Unknown "handle"
  Label "Ready"
  Unknown "Odd"
`

func TestAutomationTree(t *testing.T) {
	f := newFake(t, editor())
	d, s := f.scene()
	part, _, err := visual{d}.read(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(editorTree, sketch(part.Tree)); diff != "" {
		t.Error(diff)
	}
	if part.Tree.Partial() != "" || part.Summary[facts.Visual] != "20 elements" {
		t.Errorf("%q, %v", part.Tree.Partial(), part.Summary)
	}
	primary := facts.Item(part.Values, "attachments.visual.primary").Text()
	if at, ok := part.Tree.ByID(primary); !ok || part.Tree.At(at).Name != "Text" {
		t.Errorf("%q is not the focused element", primary)
	}
	if got := part.Tree.At(3).Process; got != "fake" {
		t.Errorf("process %q", got)
	}
	if n := f.calls["automation.ElementFromHandleBuildCache"]; n != 1 {
		t.Errorf("%d requests, want one for all", n)
	}
	if n := f.calls["element.FindAllBuildCache"]; n != 0 {
		t.Errorf("asked %d times for children that are there", n)
	}
	want := map[string]uintptr{"focus": 0, "connection": 2000, "transaction": 2000}
	if diff := cmp.Diff(want, f.limits); diff != "" {
		t.Error(diff)
	}
}

func TestAutomationTexts(t *testing.T) {
	f := newFake(t, editor())
	d, s := f.scene()
	part, _, err := visual{d}.read(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if n := f.calls["element.GetCurrentPatternAs"]; n != 0 {
		t.Errorf("%d texts were read that nobody asked for", n)
	}
	got := map[string]string{}
	for i := range part.Tree.Len() {
		if text, ok := part.Tree.Text(patient(t), i); ok {
			got[part.Tree.At(i).Name] = text
		}
	}
	if diff := cmp.Diff(map[string]string{"Text": "Dear all", "Path": `C:\letters`, "Ready": "Ready"}, got); diff != "" {
		t.Error(diff)
	}
}

// A field that becomes a password after the tree was read gives no text either.
func TestAutomationLatePassword(t *testing.T) {
	window := editor()
	f := newFake(t, window)
	d, s := f.scene()
	part, _, err := visual{d}.read(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	window.children[2].with(propertyIsPassword, true)
	for i := range part.Tree.Len() {
		if text, ok := part.Tree.Text(patient(t), i); ok && part.Tree.At(i).Name == "Text" {
			t.Errorf("got %d bytes of it", len(text))
		}
	}
}

func TestAutomationLimits(t *testing.T) {
	long := node(50008, "long")
	for range uitree.MaxChildren + 10 {
		long.children = append(long.children, node(50007, "item"))
	}
	deep := node(50033, "deep")
	for at, i := deep, 0; i < uitree.MaxDepth+5; i++ {
		at.children = []*fakeNode{node(50033, "pane")}
		at = at.children[0]
	}
	wide := node(50033, "wide")
	for range 30 {
		list := node(50008, "list")
		for range 200 {
			list.children = append(list.children, node(50007, "item"))
		}
		wide.children = append(wide.children, list)
	}
	for name, test := range map[string]struct {
		window *fakeNode
		count  int
	}{
		"children": {node(50032, "w", long), uitree.MaxChildren + 2},
		"depth":    {deep, uitree.MaxDepth + 1},
		"elements": {wide, uitree.MaxElements},
	} {
		t.Run(name, func(t *testing.T) {
			d, s := newFake(t, test.window).scene()
			part, _, err := visual{d}.read(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			if part.Tree.Len() != test.count || part.Tree.Partial() == "" || len(part.Tree.Cuts()) == 0 {
				t.Errorf("%d elements, want %d; partial %q with %d cuts", part.Tree.Len(), test.count, part.Tree.Partial(), len(part.Tree.Cuts()))
			}
		})
	}
}

// A window that is too much for one request is read level by level, and a
// program that hangs in the middle costs what is behind it.
func TestAutomationLevels(t *testing.T) {
	window := editor()
	f := newFake(t, window)
	f.hangWhole = hanging(t)
	window.children[6].hang = f.hangWhole // Own
	d, s := f.scene()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	part, _, err := visual{d}.read(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Error("the time was over before the answer")
	}
	want := strings.NewReplacer(
		"    Splitter \"grip\"\n    Button \"OK\"\n", "",
		"    TableRow \"row\"\n      DataGridItem \"cell\"\n", "",
		"    Unknown \"handle\"\n", "",
		"\"Own\"", "\"Own\" …", "\"Grid\"", "\"Grid\" …", "\"Bar\"", "\"Bar\" …", "\"Ready\"", "\"Ready\" …", "\"Odd\"", "\"Odd\" …",
		"\"a.txt\" selected", "\"a.txt\" selected …", "\"b.txt\" disabled", "\"b.txt\" disabled …",
		"Panel \"Own\"", "Unknown \"Own\" …",
	).Replace(editorTree)
	if diff := cmp.Diff(want, sketch(part.Tree)); diff != "" {
		t.Error(diff)
	}
	if part.Tree.Partial() == "" || !strings.Contains(part.Summary[facts.Visual], "left out") {
		t.Errorf("it does not say that something is missing: %v", part.Summary)
	}
}

func TestAutomationFailures(t *testing.T) {
	for name, test := range map[string]struct {
		failure hresult
		hang    bool
		want    diag.Code
	}{
		"denied":  {errDenied, false, diag.ExtraPermissionUnavailable},
		"gone":    {errGone, false, diag.ExtraProviderUnavailable},
		"timeout": {errSlow, false, diag.ExtraProviderTimeout},
		"other":   {0x80004005, false, diag.ExtraProviderFailed},
		"hung":    {0, true, diag.ExtraProviderTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, editor())
			f.failure = test.failure
			if test.hang {
				f.hangWhole = hanging(t)
			}
			d, s := f.scene()
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			if test.hang {
				s.single = s.subtree // which hangs as well
			}
			_, _, err := visual{d}.read(ctx, s)
			var why *facts.CollectError
			if !errors.As(err, &why) || why.Code != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestAutomationNotThere(t *testing.T) {
	d := newDesktop(Options{})
	d.create = func() (*comObject, error) { return nil, errNoClass }
	_, err := d.automation(t.Context())
	var why *facts.CollectError
	if err = unanswered(t.Context(), err); !errors.As(err, &why) || why.Code != diag.ExtraProviderUnavailable {
		t.Error(err)
	}
}

// Before Windows 8 there are no time limits to set.
func TestAutomationWithoutLimits(t *testing.T) {
	f := newFake(t, editor())
	f.noCache2 = true
	d, s := f.scene()
	if part, _, err := (visual{d}).read(t.Context(), s); err != nil || part.Tree.Len() != 20 || len(f.limits) != 0 {
		t.Error(err, f.limits)
	}
}

// Where no element of the window has the focus, the desktop's focus decides.
func TestAutomationFocusByDesktop(t *testing.T) {
	window := editor()
	window.children[2].with(propertyHasFocus, false)
	f := newFake(t, window)
	f.focus = window.children[5].children[1]
	d, s := f.scene()
	part, _, err := visual{d}.read(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	primary := facts.Item(part.Values, "attachments.visual.primary").Text()
	if at, ok := part.Tree.ByID(primary); !ok || part.Tree.At(at).Name != "b.txt" {
		t.Errorf("%q", primary)
	}
	f.focus = node(50000, "elsewhere")
	part, _, err = visual{d}.read(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	primary = facts.Item(part.Values, "attachments.visual.primary").Text()
	if at, _ := part.Tree.ByID(primary); at != 0 {
		t.Errorf("%q, want the window", primary)
	}
}

func TestAutomationSelection(t *testing.T) {
	page := node(50030, "Page", node(50026, "", node(50005, "link"))).says("one two", "one", "two")
	for name, test := range map[string]struct {
		focus *fakeNode
		want  chosen
	}{
		"in the field":   {editor().children[2], chosen{text: "all"}},
		"of the page":    {page.children[0].children[0], chosen{text: "one\ntwo"}},
		"nothing":        {node(50004, "field").says("text"), chosen{}},
		"password":       {editor().children[3], chosen{}},
		"button":         {node(50000, "OK"), chosen{}},
		"silent editor":  {node(50004, "field"), chosen{silent: true}},
		"nobody has it":  {nil, chosen{silent: true}},
		"silent custom":  {node(50025, "canvas"), chosen{silent: true}},
		"empty document": {node(50030, "doc").says(""), chosen{}},
	} {
		t.Run(name, func(t *testing.T) {
			top := node(50032, "w", page)
			f := newFake(t, top)
			f.focus = test.focus
			_, s := f.scene()
			got, err := s.selected(t.Context())
			if err != nil || got != test.want {
				t.Errorf("%+v %v, want %+v", got, err, test.want)
			}
		})
	}
}

func TestAutomationBrowser(t *testing.T) {
	page := func() *fakeNode {
		return node(50030, "A page").with(propertyHasValue, true).with(propertyValue, "https://example.org/a?b")
	}
	bar := func(value string) *fakeNode {
		return node(50004, "Address").with(propertyClassName, "OmniboxViewViews").with(propertyHasValue, true).with(propertyValue, value)
	}
	for name, test := range map[string]struct {
		window *fakeNode
		want   string
	}{
		"of the page":    {node(50032, "A page - Browser", bar("example.org/a"), node(50033, "", page())), "https://example.org/a?b"},
		"of the field":   {node(50032, "w", bar("https://example.org/x"), node(50030, "A page")), "https://example.org/x"},
		"firefox":        {node(50032, "w", node(50003, "").with(propertyAutomationID, "urlbar-input").with(propertyValue, "https://example.org/y"), node(50030, "A page")), "https://example.org/y"},
		"left out":       {node(50032, "w", bar("example.org/x"), node(50030, "A page")), ""},
		"being typed":    {node(50032, "w", bar("https://exa").with(propertyHasFocus, true), node(50030, "A page")), ""},
		"hidden":         {node(50032, "w", page().with(propertyIsOffscreen, true)), ""},
		"no page at all": {node(50032, "w", bar("https://example.org/x")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, s := newFake(t, test.window).scene()
			got, ok, err := s.page(t.Context())
			if err != nil || got.URL != test.want || ok != (test.want != "") || ok && got.Title != "A page" {
				t.Errorf("%+v %v %v, want %q", got, ok, err, test.want)
			}
		})
	}
}

// Chromium tells only by its accessible name that a window is a private one.
func TestAutomationPrivateWindow(t *testing.T) {
	for _, test := range []struct {
		name, process string
		options       Private
		refused       bool
	}{
		{"A page - Chrome (Incognito)", "chrome", Private{}, true},
		{"A page - Chrome", "chrome", Private{}, false},
		{"A page - Chrome (Incognito)", "chrome", Private{NoDefaults: true}, false},
		{"A page - Chrome (Incognito)", "chrome", Private{NoDefaults: true, Titles: []string{"*(incognito)"}}, true},
		{"A page - Chrome (Incognito)", "notepad", Private{}, false},
	} {
		d, s := newFake(t, node(50032, test.name)).scene()
		s.window.process, s.window.title, d.options.Private = test.process, "A page - Chrome", test.options
		if err := d.guardName(t.Context(), s); (err != nil) != test.refused {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// A kept tree serves until something changes, and its texts are read again after
// typing.
func TestAutomationWarmth(t *testing.T) {
	window := editor()
	d, s := newFake(t, window).scene()
	warm := &warmth{}
	since := warm.Generation()
	part, reader, err := visual{d}.read(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	warm.Keep(since, s.window, part, reader)
	kept, ok := warm.Tree(s.window)
	if !ok || kept.Tree != part.Tree {
		t.Fatal("nothing was kept")
	}
	textOf := func(tree *facts.Tree) string {
		at, _ := tree.ByID(tree.At(4).ID)
		text, _ := tree.Text(patient(t), at)
		return text
	}
	if got := textOf(kept.Tree); got != "Dear all" {
		t.Fatalf("%q", got)
	}
	window.children[2].says("Dear you")
	warm.ForgetTexts()
	kept, _ = warm.Tree(s.window)
	if got := textOf(kept.Tree); got != "Dear you" {
		t.Errorf("%q", got)
	}
	other := s.window
	other.title = "Other"
	if _, ok := warm.Tree(other); ok {
		t.Error("the tree of another window")
	}
	since = warm.Generation()
	warm.Drop()
	warm.Keep(since, s.window, part, reader)
	if _, ok := warm.Tree(s.window); ok {
		t.Error("a tree was kept that had changed while it was read")
	}
}

// Texts and lists that the program hands over are freed: of each kind, what leaks
// here would be some 50 MB.
func TestAutomationMemory(t *testing.T) {
	field := node(50004, strings.Repeat("n", 60_000)).says(strings.Repeat("t", 60_000)).with(propertyBounds, make([]float64, 15_000))
	d, s := newFake(t, node(50032, "w", field)).scene()
	read := func(times int) {
		for range times {
			part, _, err := visual{d}.read(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			if text, ok := part.Tree.Text(patient(t), 1); !ok || len(text) != 60_000 {
				t.Fatalf("%d bytes", len(text))
			}
		}
		runtime.GC()
	}
	read(20)
	before := workingSet(t)
	read(400)
	if grown := int64(workingSet(t)) - int64(before); grown > 24<<20 {
		t.Errorf("%d MB more are in use", grown>>20)
	}
}

// workingSet is the memory of this process, in bytes. Wine tells no better number.
func workingSet(t *testing.T) uintptr {
	t.Helper()
	counters := escaped[[10]uintptr]() // PROCESS_MEMORY_COUNTERS_EX: two 32-bit numbers, then sizes
	size := unsafe.Sizeof(*counters)
	*(*uint32)(unsafe.Pointer(counters)) = uint32(size)
	ok, _, _ := windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo").Call(
		uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(counters)), size)
	if ok == 0 {
		t.Skip("the system does not tell")
	}
	return counters[2] // WorkingSetSize
}

func TestControlTypes(t *testing.T) {
	kinds := newShapes()
	for control, want := range map[int32]string{
		50000: "Button", 50001: "Table", 50002: "CheckBox", 50003: "ComboBox", 50004: "TextEdit", 50005: "Hyperlink", 50006: "Image",
		50007: "ListViewItem", 50008: "ListView", 50009: "Menu", 50010: "Menu", 50011: "MenuItem", 50012: "ProgressBar", 50013: "RadioButton",
		50014: "ScrollBar", 50015: "Slider", 50016: "Spinner", 50017: "StatusBar", 50018: "TabControl", 50019: "TabItem", 50020: "Label",
		50021: "ToolBar", 50022: "Label", 50023: "TreeView", 50024: "TreeViewItem", 50025: "Unknown", 50026: "Panel", 50027: "Splitter",
		50028: "DataGrid", 50029: "DataGridItem", 50030: "Document", 50031: "Button", 50032: "Panel", 50033: "Panel", 50034: "Header",
		50035: "HeaderItem", 50036: "Table", 50037: "Panel", 50038: "Splitter", 50039: "Panel", 50040: "ToolBar", 50041: "Unknown", 0: "Unknown",
	} {
		if got := kinds.typeOf(control, false, false, facts.UnknownType).String(); got != want {
			t.Errorf("%d: %s, want %s", control, got, want)
		}
	}
}

// BenchmarkAutomationTree is what reading a window of 300 elements costs beside
// the time of the program that it belongs to.
func BenchmarkAutomationTree(b *testing.B) {
	window := node(50032, "w")
	for range 10 {
		list := node(50008, "list")
		for range 29 {
			list.children = append(list.children, node(50007, "item").with(propertyBounds, []float64{1, 2, 3, 4}))
		}
		window.children = append(window.children, list)
	}
	d, s := newFake(b, window).scene()
	b.ReportAllocs()
	for b.Loop() {
		if part, _, err := (visual{d}).read(b.Context(), s); err != nil || part.Tree.Len() != 301 {
			b.Fatal(err)
		}
	}
}
