package lsp

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// here is the offset itself, which is on the line from at to end.
func (r *yamlReader) here(at, end int) cursor {
	end -= len(r.text[at:end]) - len(strings.TrimRight(r.text[at:end], "\r"))
	if len(r.flow) > 0 {
		return r.inBrackets(at, end)
	}
	if r.inText(at, end) && (strings.TrimSpace(r.text[at:end]) != "" || r.offset-at > r.scalar) {
		c := r.cursor()
		c.text, c.word, c.whole = true, r.text[at:r.offset], diag.Span{Start: at, End: end}
		return c.ofValue()
	}
	line := r.text[at:end]
	column := indentOf(line)
	if strings.TrimSpace(line) == "" { // a new line: where the offset is decides
		r.leave(r.offset-at, false)
		c := r.cursor()
		c.whole = diag.Span{Start: r.offset, End: r.offset}
		return c
	}
	if r.offset <= at+column && !strings.HasPrefix(line[column:], "-") {
		r.leave(r.offset-at, false)
		c := r.cursor()
		c.whole = diag.Span{Start: r.offset, End: r.offset}
		return c
	}
	from := r.enter(at, end)
	if from < 0 { // a comment
		return r.cursor()
	}
	from = min(max(from, at), end)
	before := slices.Clone(r.levels)
	key, value, ok := r.keyAt(from, end)
	switch {
	case !ok:
		return r.scalarHere(from, end, strings.HasPrefix(line[column:], "-"))
	case r.offset < value && r.offset <= key+keyEnd(r.text[key:end]):
		r.levels = before
		c := r.cursor()
		c.whole = diag.Span{Start: key, End: key + keyEnd(r.text[key:end])}
		c.word = r.text[key:max(key, r.offset)]
		return c.unquoted(r.text)
	}
	value = min(value, r.offset)
	c := r.scalarHere(value, end, false)
	if value < r.offset && (r.text[value] == '{' || r.text[value] == '[') {
		return c
	}
	return c.ofValue()
}

// scalarHere is a value, or a key without its colon, that begins at from.
func (r *yamlReader) scalarHere(from, end int, item bool) cursor {
	if from < end && (r.text[from] == '{' || r.text[from] == '[') && r.offset > from {
		return r.inBrackets(from, end)
	}
	c := r.cursor()
	stop := end
	if i := strings.Index(r.text[from:end], " #"); i >= 0 {
		stop = from + i
	}
	stop = max(from+len(strings.TrimRight(r.text[from:stop], " ")), r.offset)
	c.whole, c.word, c.item = diag.Span{Start: min(from, r.offset), End: stop}, r.text[min(from, r.offset):r.offset], item
	return c.unquoted(r.text)
}

// inBrackets is an offset within brackets that are open, or open from at on.
func (r *yamlReader) inBrackets(at, end int) cursor {
	part := r.brackets(at, r.offset)
	if len(r.flow) == 0 { // after them
		c := r.cursor()
		c.whole = diag.Span{Start: r.offset, End: r.offset}
		return c
	}
	for part < r.offset && strings.IndexByte(" \t\r\n", r.text[part]) >= 0 {
		part++
	}
	part = max(part, strings.LastIndexByte(r.text[:r.offset], '\n')+1)
	stop := r.offset
	quoted := part < r.offset && (r.text[part] == '"' || r.text[part] == '\'')
	for stop < end && (quoted && r.text[stop] != r.text[part] || !quoted && strings.IndexByte(",}]:", r.text[stop]) < 0) {
		stop++
	}
	if quoted && stop < end {
		stop++ // the quote
	}
	c := r.cursor()
	last := r.flow[len(r.flow)-1]
	c.word = r.text[part:r.offset]
	c.whole = diag.Span{Start: part, End: max(r.offset, part+len(strings.TrimRight(r.text[part:stop], " ")))}
	c.item = last.list
	if last.key != "" {
		c = c.ofValue()
	}
	return c.unquoted(r.text)
}

// cursor is where the reader is.
func (r *yamlReader) cursor() cursor {
	var c cursor
	for _, l := range r.levels {
		if !l.item {
			c.keys = append(c.keys, l.key)
		}
	}
	for _, f := range r.flow {
		if f.key != "" {
			c.keys = append(c.keys, f.key)
		}
	}
	return c
}

// ofValue is the value of the innermost key.
func (c cursor) ofValue() cursor {
	if n := len(c.keys); n > 0 {
		c.key, c.keys = c.keys[n-1], c.keys[:n-1]
	}
	return c
}

// unquoted leaves out the quotes around what stands here.
func (c cursor) unquoted(text string) cursor {
	if c.word == "" || c.word[0] != '"' && c.word[0] != '\'' {
		return c
	}
	c.quote = c.word[0]
	c.word = c.word[1:]
	c.whole.Start++
	if c.whole.End > c.whole.Start && text[c.whole.End-1] == c.quote {
		c.whole.End--
	}
	c.whole.End = max(c.whole.End, c.whole.Start+len(c.word))
	return c
}

// parent is the key of the list or map that this is in; empty: none.
func (c cursor) parent() string {
	if n := len(c.keys); n > 0 {
		return c.keys[n-1]
	}
	return ""
}
