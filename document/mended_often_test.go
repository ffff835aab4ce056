package document_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestMendedOften: a text with more mistakes than it is mended for is not read again and again; what can be salvaged of it is.
func TestMendedOften(t *testing.T) {
	for mistakes, mended := range map[int]bool{3: true, 2000: false} {
		source := diag.NewSource("a.md", "---\nglobs: ["+strings.Repeat("a: b: c,", mistakes)+"]\nname: x\n---\nbody\n")
		doc, _ := document.Parse(source, document.Lenient)
		if got := len(doc.Edits) > 0; got != mended {
			t.Errorf("%d mistakes: %d edits", mistakes, len(doc.Edits))
		}
		if n := doc.Frontmatter.Get("name"); n == nil || n.Text != "x" {
			t.Errorf("%d mistakes: the rest is lost", mistakes)
		}
	}
}
