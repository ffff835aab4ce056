package uia

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/collect/internal/com"
	"github.com/pertain-dev/pertain/collect/internal/uia/api"
	"github.com/pertain-dev/pertain/collect/internal/uia/uiatest"
	"github.com/pertain-dev/pertain/collect/internal/uitree"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

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
	f := uiatest.New(t, uiatest.Editor())
	s := open(t, f)
	part, _, err := s.Tree(t.Context())
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
	if n := f.Calls["automation.ElementFromHandleBuildCache"]; n != 1 {
		t.Errorf("%d requests, want one for all", n)
	}
	if n := f.Calls["element.FindAllBuildCache"]; n != 0 {
		t.Errorf("asked %d times for children that are there", n)
	}
	want := map[string]uintptr{"focus": 0, "connection": 2000, "transaction": 2000}
	if diff := cmp.Diff(want, f.Limits); diff != "" {
		t.Error(diff)
	}
}

func TestAutomationTexts(t *testing.T) {
	f := uiatest.New(t, uiatest.Editor())
	s := open(t, f)
	part, _, err := s.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Calls["element.GetCurrentPatternAs"]; n != 0 {
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
	window := uiatest.Editor()
	f := uiatest.New(t, window)
	s := open(t, f)
	part, _, err := s.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	window.Children[2].With(api.PropertyIsPassword, true)
	for i := range part.Tree.Len() {
		if text, ok := part.Tree.Text(patient(t), i); ok && part.Tree.At(i).Name == "Text" {
			t.Errorf("got %d bytes of it", len(text))
		}
	}
}

func TestAutomationLimits(t *testing.T) {
	long := uiatest.NewNode(50008, "long")
	for range uitree.MaxChildren + 10 {
		long.Children = append(long.Children, uiatest.NewNode(50007, "item"))
	}
	deep := uiatest.NewNode(50033, "deep")
	for at, i := deep, 0; i < uitree.MaxDepth+5; i++ {
		at.Children = []*uiatest.Node{uiatest.NewNode(50033, "pane")}
		at = at.Children[0]
	}
	wide := uiatest.NewNode(50033, "wide")
	for range 30 {
		list := uiatest.NewNode(50008, "list")
		for range 200 {
			list.Children = append(list.Children, uiatest.NewNode(50007, "item"))
		}
		wide.Children = append(wide.Children, list)
	}
	for name, test := range map[string]struct {
		window *uiatest.Node
		count  int
	}{
		"children": {uiatest.NewNode(50032, "w", long), uitree.MaxChildren + 2},
		"depth":    {deep, uitree.MaxDepth + 1},
		"elements": {wide, uitree.MaxElements},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, uiatest.New(t, test.window))
			part, _, err := s.Tree(t.Context())
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
// program that hangs in the middle costs what comes after it.
func TestAutomationLevels(t *testing.T) {
	window := uiatest.Editor()
	f := uiatest.New(t, window)
	f.HangWhole = hanging(t)
	window.Children[6].Hang = f.HangWhole // Own
	s := open(t, f)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	part, _, err := s.Tree(ctx)
	if err != nil {
		t.Fatal(err)
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
		failure com.ResultError
		hang    bool
		want    diag.Code
	}{
		"denied":  {com.ErrDenied, false, diag.ExtraPermissionUnavailable},
		"gone":    {com.ErrGone, false, diag.ExtraProviderUnavailable},
		"timeout": {com.ErrSlow, false, diag.ExtraProviderTimeout},
		"other":   {0x80004005, false, diag.ExtraProviderFailed},
		"hung":    {0, true, diag.ExtraProviderTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			f := uiatest.New(t, uiatest.Editor())
			f.Failure = test.failure
			if test.hang {
				f.HangWhole = hanging(t)
			}
			s := open(t, f)
			ctx := patient(t)
			if test.hang {
				s.single = s.subtree // which hangs as well
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
				defer cancel()
			}
			_, _, err := s.Tree(ctx)
			var why *facts.CollectError
			if !errors.As(err, &why) || why.Code != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestAutomationNotThere(t *testing.T) {
	c := NewClient(func() (*com.Object, error) { return nil, com.ErrNoClass })
	_, err := c.Open(t.Context())
	var why *facts.CollectError
	if err = Unanswered(t.Context(), err); !errors.As(err, &why) || why.Code != diag.ExtraProviderUnavailable {
		t.Error(err)
	}
}

// Before Windows 8 there are no time limits to set.
func TestAutomationWithoutLimits(t *testing.T) {
	f := uiatest.New(t, uiatest.Editor())
	f.NoCache2 = true
	s := open(t, f)
	if part, _, err := s.Tree(t.Context()); err != nil || part.Tree.Len() != 20 || len(f.Limits) != 0 {
		t.Error(err, f.Limits)
	}
}

// Where no element of the window has the focus, the desktop's focus decides.
func TestAutomationFocusByDesktop(t *testing.T) {
	window := uiatest.Editor()
	window.Children[2].With(api.PropertyHasFocus, false)
	f := uiatest.New(t, window)
	f.Focus = window.Children[5].Children[1]
	s := open(t, f)
	part, _, err := s.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	primary := facts.Item(part.Values, "attachments.visual.primary").Text()
	if at, ok := part.Tree.ByID(primary); !ok || part.Tree.At(at).Name != "b.txt" {
		t.Errorf("%q", primary)
	}
	f.Focus = uiatest.NewNode(50000, "elsewhere")
	part, _, err = s.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	primary = facts.Item(part.Values, "attachments.visual.primary").Text()
	if at, _ := part.Tree.ByID(primary); at != 0 {
		t.Errorf("%q, want the window", primary)
	}
}

func TestAutomationSelection(t *testing.T) {
	page := uiatest.NewNode(50030, "Page", uiatest.NewNode(50026, "", uiatest.NewNode(50005, "link"))).Says("one two", "one", "two")
	for name, test := range map[string]struct {
		focus *uiatest.Node
		want  Selection
	}{
		"in the field":   {uiatest.Editor().Children[2], Selection{Text: "all"}},
		"of the page":    {page.Children[0].Children[0], Selection{Text: "one\ntwo"}},
		"nothing":        {uiatest.NewNode(50004, "field").Says("text"), Selection{}},
		"password":       {uiatest.Editor().Children[3], Selection{}},
		"button":         {uiatest.NewNode(50000, "OK"), Selection{}},
		"silent editor":  {uiatest.NewNode(50004, "field"), Selection{Silent: true}},
		"nobody has it":  {nil, Selection{Silent: true}},
		"silent custom":  {uiatest.NewNode(50025, "canvas"), Selection{Silent: true}},
		"empty document": {uiatest.NewNode(50030, "doc").Says(""), Selection{}},
	} {
		t.Run(name, func(t *testing.T) {
			top := uiatest.NewNode(50032, "w", page)
			f := uiatest.New(t, top)
			f.Focus = test.focus
			s := open(t, f)
			got, err := s.Selected(t.Context())
			if err != nil || got != test.want {
				t.Errorf("%+v %v, want %+v", got, err, test.want)
			}
		})
	}
}

func TestAutomationBrowser(t *testing.T) {
	page := func() *uiatest.Node {
		return uiatest.NewNode(50030, "A page").With(api.PropertyHasValue, true).With(api.PropertyValue, "https://example.org/a?b")
	}
	bar := func(value string) *uiatest.Node {
		return uiatest.NewNode(50004, "Address").With(api.PropertyClassName, "OmniboxViewViews").With(api.PropertyHasValue, true).With(api.PropertyValue, value)
	}
	for name, test := range map[string]struct {
		window *uiatest.Node
		want   string
	}{
		"of the page":    {uiatest.NewNode(50032, "A page - Browser", bar("example.org/a"), uiatest.NewNode(50033, "", page())), "https://example.org/a?b"},
		"of the field":   {uiatest.NewNode(50032, "w", bar("https://example.org/x"), uiatest.NewNode(50030, "A page")), "https://example.org/x"},
		"firefox":        {uiatest.NewNode(50032, "w", uiatest.NewNode(50003, "").With(api.PropertyAutomationID, "urlbar-input").With(api.PropertyValue, "https://example.org/y"), uiatest.NewNode(50030, "A page")), "https://example.org/y"},
		"left out":       {uiatest.NewNode(50032, "w", bar("example.org/x"), uiatest.NewNode(50030, "A page")), ""},
		"being typed":    {uiatest.NewNode(50032, "w", bar("https://exa").With(api.PropertyHasFocus, true), uiatest.NewNode(50030, "A page")), ""},
		"hidden":         {uiatest.NewNode(50032, "w", page().With(api.PropertyIsOffscreen, true)), ""},
		"no page at all": {uiatest.NewNode(50032, "w", bar("https://example.org/x")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, uiatest.New(t, test.window))
			got, ok, err := s.Page(t.Context())
			if err != nil || got.URL != test.want || ok != (test.want != "") || ok && got.Title != "A page" {
				t.Errorf("%+v %v %v, want %q", got, ok, err, test.want)
			}
		})
	}
}

// A kept tree serves until something changes, and its texts are read again after
// typing.
func TestAutomationKept(t *testing.T) {
	window := uiatest.Editor()
	s := open(t, uiatest.New(t, window))
	warm := &uitree.Kept[Target]{}
	since := warm.Generation()
	part, reader, err := s.Tree(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	warm.Keep(since, s.target, part, reader)
	kept, ok := warm.Tree(s.target)
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
	window.Children[2].Says("Dear you")
	warm.ForgetTexts()
	kept, _ = warm.Tree(s.target)
	if got := textOf(kept.Tree); got != "Dear you" {
		t.Errorf("%q", got)
	}
	other := s.target
	other.Title = "Other"
	if _, ok := warm.Tree(other); ok {
		t.Error("the tree of another window")
	}
	since = warm.Generation()
	warm.Drop()
	warm.Keep(since, s.target, part, reader)
	if _, ok := warm.Tree(s.target); ok {
		t.Error("a tree was kept that had changed while it was read")
	}
}

// Texts and lists that the program hands over are freed: of each kind, what leaks
// here would be some 50 MB.
func TestAutomationMemory(t *testing.T) {
	field := uiatest.NewNode(50004, strings.Repeat("n", 60_000)).Says(strings.Repeat("t", 60_000)).With(api.PropertyBounds, make([]float64, 15_000))
	s := open(t, uiatest.New(t, uiatest.NewNode(50032, "w", field)))
	read := func(times int) {
		for range times {
			part, _, err := s.Tree(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if text, ok := part.Tree.Text(patient(t), 1); !ok || len(text) != 60_000 {
				t.Fatalf("%d bytes", len(text))
			}
		}
		debug.FreeOSMemory() // what is left is not Go's
	}
	read(20)
	before := workingSet(t)
	read(400)
	if grown := int64(workingSet(t)) - int64(before); grown > 32<<20 {
		t.Errorf("%d MB more are in use", grown>>20)
	}
}

// workingSet is the memory of this process, in bytes. Wine tells no better number.
func workingSet(t *testing.T) uintptr {
	t.Helper()
	counters := com.Escaped[[10]uintptr]() // PROCESS_MEMORY_COUNTERS_EX: two 32-bit numbers, then sizes
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
	kinds := newTypes()
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
	window := uiatest.NewNode(50032, "w")
	for range 10 {
		list := uiatest.NewNode(50008, "list")
		for range 29 {
			list.Children = append(list.Children, uiatest.NewNode(50007, "item").With(api.PropertyBounds, []float64{1, 2, 3, 4}))
		}
		window.Children = append(window.Children, list)
	}
	s := open(b, uiatest.New(b, window))
	b.ReportAllocs()
	for b.Loop() {
		if part, _, err := s.Tree(b.Context()); err != nil || part.Tree.Len() != 301 {
			b.Fatal(err)
		}
	}
}

// open is the fake's window.
func open(t testing.TB, f *uiatest.Automation) Window {
	t.Helper()
	a, err := NewClient(f.Open).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return a.Window(Target{Handle: 77, Title: "Fake", PID: 4711, Process: "fake"})
}

// TestClientClose: UI Automation is let go, and opened again when it is needed.
func TestClientClose(t *testing.T) {
	c := NewClient(uiatest.New(t, uiatest.Editor()).Open)
	for range 2 {
		if _, err := c.Open(t.Context()); err != nil || c.made == nil {
			t.Fatal(err)
		}
		c.Close()
		if c.made != nil {
			t.Error("UI Automation was not let go")
		}
	}
}
