package stream_test

import (
	"strings"
	"testing"
)

// TestWordEndAfterLongRepeat: an expression that ends in \b is decided when no text can
// undo its match any more, however long what it repeats, and not before.
func TestWordEndAfterLongRepeat(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          int64
	}{
		{`\w{20,}\b`, strings.Repeat("a", 60), 20},
		{`\bkey\w{300,}\b`, "key" + strings.Repeat("a", 800), 303},
		{`x\w{500}\w*\b`, "x" + strings.Repeat("a", 800), 501},
		{`x\w{500}\w*\b`, "x" + strings.Repeat("ax", 400), 501},
		{`x\w{999,}(?:\b|$)`, "x" + strings.Repeat("a", 1200), 1000},
		{`x[^]{700}\w*\b`, "xx" + strings.Repeat("-", 600) + strings.Repeat("a", 200), 701},
		{`x\w{500,600}\b`, "x" + strings.Repeat("a", 550) + " ", 552},
		{`x\w{500}[a-z]*\b`, "x" + strings.Repeat("a", 550) + "-", 552},
	} {
		got := feed(compile(t, tt.pattern), strings.Split(tt.text, "")...)
		if len(got) != 1 || got[0].Decided != tt.want {
			t.Errorf("%s: %v, want %d", tt.pattern, got, tt.want)
		}
	}
}
