package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/pertain-dev/pertain/internal/visible"
)

const (
	tabStop      = 4       // columns a tab fills up to
	excerptWidth = 160     // columns shown of a long line, around the position
	excerptReach = 4 << 10 // bytes that are looked at on each side of it: a stranger's line may have any length, and many diagnostics
)

// excerpt returns the line of a position as a terminal shows it and the carets
// that go under the span, both cut to a window when the line is very long.
func excerpt(s *Source, span Span, pos Position) (line, marker string) {
	raw := s.Line(pos.Line)
	lineStart := s.Offset(Position{Line: pos.Line, Column: 1})
	start := span.Start - lineStart
	end := min(span.End-lineStart, len(raw)) // a span over several lines is marked on its first
	raw, left, right := around(raw, start)
	start, end = start-left, min(end-left, len(raw))

	var shown strings.Builder
	column, from, to := 0, -1, -1
	shown.Grow(len(raw))
	starts := make([]int, 0, len(raw)) // display column at which each shown byte offset begins, for the window
	for i := 0; i < len(raw); {
		if i >= start && from < 0 {
			from = column
		}
		if i >= end && to < 0 {
			to = column
		}
		if c := raw[i]; c >= ' ' && c < 0x7f { // nearly all
			starts = append(starts, column)
			shown.WriteByte(c)
			column++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(raw[i:])
		text, cells := "\uFFFD", 1
		if r == '\t' || !visible.Breaks(raw, i, r, size) {
			text, cells = cell(r, column)
		}
		for k := range len(text) {
			if r == '\t' {
				starts = append(starts, column+k)
			} else {
				starts = append(starts, column)
			}
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
	line, shift, columns := window(shown.String(), starts, column, from)
	count := max(min(to-shift, columns)-(from-shift), 1) // no carets past what is shown
	marker = strings.Repeat(" ", from-shift) + strings.Repeat("^", count)
	if left > 0 && !strings.HasPrefix(line, "…") {
		line, marker = "…"+line, " "+marker
	}
	if right > 0 && !strings.HasSuffix(line, "…") {
		line += "…"
	}
	return line, marker
}

// around cuts a line to what is near an offset in it; left and right are how many bytes were taken off.
func around(line string, at int) (near string, left, right int) {
	at = min(max(at, 0), len(line))
	if at > excerptReach {
		left = at - excerptReach
		for left < at && !utf8.RuneStart(line[left]) {
			left++
		}
	}
	end := len(line)
	if end-at > excerptReach {
		end = at + excerptReach
		for end > at && !utf8.RuneStart(line[end]) {
			end--
		}
	}
	return line[left:end], left, len(line) - end
}

// window cuts a long line around the column of interest; shift is how many
// columns were taken off the front, shown how many are left.
func window(line string, starts []int, columns, from int) (cut string, shift, shown int) {
	if columns <= excerptWidth {
		return line, 0, columns
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
	cut, shift, shown = line[first:last], starts[first], columns-starts[first]
	if last < len(line) {
		cut, shown = cut+"…", starts[last]-starts[first]
	}
	if first > 0 {
		cut, shift, shown = "…"+cut, shift-1, shown+1
	}
	return cut, shift, shown
}

// cell returns what a terminal is given for a rune at a column, and how many
// columns that fills.
func cell(r rune, column int) (text string, cells int) {
	switch {
	case r == '\t':
		cells = tabStop - column%tabStop
		return strings.Repeat(" ", cells), cells
	case r == utf8.RuneError:
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

// printable replaces what could move the cursor, colour the terminal, break the
// line or hide: file names and authors' keys may hold anything.
func printable(s string) string { return visible.Line(s) }
