package lsp

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// cursor is an offset in YAML or JSON, as well as it can be told while somebody types:
// what is there is rarely valid. Lines are read for their indentation, brackets for
// their nesting; nothing before the offset has to be complete.
type cursor struct {
	keys  []string  // of the maps around, the outermost first
	key   string    // whose value stands here; empty: a key does
	item  bool      // an item of a list stands here: keys hold what the list is of
	word  string    // what stands here, up to the offset
	whole diag.Span // of all that stands here
	quote byte      // that it is in; 0: none
	text  bool      // it is a text of several lines
}

// level is a map, or an item of a list, that a line is in.
type level struct {
	indent int
	key    string
	item   bool
}

// yamlReader goes through text up to an offset.
type yamlReader struct {
	text   string
	offset int
	levels []level
	flow   []flowLevel
	scalar int // indentation of the key whose block of text is read; -1: none
}

// flowLevel is an open bracket.
type flowLevel struct {
	list bool
	key  string // whose value is read; empty: none yet
}

// cursorAt finds out where an offset is; start is where the YAML begins.
func cursorAt(text string, start, offset int) cursor {
	r := &yamlReader{text: text, offset: offset, scalar: -1}
	for at := start; ; {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		if offset <= end {
			return r.here(at, end)
		}
		r.line(at, end)
		at = end + 1
	}
}

// line reads a whole line before the offset.
func (r *yamlReader) line(at, end int) {
	if len(r.flow) > 0 {
		r.brackets(at, end)
		return
	}
	if r.inText(at, end) {
		return
	}
	from := r.enter(at, end)
	if from < 0 {
		return
	}
	if _, value, ok := r.keyAt(from, end); ok {
		r.value(value, end)
	} else {
		r.value(from, end)
	}
}

// inText tells whether a line belongs to a text of several lines.
func (r *yamlReader) inText(at, end int) bool {
	indent := indentOf(r.text[at:end])
	if r.scalar < 0 {
		return false
	}
	if strings.TrimSpace(r.text[at:end]) == "" || indent > r.scalar {
		return true
	}
	r.scalar = -1
	return false
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// enter leaves what a line is no longer in, goes into items of lists, and returns
// where the first key or value begins; -1: there is nothing.
func (r *yamlReader) enter(at, end int) int {
	line := strings.TrimRight(r.text[at:end], "\r \t")
	column := indentOf(line)
	if strings.HasPrefix(line[column:], "#") || line == "" {
		return -1
	}
	for {
		rest := line[column:]
		if rest != "-" && !strings.HasPrefix(rest, "- ") {
			r.leave(column, false)
			return at + column
		}
		r.leave(column, true)
		r.levels = append(r.levels, level{indent: column, item: true})
		column += 1 + indentOf(rest[1:])
		if column >= len(line) {
			return end
		}
	}
}

// leave drops the levels that a column is not below. A list may stand as far left as
// the key that it belongs to.
func (r *yamlReader) leave(column int, item bool) {
	for n := len(r.levels); n > 0; n-- {
		last := r.levels[n-1]
		if last.indent < column || item && last.indent == column && !last.item {
			return
		}
		r.levels = r.levels[:n-1]
	}
}

// keyAt reads a key and goes into its map; value is where its value begins.
func (r *yamlReader) keyAt(from, end int) (key, value int, ok bool) {
	colon := keyEnd(r.text[from:end])
	if colon < 0 {
		return 0, 0, false
	}
	lineStart := strings.LastIndexByte(r.text[:from], '\n') + 1
	r.levels = append(r.levels, level{indent: from - lineStart, key: unquote(r.text[from : from+colon])})
	value = from + colon + 1
	for value < end && r.text[value] == ' ' {
		value++
	}
	return from, value, true
}

// keyEnd is the colon after a key that a text begins with; -1: there is none.
func keyEnd(s string) int {
	if s == "" {
		return -1
	}
	if q := s[0]; q == '"' || q == '\'' {
		i := strings.IndexByte(s[1:], q)
		if i < 0 || i+2 >= len(s) || s[i+2] != ':' {
			return -1
		}
		return i + 2
	}
	if strings.IndexByte("{[|>&*!%@`#", s[0]) >= 0 {
		return -1
	}
	for i := 0; i < len(s); i++ {
		if s[i] == ':' && (i+1 == len(s) || strings.IndexByte(" \r\t", s[i+1]) >= 0) {
			return i
		}
		if s[i] == '#' && i > 0 && s[i-1] == ' ' {
			return -1
		}
	}
	return -1
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// value reads what follows a key, up to the end of the line.
func (r *yamlReader) value(from, end int) {
	if from >= end {
		return
	}
	switch r.text[from] {
	case '{', '[':
		r.brackets(from, end)
	case '|', '>':
		r.scalar = 0
		if n := len(r.levels); n > 0 {
			r.scalar = r.levels[n-1].indent
		}
	}
}

// brackets reads text in brackets, and returns where the part begins that the end of it
// is in.
func (r *yamlReader) brackets(from, end int) (part int) {
	part = from
	for i := from; i < end; i++ {
		switch c := r.text[i]; c {
		case '"', '\'':
			j := closing(r.text[i+1:end], c)
			if j < 0 {
				return part
			}
			i += j + 1
		case '{', '[':
			r.flow = append(r.flow, flowLevel{list: c == '['})
			part = i + 1
		case '}', ']':
			if n := len(r.flow); n > 0 {
				r.flow = r.flow[:n-1]
			}
			if len(r.flow) == 0 {
				return end
			}
			part = i + 1
		case ',':
			if n := len(r.flow); n > 0 {
				r.flow[n-1].key = ""
			}
			part = i + 1
		case ':':
			n := len(r.flow)
			if n == 0 || r.flow[n-1].list || i+1 < end && strings.IndexByte(" \r\t\"'{[", r.text[i+1]) < 0 {
				break
			}
			r.flow[n-1].key = unquote(r.text[part:i])
			part = i + 1
		}
	}
	return part
}

// closing is the end of a quoted text.
func closing(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && quote == '"' {
			i++
		} else if s[i] == quote {
			return i
		}
	}
	return -1
}
