package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const (
	tabStop      = 4   // columns a tab fills up to
	excerptWidth = 160 // columns shown of a long line, around the place
)

// excerpt returns the line of a position as a terminal shows it and the carets
// that go under the span, both cut to a window when the line is very long.
func excerpt(s *Source, span Span, pos Position) (line, marker string) {
	raw := s.Line(pos.Line)
	lineStart := s.Offset(Position{Line: pos.Line, Column: 1})
	start := span.Start - lineStart
	end := min(span.End-lineStart, len(raw)) // a span over several lines is marked on its first

	var shown strings.Builder
	column, from, to := 0, -1, -1
	var starts []int // display column at which each shown byte offset begins, for the window
	for i := 0; i < len(raw); {
		r, size := utf8.DecodeRuneInString(raw[i:])
		if i >= start && from < 0 {
			from = column
		}
		if i >= end && to < 0 {
			to = column
		}
		text, cells := cell(r, column)
		for range len(text) {
			starts = append(starts, column)
		}
		shown.WriteString(text)
		column += cells
		i += size
	}
	if from < 0 {
		from = column
	}
	if to < 0 {
		to = column
	}
	line, shift := window(shown.String(), starts, column, from)
	count := min(max(to-from, 1), excerptWidth)
	return line, strings.Repeat(" ", from-shift) + strings.Repeat("^", count)
}

// window cuts a long line around the column of interest; shift is how many
// columns were taken off the front.
func window(line string, starts []int, columns, from int) (cut string, shift int) {
	if columns <= excerptWidth {
		return line, 0
	}
	left := max(0, from-excerptWidth/2)
	first, last := 0, len(line)
	for i := range line {
		if starts[i] <= left {
			first = i
		}
		if starts[i] >= left+excerptWidth {
			last = i
			break
		}
	}
	cut, shift = line[first:last], starts[first]
	if last < len(line) {
		cut += "…"
	}
	if first > 0 {
		cut, shift = "…"+cut, shift-1
	}
	return cut, shift
}

// cell returns what a terminal is given for a rune at a column, and how many
// columns that fills.
func cell(r rune, column int) (text string, cells int) {
	switch {
	case r == '\t':
		cells = tabStop - column%tabStop
		return strings.Repeat(" ", cells), cells
	case r == utf8.RuneError || unicode.IsControl(r) || isBidiControl(r):
		return "\uFFFD", 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return string(r), 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return string(r), 2
	}
	return string(r), 1
}

// printable replaces what could move the cursor, colour the terminal or break
// the line: file names and authors' keys may hold anything.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || isBidiControl(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// isBidiControl finds the characters that reorder what follows them, with which
// a file could be made to look like something else.
func isBidiControl(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F
}
