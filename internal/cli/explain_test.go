package cli

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
)

// TestDrawTrace: what a tree leaves out is told where it would stand.
func TestDrawTrace(t *testing.T) {
	tree := &cond.Trace{Kind: "path", Label: "attachments.files", Cut: true, Value: facts.List(facts.Text("/a")), Children: []*cond.Trace{
		{Kind: "operator", Label: "any", Unlisted: 19000, Children: []*cond.Trace{{Kind: "item", Label: "item 1", Cut: true}}},
	}}
	var b strings.Builder
	drawTrace(&b, painter{}, tree, nil, "", true)
	want := `? attachments.files  = ["/a"]…  0.000 ms
  ? any  0.000 ms
    ? item 1  = …  0.000 ms
    … and 19,000 more
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// TestShownValue: of a value its beginning is shown, and no more of it is looked at.
func TestShownValue(t *testing.T) {
	for want, v := range map[string]facts.Value{
		"null":                              {},
		"true":                              facts.Flag(true),
		`["a"]`:                             facts.Texts("a"),
		`"a\nb"`:                            facts.Text("a\nb"),
		`"` + strings.Repeat("é", 98) + `"`: facts.Text(strings.Repeat("é", 98)),
		`"` + strings.Repeat("é", 96) + `…`: facts.Text(strings.Repeat("é", 99)),
	} {
		if got := shownValue(v, false); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	long := facts.Texts(strings.Repeat("é", 1<<20), strings.Repeat("é", 1<<20))
	if got := shownValue(long, false); len([]rune(got)) != 98 || !strings.HasSuffix(got, "…") {
		t.Errorf("got %s", got)
	}
	if n := testing.AllocsPerRun(10, func() { shownValue(long, false) }); n > 30 {
		t.Errorf("%v allocations", n)
	}
}

// TestReasonsOfALongCondition: where what settled it is not in the tree, nothing else is said to have.
func TestReasonsOfALongCondition(t *testing.T) {
	path := &cond.Trace{Kind: "path", Result: cond.False, Unlisted: 5}
	if tree := (&cond.Trace{Kind: "any", Children: []*cond.Trace{path}}); !wholeTree(tree) {
		t.Error("items are no parts of a condition")
	}
	if tree := (&cond.Trace{Kind: "all", Children: []*cond.Trace{path, {Kind: "any", Children: []*cond.Trace{path}, Unlisted: 1}}}); wholeTree(tree) {
		t.Error("a part is missing")
	}
}
