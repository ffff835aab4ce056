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

// text is a document's text, with the offsets of its lines and, since a line may be as
// long as the document, how much is before each block of it.
type text struct {
	string
	lines []int
	units []int // of UTF-16 before each block; a character is counted where it begins
}

// blockSize is how many bytes are walked at most to find a column.
const blockSize = 1 << 10

// newText takes what is valid UTF-8, as all that comes in JSON and all sources are.
func newText(s string) text {
	t := text{s, []int{0}, make([]int, 0, len(s)/blockSize+1)}
	units := 0
	for i := 0; i < len(s); i++ {
		if i%blockSize == 0 {
			t.units = append(t.units, units)
		}
		units += unitsAt(s[i])
		switch {
		case s[i] == '\n', s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n'):
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// unitsAt is how many units of UTF-16 the character has that begins with a byte of UTF-8;
// 0: none does.
func unitsAt(b byte) int {
	switch {
	case b < 0x80:
		return 1
	case b < 0xC0:
		return 0
	case b < 0xF0:
		return 1
	}
	return 2
}

func unitsIn(s string) int {
	units := 0
	for i := range len(s) {
		units += unitsAt(s[i])
	}
	return units
}

// before is how many units of UTF-16 are before an offset.
func (t text) before(offset int) int {
	if offset == 0 {
		return 0
	}
	block := (offset - 1) / blockSize
	return t.units[block] + unitsIn(t.string[block*blockSize:offset])
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
	start := t.lines[p.Line]
	end := start + len(t.line(p.Line))
	left := min(max(p.Character, 0), end-start)
	if by == utf8s {
		return start + column(t.string[start:end], left, by)
	}
	want, at := t.before(start)+left, start
	if block := sort.SearchInts(t.units, want+1) - 1; block*blockSize > start {
		at = block * blockSize
		for at < end && unitsAt(t.string[at]) == 0 { // of a character of the block before
			at++
		}
		left = want - t.units[block]
	}
	return min(at, end) + column(t.string[min(at, end):end], left, by)
}

// column is where so many units into a text are, or where that ends; within a character:
// before it.
func column(s string, left int, by encoding) int {
	if by == utf8s {
		at := min(left, len(s))
		for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
			at--
		}
		return at
	}
	at := 0
	for at < len(s) && left > 0 {
		units := unitsAt(s[at])
		if left < units {
			break
		}
		left -= units
		at++
		for at < len(s) && unitsAt(s[at]) == 0 {
			at++
		}
	}
	return at
}

// position is the inverse.
func (t text) position(offset int, by encoding) position {
	offset = min(max(offset, 0), len(t.string))
	number := sort.SearchInts(t.lines, offset+1) - 1
	start := t.lines[number]
	if by == utf8s {
		return position{number, offset - start}
	}
	return position{number, t.before(offset) - t.before(start)}
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
