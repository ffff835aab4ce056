package document

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// topField is a line that begins a field: a list in brackets that comes to one
// was never closed.
var topField = expression(`^[A-Za-z_][\w.-]*[ \t]*:(?:[ \t\r]|$)`)

// elements quotes the offending elements of the list in brackets that an error
// stands in: the list stays a list.
func (b *frame) elements(at int) []Edit {
	open, ok := b.listAround(at)
	if !ok {
		return nil
	}
	spans, end := flowElements(b.text, open)
	if tail := b.text[end:b.line(end).End]; at > end || strings.TrimSpace(tail) != "" && !strings.HasPrefix(strings.TrimLeft(tail, " \t"), "#") {
		return nil
	}
	var out []Edit
	add := func(span diag.Span) {
		if quoted, ok := quote(b.text[span.Start:span.End]); ok && !edited(b.edits, span) {
			out = append(out, Edit{Span: span, Text: quoted})
		}
	}
	for _, span := range spans {
		if b.offends(b.text[span.Start:span.End]) {
			add(span)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, span := range spans { // nothing that is wrong in itself: the one with the error
		if span.Start <= at && at < span.End {
			add(span)
		}
	}
	return out
}

// listAround finds the bracket that opens the list around an offset, if it is
// the value of a field or of an element and may be a list.
func (b *frame) listAround(at int) (open int, ok bool) {
	for {
		line := b.line(at)
		text := b.text[line.Start:line.End]
		if span, ok := b.valueSpan(line); ok {
			return span.Start, b.text[span.Start] == '[' && !textLine().MatchString(text)
		}
		if line.Start == b.floor || topField().MatchString(text) {
			return 0, false
		}
		at = line.Start - 1
	}
}

// flowElements takes a list in brackets apart. Commas inside braces, brackets
// and quotes do not separate, as in globs. end is after the closing bracket. A list
// that is never closed has no elements.
func flowElements(text string, open int) (elements []diag.Span, end int) {
	start, last, depth := -1, -1, 0
	flush := func() {
		if start >= 0 {
			elements = append(elements, diag.Span{Start: start, End: last})
		}
		start = -1
	}
	for i := open + 1; i < len(text); {
		next := i + 1
		switch c := text[i]; {
		case c == '\n':
			if rest, _, _ := strings.Cut(text[next:], "\n"); topField().MatchString(rest) {
				return nil, i
			}
			i = next
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i = next
			continue
		case c == '#' && strings.IndexByte(" \t\n", text[i-1]) >= 0:
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				i += n
				continue
			}
			return nil, len(text)
		case c == ',' && depth == 0:
			flush()
			i = next
			continue
		case c == ']' && depth == 0:
			flush()
			return elements, next
		case (c == '"' || c == '\'') && start < 0:
			if n := quotedLength(text[i:]); n > 0 {
				next = i + n
			}
		case c == '[' || c == '{':
			depth++
		case (c == ']' || c == '}') && depth > 0:
			depth--
		}
		if start < 0 {
			start = i
		}
		last = next
		i = next
	}
	return nil, len(text)
}

// quotedLength is how long a quoted text is that begins here and ends in the
// same line, or 0.
func quotedLength(text string) int {
	mark := text[0]
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] == '\\' && mark == '"':
			i++
		case text[i] == mark && mark == '\'' && strings.HasPrefix(text[i+1:], "'"):
			i++
		case text[i] == mark:
			return i + 1
		}
	}
	return 0
}

func wellQuoted(value string) bool { return quotedLength(value) == len(value) }

// offends tells whether an element of a list in brackets needs quotes.
func (b *frame) offends(e string) bool {
	switch e[0] {
	case '"', '\'':
		return !wellQuoted(e)
	case '{':
		return !strings.HasSuffix(e, "}") || !strings.Contains(e, ":")
	case '[':
		return !strings.HasSuffix(e, "]")
	}
	return b.surelyWrong(e) || strings.ContainsAny(e, "{}[]")
}
