package document_test

import (
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestUnseenAtStart: what no author sees before the frontmatter takes nothing from it, and is told.
func TestUnseenAtStart(t *testing.T) {
	for _, before := range []string{"\u00A0", "\u2028", "\u2029", "\u0085", "\u3000", "\u00AD", "\u200B", "\u200E", "\uFEFF\uFEFF", "\v", "\f", " \u00A0\n"} {
		doc, list := document.Parse(diag.NewSource("a.md", before+"---\npaths: \"**/*.py\"\n---\nB\n"), document.Lenient)
		if n := doc.Frontmatter.Get("paths"); n == nil || n.Text != "**/*.py" || len(list) == 0 || doc.Body != "B\n" {
			t.Errorf("after %q: %v, %v, %q", before, n, list, doc.Body)
		}
	}
}
