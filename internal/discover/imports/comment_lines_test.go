package imports

import (
	"strings"
	"testing"
)

// TestCommentsOfOneLine: what is told of comments on a line does not depend on how much of the line others have; only one that is
// alone on its line goes with it.
func TestCommentsOfOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"a\n<!-- x -->\nb\n":                  "a\n\nb\n",
		"a\n \t<!-- x -->\u00a0\nb\n":         "a\n\nb\n",
		"a\n<!-- x --> <!-- y -->\nb\n":       "a\n<!-- x --> <!-- y -->\nb\n",
		"<!-- x -->":                          "",
		"a <!-- x -->\nb\n":                   "a <!-- x -->\nb\n",
		strings.Repeat("<!-- x --> ", 2) + "": strings.Repeat("<!-- x --> ", 2),
	} {
		_, own := commentRanges(text, nil)
		got := text
		for i := len(own) - 1; i >= 0; i-- {
			got = got[:own[i].Start] + got[own[i].End:]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
