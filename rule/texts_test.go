package rule

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/goldentest"
)

// TestGlobTextsGolden: what is made of the text of a glob before anything is compared, by every function that takes one apart. What gives
// the text itself, or nothing, is left out.
func TestGlobTextsGolden(t *testing.T) {
	one := func(f func(string) string) func(string) []string {
		return func(s string) []string { return []string{f(s)} }
	}
	functions := []struct {
		name string
		do   func(string) []string
	}{
		{"expandBraces", expandBraces},
		{"plainBraces", one(plainBraces)},
		{"singleBraces", one(singleBraces)},
		{"gitignore", func(s string) []string {
			pieces, never := gitignorePieces(s)
			if never != "" {
				return append(pieces, "never: "+never)
			}
			return pieces
		}},
		{"picomatch", picomatchPieces},
		{"anyCase", one(anyCase)},
		{"escapeGlob", one(escapeGlob)},
		{"listText", one(listText)},
		{"sample", one(sample)},
		{"extension", one(extension)},
		{"parent", one(parent)},
		{"file glob", func(s string) []string { return []string{strings.Repeat("yes", b2i(isFileGlob(s)))} }},
		{"several", func(s string) []string { return severalGlobs(&Format{}, s) }},
		{"several, extended", func(s string) []string { return severalGlobs(&Format{Extglobs: true}, s) }},
		{"commas", func(s string) []string { return commaGlobs(&Format{OnePattern: true}, s) }},
		{"commas in a list", func(s string) []string { return commaGlobs(&Format{}, s) }},
		{"weight", func(s string) []string { return []string{fmt.Sprint(weightOf(s, false), " ", weightOf(s, true))} }},
		{"closed group", func(s string) []string { return []string{strings.Repeat("yes", b2i(closedGroup(s)))} }},
		{"control character", func(s string) []string {
			at, hint := controlCharacter(s)
			return []string{strings.Repeat(fmt.Sprint(at, " ", hint), b2i(at >= 0))}
		}},
	}
	goldentest.Run(t, "testdata/globs.golden", flag.Lookup("update").Value.String() == "true", func(_ *testing.T, c goldentest.Case) string {
		var b strings.Builder
		for line := range strings.SplitSeq(c.Text, "\n") {
			fmt.Fprintf(&b, "%s\n", line)
			text := strings.NewReplacer("<BS>", "\b", "<DEL>", "\x7f", "<SOH>", "\x01", "<TAB>", "\t", "<NUL>", "\x00", "<ESC>", "\x1b").Replace(line)
			for _, f := range functions {
				if got := f.do(text); len(got) > 1 || len(got) == 1 && got[0] != text && got[0] != "" {
					fmt.Fprintf(&b, "  %s: %q\n", f.name, got)
				}
			}
		}
		return b.String()
	})
}

func b2i(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// TestManyBraces: braces stand for no more globs than can be compared.
func TestManyBraces(t *testing.T) {
	for text, want := range map[string]int{"{" + strings.Repeat("a,", 254) + "a}": 255, "{" + strings.Repeat("a,", 255) + "a}": 256, "{" + strings.Repeat("a,", 300) + "a}": 301, "{a,b}{c,d}" + strings.Repeat("{e,f}", 20): 256} {
		if got := len(expandBraces(text)); got != want {
			t.Errorf("%.20s… is %d globs, want %d", text, got, want)
		}
	}
}

// TestFolders: which folder lies above or around which.
func TestFolders(t *testing.T) {
	for _, test := range []struct {
		a, b          string
		outer, inside bool
		relative      string // of b below a, as it stands before a glob
	}{
		{"", "", false, false, ""},
		{"", "a", true, false, ""},
		{"a", "a", false, false, ""},
		{"a", "a/b", true, true, "b/"},
		{"a", "ab", false, false, ""},
		{"a/b", "a", false, false, ""},
		{"/", "/a", false, true, "a/"},
		{"/", "a", false, false, ""},
		{"/", "/", false, true, ""},
		{"/w", "/w/a[b]", true, true, `a\[b\]/`},
		{"/w", "/w", false, false, ""},
		{"/w/", "/w/a", false, false, "a/"},
		{"/w", "/wa", false, false, ""},
		{"/w", "/v/a", false, false, ""},
		{"/w", "/w//a", true, true, ""},
		{"", "/a", true, true, "a/"},
	} {
		if got := outer(test.a, test.b); got != test.outer {
			t.Errorf("outer(%q, %q) is %v", test.a, test.b, got)
		}
		if got := inside(test.a, test.b); got != test.inside {
			t.Errorf("inside(%q, %q) is %v", test.a, test.b, got)
		}
		if got := relativeFolder(test.a, test.b); got != test.relative {
			t.Errorf("relativeFolder(%q, %q) is %q, want %q", test.a, test.b, got, test.relative)
		}
	}
}
