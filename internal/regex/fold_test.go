package regex_test

import (
	"fmt"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
)

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "abc": "abc", "aBc": "abc", "ÉTÉ": "été", "ß": "ß", "İı": "İı", "\u212A": "k", "a\xffB": "a\uFFFDb",
	} {
		if got := regex.Fold(text); got != want {
			t.Errorf("Fold(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestECMAScriptFoldingAgainstNode compares every pair of characters of the basic
// plane that either side might take for equal.
func TestECMAScriptFoldingAgainstNode(t *testing.T) {
	var cases []nodeCase
	var texts [][]string
	for r := rune(0); r <= 0xFFFF; r++ {
		var others []string
		for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
			others = append(others, string(c))
		}
		for _, c := range []rune{unicode.ToUpper(r), unicode.ToLower(r)} {
			if c != r && utf8.ValidRune(c) {
				others = append(others, string(c))
			}
		}
		if len(others) == 0 {
			continue
		}
		texts = append(texts, others)
		cases = append(cases, nodeCase{fmt.Sprintf(`^\u%04x$`, r), "i", others}, nodeCase{fmt.Sprintf(`^[\u%04x]$`, r), "i", others})
	}
	for i, answer := range askNode(t, cases) {
		re, bad := compileWithFlags(cases[i].Pattern, "i")
		if bad != nil {
			t.Fatal(*bad)
		}
		for j, text := range texts[i/2] {
			if got, _ := re.MatchString(text, regex.Limit{}); got != (answer[j] != nil) {
				t.Errorf("/%s/i on %q: %v, node %v", cases[i].Pattern, text, got, answer[j] != nil)
			}
		}
	}
	t.Logf("%d characters compared", len(texts))
}
