package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
)

// encoding is how an editor counts the characters of a line.
type encoding string

const (
	utf16 encoding = "utf-16" // what every editor can
	utf8s encoding = "utf-8"
)

// text is a document's text, with the offsets of its lines.
type text struct {
	string
	lines []int
}

func newText(s string) text {
	t := text{s, []int{0}}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n', s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n'):
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// line is a line without its line break; numbers begin at 0.
func (t text) line(number int) string {
	end := len(t.string)
	if number+1 < len(t.lines) {
		end = t.lines[number+1]
	}
	return strings.TrimRight(t.string[t.lines[number]:end], "\r\n")
}

// offset is where a position is, moved to the nearest that there is.
func (t text) offset(p position, by encoding) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.lines) {
		return len(t.string)
	}
	line := t.line(p.Line)
	at, left := 0, p.Character
	for at < len(line) && left > 0 {
		r, size := utf8.DecodeRuneInString(line[at:])
		units := size
		if by == utf16 {
			units = utf16Length(r)
		}
		if left < units {
			break // within a character: before it
		}
		left -= units
		at += size
	}
	return t.lines[p.Line] + at
}

// position is the inverse.
func (t text) position(offset int, by encoding) position {
	offset = min(max(offset, 0), len(t.string))
	number := sort.SearchInts(t.lines, offset+1) - 1
	start := t.lines[number]
	line := t.string[start:offset]
	if by == utf8s {
		return position{number, len(line)}
	}
	units := 0
	for _, r := range line {
		units += utf16Length(r)
	}
	return position{number, units}
}

func utf16Length(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}

// span is where a span of a file's decoded text is: diagnostics do not count a byte
// order mark. A whole file is shown at its beginning.
func (t text) span(s diag.Span, by encoding) textRange {
	if !s.IsValid() {
		return textRange{}
	}
	mark := t.mark()
	return textRange{t.position(s.Start+mark, by), t.position(s.End+mark, by)}
}

func (t text) mark() int {
	if strings.HasPrefix(t.string, "\ufeff") {
		return len("\ufeff")
	}
	return 0
}
