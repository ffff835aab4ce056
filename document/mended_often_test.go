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

// TestAnchorsOfLongTexts: an anchor that an alias refers to is one, however many there are and however long its name is; others are
// the beginning of a value.
func TestAnchorsOfLongTexts(t *testing.T) {
	long := strings.Repeat("n", 70)
	source := diag.NewSource("a.md", "---\nused: &x1 a\nfar: &"+long+" b\nlost: &x9 c\nagain: *x1\nthere: *"+long+"\n---\nbody\n")
	doc, _ := document.Parse(source, document.Lenient)
	for key, want := range map[string]string{"used": "a", "far": "b", "lost": "&x9 c", "again": "a", "there": "b"} {
		if n := doc.Frontmatter.Get(key); n == nil || n.Text != want {
			t.Errorf("%s: %v", key, n)
		}
	}
}
