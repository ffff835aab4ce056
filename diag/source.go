package diag

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Source is one text that diagnostics point into. The text is UTF-8; a file in
// another encoding is decoded first, and spans count bytes of the decoded text.
// It is immutable after [NewSource].
type Source struct {
	name string
	text string

	once  sync.Once
	lines []int // byte offset at which each line begins; built on first use
}

// NewSource names a text, usually by the absolute path of its file.
func NewSource(name, text string) *Source {
	return &Source{name: name, text: text}
}

// Name is the file's path, or what stands for it (`<stdin>`, `skill://x`).
func (s *Source) Name() string { return s.name }

// Text is the whole decoded text.
func (s *Source) Text() string { return s.text }

// Span is a half-open range of bytes in a source's text.
type Span struct{ Start, End int }

// NoSpan is the span of a diagnostic that concerns a whole file.
var NoSpan = Span{Start: -1, End: -1}

// IsValid is false for [NoSpan].
func (s Span) IsValid() bool { return s.Start >= 0 && s.End >= s.Start }

// Position is a line and a column for people: both numbers begin at 1, and the column
// counts characters (Unicode code points), not bytes.
type Position struct{ Line, Column int }

// Position returns the line and column of a byte offset. Offsets outside the
// text are moved to its nearest end.
func (s *Source) Position(offset int) Position {
	line, start, offset := s.locate(offset)
	return Position{Line: line + 1, Column: utf8.RuneCountInString(s.text[start:offset]) + 1}
}

// LineAt is the line of [Source.Position] alone. It does not count characters, which
// matters where many offsets of one long line are asked for.
func (s *Source) LineAt(offset int) int {
	line, _, _ := s.locate(offset)
	return line + 1
}

// Offset is the inverse of [Source.Position]: the byte offset of a 1-based line
// and column in characters, moved to the end of the line if that is shorter.
func (s *Source) Offset(p Position) int {
	lines := s.index()
	if p.Line < 1 {
		return 0
	}
	if p.Line > len(lines) {
		return len(s.text)
	}
	text := s.Line(p.Line)
	offset := lines[p.Line-1]
	for i := range text {
		if p.Column <= 1 {
			return offset + i
		}
		p.Column--
	}
	return offset + len(text)
}

// Line returns the text of a 1-based line without its line break.
func (s *Source) Line(number int) string {
	lines := s.index()
	if number < 1 || number > len(lines) {
		return ""
	}
	end := len(s.text)
	if number < len(lines) {
		end = lines[number]
	}
	line := strings.TrimSuffix(s.text[lines[number-1]:end], "\n")
	return strings.TrimSuffix(line, "\r")
}

func (s *Source) locate(offset int) (line, start, clamped int) {
	offset = min(max(offset, 0), len(s.text))
	lines := s.index()
	line = sort.SearchInts(lines, offset+1) - 1
	return line, lines[line], offset
}

// index finds the line starts. Most sources never have a diagnostic, so this
// waits until somebody asks.
func (s *Source) index() []int {
	s.once.Do(func() {
		s.lines = []int{0}
		for i := 0; i < len(s.text); {
			next := strings.IndexByte(s.text[i:], '\n')
			if next < 0 {
				break
			}
			i += next + 1
			s.lines = append(s.lines, i)
		}
	})
	return s.lines
}
