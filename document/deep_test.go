package document_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestDeepYAML: what is nested far deeper than a tree may be is not read on, and that is told once.
func TestDeepYAML(t *testing.T) {
	for _, mode := range []document.Mode{document.Strict, document.Lenient} {
		for name, text := range map[string]string{
			"closed":   "k: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n",
			"open":     strings.Repeat("k: {a: [b: {c: [{[\n", 1600),
			"indented": "k:\n  " + strings.Repeat("- ", 300) + "x\n",
		} {
			doc, list := document.Parse(diag.NewSource("a.md", "---\nname: x\n"+text+"---\nx\n"), mode)
			if !slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, "nesting") }) || len(list) > 2 || doc == nil {
				t.Errorf("%s, %v: %v", name, mode, list)
			}
		}
	}
}

// TestManyBrokenLines: of a text that is no YAML the first values have their kinds, and the others are texts.
func TestManyBrokenLines(t *testing.T) {
	var text strings.Builder
	text.WriteString("---\nfirst: true\n\n- y\n  z\n# c\n\tw\n")
	for i := range 200 {
		text.WriteString("k" + strings.Repeat("a", i) + ": 1\n")
	}
	text.WriteString("last: true\n---\nx\n")
	doc, _ := document.Parse(diag.NewSource("a.md", text.String()), document.Lenient)
	if doc.Frontmatter == nil {
		t.Fatal("nothing is read")
	}
	if first, last := doc.Frontmatter.Get("first"), doc.Frontmatter.Get("last"); first.Kind != document.Bool || last.Kind != document.String || last.Text != "true" {
		t.Errorf("%v and %v", first.Kind, last.Kind)
	}
}
