package document

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// indicators begin no plain value: aliases, tags, and what YAML reserves.
const indicators = "*!@`%"

// valueLine finds the value of a line `key: value` or `- value`.
var valueLine = expression(`^[ \t]*(?:- +)*(?:(?:[A-Za-z_][\w.-]*|"[^"]*"|'[^']*')[ \t]*:[ \t]+|- +)(\S.*?)[ \t]*\r?$`)

// keyLine is a line `key:` whose value, if it has one, is on the lines below.
var keyLine = expression(`^[ \t]*(?:- +)*(?:[A-Za-z_][\w.-]*|"[^"]*"|'[^']*')[ \t]*:[ \t]*(?:#.*)?\r?$`)

// textLine is a field whose value is always text: brackets in it are no list.
var textLine = expression(`^[ \t]*(?:description|name|title)[ \t]*:`)

// continuation is a line that can only belong to the plain value above it.
var continuation = expression(`^[ \t]+[^\s#-].*$`)

// anchor is what an alias may stand for.
var anchor = expression(`&[\w-]+`)

// surelyWrong tells whether a value cannot stand without quotes, whatever is
// around it: it begins like an alias of no anchor, like a tag of nobody's, or
// with what YAML reserves.
func (b *frame) surelyWrong(value string) bool {
	switch value[0] {
	case '@', '`', '%':
		return true
	case '*':
		name := value[1:]
		if i := strings.IndexAny(name, " \t\r\n,]}"); i >= 0 {
			name = name[:i]
		}
		return !b.anchors[name]
	case '!':
		return !strings.HasPrefix(value, "!!")
	}
	return false
}

// wrong tells in which way a value is surely wrong: the indicator that it begins
// with, `:` for a colon in the plain value of a key, or 0.
func (b *frame) wrong(span diag.Span) byte {
	value := b.text[span.Start:span.End]
	if b.surelyWrong(value) {
		return value[0]
	}
	lead := strings.TrimRight(b.text[b.line(span.Start).Start:span.Start], " \t")
	if strings.HasSuffix(lead, ":") && strings.Contains(value, ": ") && strings.IndexByte("\"'[{|>&!*#", value[0]) < 0 {
		return ':'
	}
	return 0
}

// quoteAt makes the edits that quote the value in which the error stands, and
// with it those beside it that are wrong in the same way.
func quoteAt(doc *yamlText, at int) []Edit {
	text := doc.source.Text()
	b := newFrame(text[:doc.base+sourceLength(doc)], doc.base, doc.edits)
	if edits := b.elements(at); len(edits) > 0 {
		return edits
	}
	edit, line, ok := b.value(at)
	if !ok {
		return nil
	}
	return append([]Edit{edit}, b.siblings(line, edit)...)
}

// frame is the text that is repaired, in the source's offsets.
type frame struct {
	text  string // up to the end of the YAML
	floor int    // where the YAML begins
	edits []Edit // made before

	anchors map[string]bool // names that aliases may have
}

func newFrame(text string, floor int, edits []Edit) *frame {
	b := &frame{text: text, floor: floor, edits: edits, anchors: map[string]bool{}}
	for _, a := range anchor().FindAllString(text[floor:], -1) {
		b.anchors[a[1:]] = true
	}
	return b
}

// line is the line that an offset stands in, without its break.
func (b *frame) line(at int) diag.Span {
	start := b.floor + strings.LastIndexByte(b.text[b.floor:at], '\n') + 1
	end := len(b.text)
	if i := strings.IndexByte(b.text[start:], '\n'); i >= 0 {
		end = start + i
	}
	return diag.Span{Start: start, End: end}
}

