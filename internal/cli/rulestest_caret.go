package cli

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const (
	caretMargin = 60 // bytes of a long line that are shown on each side of a match
	caretTab    = 4  // columns a tab fills up to, as in diagnostics
)

// caret shows the line in which a match ends, and marks the part of the match in it
// as a terminal places it: by columns, not by characters.
func caret(text string, start, end int) string {
	from := strings.LastIndexByte(text[:max(end-1, 0)], '\n') + 1
	to := len(text)
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		to = from + i
	}
	start, end = min(max(start, from), to), min(end, to)
	if to > from && text[to-1] == '\r' && end < to {
		to--
	}
	prefix, suffix := "", ""
	if start-from > 2*caretMargin {
		from, prefix = runeStart(text, start-caretMargin), "…"
	}
	if end-start > 4*caretMargin { // a match may be as long as the text
		end = runeStart(text, start+4*caretMargin)
	}
	if to-end > caretMargin {
		if cut := runeStart(text, end+caretMargin); cut < to {
			to, suffix = cut, "…"
		}
	}

	var line strings.Builder
	line.WriteString(prefix)
	column := utf8.RuneCountInString(prefix)
	first, last := -1, -1 // columns of the marks
	for at := from; at < to; {
		cluster, width := ansi.FirstGraphemeCluster(text[at:to], ansi.GraphemeWidth)
		shown := clean(strings.ToValidUTF8(cluster, "\uFFFD"))
		switch {
		case cluster == "\t":
			width = caretTab - column%caretTab
			shown = strings.Repeat(" ", width)
		case shown != cluster:
			width = ansi.StringWidth(shown)
		}
		if first < 0 && at+len(cluster) > start {
			first = column
		}
		if at < end {
			last = column + width
		}
		line.WriteString(shown)
		column += width
		at += len(cluster)
	}
	if first < 0 {
		first = column
	}
	return "  | " + line.String() + suffix + "\n  | " + strings.Repeat(" ", first) + strings.Repeat("^", max(last-first, 1)) + "\n"
}

// runeStart gives the beginning of the character at an offset.
func runeStart(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
