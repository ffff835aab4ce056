package reference_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/docs/reference"
)

func TestEntry(t *testing.T) {
	for _, test := range []struct{ topic, name, has string }{
		{"operators", "equals", "The value is this one."},
		{"operators", "caseSensitive", "`true` makes every text comparison"},
		{"paths", "clipboard.text", "kind: string\ncollected as: `clipboard.text`\nmeaning: text on the clipboard"},
		{"visual", "Button", "what it is: a button"},
		{"visual", "@bounds.width", "kind: number"},
		{"settings", "ttsr.budget", "default: `3`"},
		{"preprocessors", "selected-text", "`preprocess.selection.text` is"},
	} {
		if text, ok := reference.Entry(test.topic, test.name); !ok || !strings.Contains(text, test.has) {
			t.Errorf("%s %s: %v %q", test.topic, test.name, ok, text)
		}
	}
	for _, test := range [][2]string{{"operators", "equal"}, {"operators", ""}, {"nothing", "equals"}, {"operators", "clipboard.text: {equals: todo}"}} {
		if text, ok := reference.Entry(test[0], test[1]); ok {
			t.Errorf("%s: %q", test, text)
		}
	}
	if text, _ := reference.Entry("operators", "in"); strings.Contains(text, "## ") || strings.Contains(text, "A string has this part") {
		t.Errorf("an entry goes on into the next: %s", text)
	}
	if _, ok := reference.Page("../agents"); ok {
		t.Error("what is no topic has a page")
	}
}

func TestCells(t *testing.T) {
	if got := reference.Cells("| `a\\|b` |  | c |"); len(got) != 3 || got[0] != "`a|b`" || got[1] != "" || got[2] != "c" {
		t.Errorf("%q", got)
	}
}