// value quotes the value in whose line the error stands, or in the nearest line
// above that has a plain value: an unclosed quote is noticed lines later. line
// is where the value's line begins.
func (b *frame) value(at int) (edit Edit, line diag.Span, ok bool) {
	for range 3 {
		line = b.line(at)
		if span, ok := b.valueSpan(line); ok {
			span.End = valueEnd(b.text, span)
			if quoted, ok := quote(b.text[span.Start:span.End]); ok && !edited(b.edits, span) {
				return Edit{Span: span, Text: quoted}, line, true
			}
		}
		if line.Start == b.floor {
			break
		}
		at = line.Start - 1
	}
	return Edit{}, diag.Span{}, false
}

// valueSpan is where the value of a line stands: after a key or a dash, or
// alone below its key.
func (b *frame) valueSpan(line diag.Span) (diag.Span, bool) {
	text := b.text[line.Start:line.End]
	if m := valueLine().FindStringSubmatchIndex(text); m != nil {
		return diag.Span{Start: line.Start + m[2], End: line.Start + m[3]}, true
	}
	inner := strings.TrimSpace(text)
	if indent := indentation(text); inner != "" && inner[0] != '#' && !keyLine().MatchString(text) && b.belowKey(line.Start, indent) {
		return diag.Span{Start: line.Start + indent, End: line.Start + indent + len(inner)}, true
	}
	return diag.Span{}, false
}

// belowKey tells whether the nearest line above with a text is a key of less
// indentation that has no value of its own.
func (b *frame) belowKey(start, indent int) bool {
	for start > b.floor {
		line := b.line(start - 1)
		text := b.text[line.Start:line.End]
		if inner := strings.TrimSpace(text); inner != "" && inner[0] != '#' {
			return keyLine().MatchString(text) && indentation(text) < indent
		}
		start = line.Start
	}
	return false
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// siblings quotes the values of the lines below that have the same indentation
// and surely are as wrong, so that a long list does not cost a parse each.
func (b *frame) siblings(line diag.Span, first Edit) []Edit {
	var out []Edit
	lead := b.text[line.Start:first.Span.Start]
	mark := b.wrong(first.Span)
	if mark == 0 {
		return nil
	}
	inList := strings.HasPrefix(strings.TrimLeft(lead, " \t"), "- ")
	for at := line.End + 1; at < len(b.text); {
		next := b.line(at)
		text := b.text[next.Start:next.End]
		at = next.End + 1
		inner := strings.TrimSpace(text)
		if inner == "" || inner[0] == '#' {
			continue
		}
		m := valueLine().FindStringSubmatchIndex(text)
		if m == nil || indentation(text) != indentation(lead) || strings.HasPrefix(inner, "- ") != inList {
			break
		}
		value := text[m[2]:m[3]]
		if strings.IndexByte("|>[{", value[0]) >= 0 || (value[0] == '"' || value[0] == '\'') && !wellQuoted(value) {
			break // what follows may belong to it
		}
		span := diag.Span{Start: next.Start + m[2], End: next.Start + m[3]}
		if span.End = valueEnd(b.text, span); span.End > next.End {
			break
		}
		if b.wrong(span) != mark || edited(b.edits, span) {
			continue
		}
		quoted, _ := quote(b.text[span.Start:span.End])
		out = append(out, Edit{Span: span, Text: quoted})
	}
	return out
}

// valueEnd finds where a value ends: before a comment, or with the last of the
// indented lines that go on with a plain one.
func valueEnd(text string, span diag.Span) int {
	value := text[span.Start:span.End]
	if value[0] == '"' || value[0] == '\'' {
		n := quotedLength(value)
		if rest := value[n:]; n > 0 && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#") && rest[0] != '#' {
			return span.Start + n
		}
		return span.End
	}
	if i := strings.Index(value, " #"); i > 0 {
		return span.Start + len(strings.TrimRight(value[:i], " \t"))
	}
	end := span.End
	for at := span.End; ; {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 || blockHeader().MatchString(value) {
			return end
		}
		at += next + 1
		line, _, _ := strings.Cut(text[at:], "\n")
		if !continuation().MatchString(line) || valueLine().MatchString(line) {
			return end
		}
		end = at + len(strings.TrimRight(line, " \t\r"))
	}
}
