package glob

import (
	"strings"
	"unicode/utf8"
)

// wild matches a text against one alternative: chunks of fixed length in characters, with a star between each two.
// With no star there is one chunk, which must be the whole text; with stars the first and the last chunk are anchored (and may
// be empty), and those between are taken at their leftmost occurrence, which is always right because their length is fixed.
type wild struct {
	chunks []chunk
}

// chunk is a run of elements without a star.
type chunk struct {
	parts []element // literal, anyChar, inClass
	chars int       // length in characters
	text  string    // the whole chunk, if plain
	plain bool
}

// newWild takes elements without braces.
func newWild(seq []element) wild {
	var w wild
	var c chunk
	for i, e := range seq {
		if e.kind == star {
			if i > 0 && seq[i-1].kind == star {
				continue
			}
			w.chunks = append(w.chunks, c.finish())
			c = chunk{}
			continue
		}
		c.parts = append(c.parts, e)
	}
	w.chunks = append(w.chunks, c.finish())
	return w
}

func (c chunk) finish() chunk {
	c.plain = len(c.parts) == 0 || len(c.parts) == 1 && c.parts[0].kind == literal
	if len(c.parts) == 1 {
		c.text = c.parts[0].text
	}
	for _, e := range c.parts {
		if e.kind == literal {
			c.chars += utf8.RuneCountInString(e.text)
		} else {
			c.chars++
		}
	}
	return c
}

func (w *wild) match(s string, m *meter) bool {
	first, last := &w.chunks[0], &w.chunks[len(w.chunks)-1]
	if len(w.chunks) == 1 {
		return first.at(s) == len(s)
	}
	n := first.at(s)
	if n < 0 {
		return false
	}
	s, ok := last.cutEnd(s[n:])
	if !ok {
		return false
	}
	for i := 1; i < len(w.chunks)-1; i++ {
		end := w.chunks[i].find(s, m)
		if end < 0 {
			return false
		}
		s = s[end:]
	}
	return true
}

// at matches the chunk at the start of s and returns where it ends, or -1.
func (c *chunk) at(s string) int {
	if c.plain {
		if strings.HasPrefix(s, c.text) {
			return len(c.text)
		}
		return -1
	}
	pos := 0
	for i := range c.parts {
		e := &c.parts[i]
		if e.kind == literal {
			if !strings.HasPrefix(s[pos:], e.text) {
				return -1
			}
			pos += len(e.text)
			continue
		}
		r, n := decode(s[pos:])
		if n == 0 || e.kind == inClass && !e.class.has(r) {
			return -1
		}
		pos += n
	}
	return pos
}

// cutEnd matches the chunk at the end of s and returns what stands before it.
func (c *chunk) cutEnd(s string) (string, bool) {
	if c.plain {
		return strings.CutSuffix(s, c.text)
	}
	start := len(s)
	for range c.chars {
		if start == 0 {
			return "", false
		}
		_, n := utf8.DecodeLastRuneInString(s[:start])
		start -= n
	}
	return s[:start], c.at(s[start:]) == len(s)-start
}

// find looks for the leftmost occurrence of the chunk in s and returns where it ends there, or -1.
func (c *chunk) find(s string, m *meter) int {
	if c.plain {
		i := strings.Index(s, c.text)
		if i < 0 {
			return -1
		}
		return i + len(c.text)
	}
	head := "" // what every match begins with
	if c.parts[0].kind == literal {
		head = c.parts[0].text
	}
	for pos := 0; pos <= len(s); {
		i := strings.Index(s[pos:], head)
		if i < 0 {
			return -1
		}
		pos += i
		if end := c.at(s[pos:]); end >= 0 {
			return pos + end
		}
		if !m.take(c.chars) {
			return -1
		}
		_, n := decode(s[pos:])
		pos += max(n, 1)
	}
	return -1
}

// plainText is the text that the pattern consists of, if it has no wildcard.
func (w *wild) plainText() (string, bool) {
	if len(w.chunks) == 1 && w.chunks[0].plain {
		return w.chunks[0].text, true
	}
	return "", false
}

// prefix is what every matching text begins with.
func (w *wild) prefix() string {
	if parts := w.chunks[0].parts; len(parts) > 0 && parts[0].kind == literal {
		return parts[0].text
	}
	return ""
}

// suffix is what every matching text ends with.
func (w *wild) suffix() string {
	parts := w.chunks[len(w.chunks)-1].parts
	if n := len(parts); n > 0 && parts[n-1].kind == literal {
		return parts[n-1].text
	}
	return ""
}

// longest is the longest text that every matching text contains, the first of several.
func (w *wild) longest() string {
	best := ""
	for _, c := range w.chunks {
		for _, e := range c.parts {
			if e.kind == literal && len(e.text) > len(best) {
				best = e.text
			}
		}
	}
	return best
}
