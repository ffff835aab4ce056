package collect

import (
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

func TestAXTexts(t *testing.T) {
	h := newAXHeap(t)
	long := strings.Repeat("x", 3*facts.MaxText)
	slow := h.element("AXTextArea", axValueOf, "never seen")
	protected := h.element("AXGroup", axProtected, true).with(h.element("AXStaticText", axValueOf, "secret"))
	window := h.element("AXWindow").with(
		h.element("AXWebArea").with(
			h.element("AXHeading").with(h.element("AXStaticText", axValueOf, "News")),
			h.element("AXGroup").with(h.element("AXStaticText", axValueOf, "It is"), h.element("AXLink").with(h.element("AXStaticText", axValueOf, "raining"))),
			h.element("AXTable").with(h.element("AXRow").with(h.element("AXCell").with(h.element("AXStaticText", axValueOf, "1")))),
			h.element("AXList").with(h.element("AXGroup").with(h.element("AXStaticText", axValueOf, "one"))),
		),
		h.element("AXTextArea", axValueOf, long, axCharacters, float64(len(long))),
		h.element("AXTextField", axValueOf, "without a count"),
		h.element("AXTextField", axValueOf, "", axCharacters, 0.0),
		h.element("AXSlider", axValueOf, 3.0),
		h.element("AXGroup", axTitle, "a panel").with(h.element("AXStaticText", axValueOf, "label")),
		protected,
		slow,
	)
	part := readAX(t, h, window, nil, time.Second)
	slow.cost = time.Hour
	got := map[string]string{}
	for i := range part.Tree.Len() {
		text, ok := part.Tree.Text(t.Context(), i)
		if !ok {
			text = "-"
		}
		got[part.Tree.Path(i)+" "+part.Tree.At(i).Name] += text + "|"
	}
	for place, want := range map[string]string{
		"/TopLevel/Document ":                             "News\nIt is\nraining\n1\none|",
		"/TopLevel/Document/Label ":                       "News|",
		"/TopLevel/Document/Panel ":                       "It is\nraining|",
		"/TopLevel/Document/Panel/Hyperlink ":             "raining|",
		"/TopLevel/Document/Table/TableRow 1":             "1|",
		"/TopLevel/Document/Table/TableRow/DataGridItem ": "1|",
		"/TopLevel/Document/ListView/ListViewItem ":       "one|",
		"/TopLevel/TextEdit ":                             long[:facts.MaxText] + "|without a count||-|",
		"/TopLevel/Slider ":                               "-|",
		"/TopLevel/Panel a panel":                         "-|",
		"/TopLevel/Panel ":                                "-|", // what is protected
		"/TopLevel/Panel/Label label":                     "label|",
		"/TopLevel/Panel/Label ":                          "", // not even shown
	} {
		if got[place] != want {
			t.Errorf("%s: %.60q, want %.60q", place, got[place], want)
		}
	}
	if len(h.spans) != 1 || h.spans[0] != 2*facts.MaxText {
		t.Errorf("asked for texts of %v units", h.spans)
	}
}

func TestAXSelection(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(f *axFake)
		want   string
		status axStatus
	}{
		{"selected", func(*axFake) {}, "two", axSuccess},
		{"a page tells no range", func(f *axFake) { f.values[axRole] = "AXWebArea"; delete(f.values, axSelectedRange) }, "two", axSuccess},
		{"nothing selected", func(f *axFake) { f.values[axSelectedRange] = axSel{5, 0} }, "", axSuccess},
		{"far too much", func(f *axFake) { f.values[axSelectedRange] = axSel{0, axMaxSelection + 1} }, "", axSuccess},
		{"a password", func(f *axFake) { f.values[axSubrole], f.secret = "AXSecureTextField", true }, "", axSuccess},
		{"a password by its role", func(f *axFake) { f.values[axRole], f.secret = "AXSecureTextField", true }, "", axSuccess},
		{"protected", func(f *axFake) { f.values[axProtected], f.secret = true, true }, "", axSuccess},
		{"hung", func(f *axFake) { f.cost = time.Hour }, "", axCannotComplete},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newAXHeap(t)
			f := h.element("AXTextArea", axSelectedText, "two", axSelectedRange, axSel{4, 3})
			tt.change(f)
			ref := h.ref(f)
			got, status := axSelectionOf(h, ref, h.left(100*time.Millisecond))
			if got != tt.want || status != tt.status {
				t.Errorf("%q, %d", got, status)
			}
			h.release(ref)
			if h.owned() != 0 {
				t.Errorf("%d objects are left", h.owned())
			}
		})
	}
}
