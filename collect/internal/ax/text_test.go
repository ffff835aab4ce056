package ax

import (
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

func TestAXTexts(t *testing.T) {
	h := newHeap(t)
	long := strings.Repeat("x", 3*facts.MaxText)
	slow := h.element("AXTextArea", AttributeValue, "never seen")
	protected := h.element("AXGroup", AttributeProtected, true).with(h.element("AXStaticText", AttributeValue, "secret"))
	window := h.element("AXWindow").with(
		h.element("AXWebArea").with(
			h.element("AXHeading").with(h.element("AXStaticText", AttributeValue, "News")),
			h.element("AXGroup").with(h.element("AXStaticText", AttributeValue, "It is"), h.element("AXLink").with(h.element("AXStaticText", AttributeValue, "raining"))),
			h.element("AXTable").with(h.element("AXRow").with(h.element("AXCell").with(h.element("AXStaticText", AttributeValue, "1")))),
			h.element("AXList").with(h.element("AXGroup").with(h.element("AXStaticText", AttributeValue, "one"))),
		),
		h.element("AXTextArea", AttributeValue, long, AttributeCharacters, float64(len(long))),
		h.element("AXTextField", AttributeValue, "without a count"),
		h.element("AXTextField", AttributeValue, "", AttributeCharacters, 0.0),
		h.element("AXSlider", AttributeValue, 3.0),
		h.element("AXGroup", AttributeTitle, "a panel").with(h.element("AXStaticText", AttributeValue, "label")),
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
	for key, want := range map[string]string{
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
		if got[key] != want {
			t.Errorf("%s: %.60q, want %.60q", key, got[key], want)
		}
	}
	if len(h.spans) != 1 || h.spans[0] != 2*facts.MaxText {
		t.Errorf("asked for texts of %v units", h.spans)
	}
}

func TestAXSelection(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(f *Fake)
		want   string
		status Status
	}{
		{"selected", func(*Fake) {}, "two", StatusSuccess},
		{"a page tells no range", func(f *Fake) { f.values[AttributeRole] = "AXWebArea"; delete(f.values, AttributeSelectedRange) }, "two", StatusSuccess},
		{"nothing selected", func(f *Fake) { f.values[AttributeSelectedRange] = Sel{5, 0} }, "", StatusSuccess},
		{"far too much", func(f *Fake) { f.values[AttributeSelectedRange] = Sel{0, MaxSelection + 1} }, "", StatusSuccess},
		{"a password", func(f *Fake) { f.values[AttributeSubrole], f.secret = "AXSecureTextField", true }, "", StatusSuccess},
		{"a password by its role", func(f *Fake) { f.values[AttributeRole], f.secret = "AXSecureTextField", true }, "", StatusSuccess},
		{"protected", func(f *Fake) { f.values[AttributeProtected], f.secret = true, true }, "", StatusSuccess},
		{"hung", func(f *Fake) { f.cost = time.Hour }, "", StatusCannotComplete},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHeap(t)
			f := h.element("AXTextArea", AttributeSelectedText, "two", AttributeSelectedRange, Sel{4, 3})
			tt.change(f)
			ref := h.ref(f)
			got, status := SelectionOf(h, ref, h.left(100*time.Millisecond))
			if got != tt.want || status != tt.status {
				t.Errorf("%q, %d", got, status)
			}
			h.Release(ref)
			if h.owned() != 0 {
				t.Errorf("%d objects are left", h.owned())
			}
		})
	}
}
