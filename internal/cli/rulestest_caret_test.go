package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// TestCaret shows what a terminal shows: the marks stand under the match, in columns.
func TestCaret(t *testing.T) {
	for _, c := range []struct {
		name, text, match string
		line, marks       string
	}{
		{"plain", "let y = x.unwrap();", ".unwrap()", "let y = x.unwrap();", "         ^^^^^^^^^"},
		{"wide before", "漢字.unwrap()", ".unwrap()", "漢字.unwrap()", "    ^^^^^^^^^"},
		{"wide match", "a 漢字 b", "漢字", "a 漢字 b", "  ^^^^"},
		{"emoji", "👩‍👩‍👧 x", "x", "👩‍👩‍👧 x", "   ^"},
		{"flag and skin", "🇩🇪👍🏽!", "!", "🇩🇪👍🏽!", "    ^"},
		{"combining before", "cafe\u0301 x", "x", "cafe\u0301 x", "     ^"},
		{"combining alone", "e\u0301x", "\u0301", "e\u0301x", "^"},
		{"base of a cluster", "ae\u0301", "e", "ae\u0301", " ^"},
		{"tabs", "\ta\tb", "b", "    a   b", "        ^"},
		{"a tab matches", "ab\tc", "\t", "ab  c", "  ^^"},
		{"controls", "\x1b[31mx\u202ey", "y", "\uFFFD[31mx\uFFFDy", "       ^"},
		{"not UTF-8", "a\xff\xfeb", "b", "a\uFFFD\uFFFDb", "   ^"},
		{"second line", "one\ntwo\nthree", "two", "two", "^^^"},
		{"over lines", "one\ntwo\nthree", "one\ntwo", "two", "^^^"},
		{"line feed", "one\ntwo", "one\n", "one", "^^^"},
		{"only a line feed", "one\ntwo", "\n", "one", "   ^"},
		{"CRLF", "one\r\ntwo", "one", "one", "^^^"},
		{"at the end", "one", "", "one", "   ^"},
		{"nothing", "", "", "", "^"},
	} {
		start := strings.Index(c.text, c.match)
		if c.match == "" {
			start = len(c.text)
		}
		want := "  | " + c.line + "\n  | " + c.marks + "\n"
		if got := caret(c.text, start, start+len(c.match)); got != want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, want)
		}
	}
}

// A long line is cut around the match, at characters, and the marks stay under it.
func TestCaretLongLines(t *testing.T) {
	for _, filler := range []string{"x", "é", "漢"} {
		text := strings.Repeat(filler, 5000) + "HERE" + strings.Repeat(filler, 5000)
		start := strings.Index(text, "HERE")
		lines := strings.Split(caret(text, start, start+4), "\n")
		if !utf8.ValidString(lines[0]) || len(lines[0]) > 300 || !strings.HasPrefix(lines[0], "  | …") || !strings.HasSuffix(lines[0], "…") {
			t.Errorf("shown is %q", lines[0])
		}
		before, _, _ := strings.Cut(lines[0], "HERE")
		if at := strings.IndexByte(lines[1], '^'); at != ansi.StringWidth(before) || strings.Count(lines[1], "^") != 4 {
			t.Errorf("marks\n%s\n%s", lines[0], lines[1])
		}
		if whole := caret(text, 0, len(text)); len(whole) > 2000 {
			t.Errorf("a match of %d bytes is shown in %d", len(text), len(whole))
		}
	}
}

func FuzzCaret(f *testing.F) {
	f.Add("漢字\tx\r\ny\xff", 2, 9)
	f.Add("", 0, 0)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		if start < 0 || start > end || end > len(text) {
			t.Skip()
		}
		lines := strings.Split(caret(text, start, end), "\n")
		if len(lines) != 3 || !strings.Contains(lines[1], "^") || strings.ContainsAny(lines[0], "\t\r\x1b") || !utf8.ValidString(lines[0]) {
			t.Errorf("%q", lines)
		}
	})
}
