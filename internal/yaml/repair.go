package yaml

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// Edit replaces a span of the source by another text.
type Edit struct {
	Span diag.Span
	Text string
}

// maxRepairs bounds how often a text is read again.
const maxRepairs = 64

// valueLine finds the value of a line `key: value` or `- value`.
var valueLine = regexp.MustCompile(`^[ \t]*(?:- +)*(?:(?:[A-Za-z_][\w.-]*|"[^"]*"|'[^']*'):[ \t]+|- +)(\S.*?)[ \t]*\r?$`)

// continuation is a line that can only belong to the plain value above it.
var continuation = regexp.MustCompile(`^[ \t]+[^\s#-].*$`)

// Repair reads text that [Parse] refused once more, with each offending value
// put in quotes. It returns the tree, whose spans still point into the source,
// the edits that would mend the file, and one problem for each of them (the
// syntax error with its place). The node is nil if quoting does not help; then
// the problems hold the first error alone.
func Repair(source *diag.Source, span diag.Span) (*Node, []Edit, []Problem) {
	doc := &document{source: source, text: source.Text()[span.Start:span.End], base: span.Start}
	var found []Problem
	for range maxRepairs {
		node, problems := parse(doc)
		if len(problems) == 0 || problems[0].Kind != Syntax {
			if kept := needed(source, span, doc.edits); len(kept) < len(doc.edits) {
				doc = apply(source, span, kept)
				found = slices.DeleteFunc(found, func(p Problem) bool { return !edited(kept, p.Span) })
				node, problems = parse(doc)
			}
			return node, doc.edits, append(found, problems...)
		}
		problem := problems[0]
		edit, ok := quoteValue(doc, problem.Span.Start)
		if !ok {
			if len(found) > 0 {
				problem = found[0]
			}
			return nil, nil, []Problem{problem}
		}
		problem.Span = edit.Span
		problem.Hint = "write " + shorten(edit.Text)
		found = append(found, problem)
		doc = apply(source, span, append(doc.edits, edit))
	}
	return nil, nil, found[:1]
}

// needed leaves out the edits without which the text can be read as well: an
// error that is noticed late makes values quoted that had no part in it.
func needed(source *diag.Source, span diag.Span, edits []Edit) []Edit {
	kept := slices.Clone(edits)
	for i := len(kept) - 1; i >= 0 && len(kept) > 1; i-- {
		without := slices.Delete(slices.Clone(kept), i, i+1)
		if _, problems := parse(apply(source, span, without)); len(problems) == 0 || problems[0].Kind != Syntax {
			kept = without
		}
	}
	return kept
}

// quoteValue makes the edit that quotes the value in whose line the error
// stands, or in the nearest line above that has a plain value: an unclosed
// quote is noticed lines later.
func quoteValue(doc *document, at int) (Edit, bool) {
	text := doc.source.Text()
	floor := doc.base
	limit := doc.base + sourceLength(doc)
	at = min(at, limit)
	for tries := 0; tries < 3; tries++ {
		start := floor + strings.LastIndexByte(text[floor:at], '\n') + 1
		end := limit
		if i := strings.IndexByte(text[start:limit], '\n'); i >= 0 {
			end = start + i
		}
		if m := valueLine.FindStringSubmatchIndex(text[start:end]); m != nil {
			span := diag.Span{Start: start + m[2], End: start + m[3]}
			span.End = valueEnd(text[:limit], span)
			if quoted, ok := quote(text[span.Start:span.End]); ok && !edited(doc.edits, span) {
				return Edit{Span: span, Text: quoted}, true
			}
		}
		if start == floor {
			break
		}
		at = start - 1
	}
	return Edit{}, false
}

// valueEnd finds where a plain value ends: before a comment, or with the last of
// the indented lines that go on with it.
func valueEnd(text string, span diag.Span) int {
	value := text[span.Start:span.End]
	if value[0] == '"' || value[0] == '\'' {
		return span.End
	}
	if i := strings.Index(value, " #"); i > 0 {
		return span.Start + len(strings.TrimRight(value[:i], " \t"))
	}
	end := span.End
	for at := span.End; ; {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 || value[0] == '|' || value[0] == '>' {
			return end
		}
		at += next + 1
		line, _, _ := strings.Cut(text[at:], "\n")
		if !continuation.MatchString(line) || valueLine.MatchString(line) {
			return end
		}
		end = at + len(strings.TrimRight(line, " \t\r"))
	}
}

func sourceLength(doc *document) int {
	n := len(doc.text)
	for _, e := range doc.edits {
		n -= len(e.Text) - (e.Span.End - e.Span.Start)
	}
	return n
}

func edited(edits []Edit, span diag.Span) bool {
	for _, e := range edits {
		if e.Span.Start < span.End && span.Start < e.Span.End {
			return true
		}
	}
	return false
}

// quote puts a value in single quotes. A value that is well quoted already, or
// opens a block, is not the offender.
func quote(value string) (string, bool) {
	switch value[0] {
	case '|', '>':
		return "", false
	case '\'':
		if len(value) > 1 && value[len(value)-1] == '\'' && !strings.Contains(strings.ReplaceAll(value[1:len(value)-1], "''", ""), "'") {
			return "", false
		}
	}
	value = unquoted(value)
	return "'" + strings.ReplaceAll(value, "'", "''") + "'", true
}

// apostrophe is a quote inside of a word.
var apostrophe = regexp.MustCompile(`(\w)'(\w)`)

// unquoted takes off quotes that were meant to go around the whole value: those
// of a text with wrong escapes or with an apostrophe, and one never closed.
func unquoted(value string) string {
	mark := value[:1]
	if mark != `"` && mark != "'" {
		return value
	}
	inner := strings.TrimSuffix(value[1:], mark)
	if inner == "" || strings.Contains(apostrophe.ReplaceAllString(inner, "$1$2"), mark) {
		return value
	}
	return inner
}

// apply makes the document that has the edits, which are kept in order.
func apply(source *diag.Source, span diag.Span, edits []Edit) *document {
	sorted := make([]Edit, 0, len(edits))
	for _, e := range edits {
		i := len(sorted)
		for i > 0 && sorted[i-1].Span.Start > e.Span.Start {
			i--
		}
		sorted = append(sorted[:i], append([]Edit{e}, sorted[i:]...)...)
	}
	var b strings.Builder
	at := span.Start
	for _, e := range sorted {
		b.WriteString(source.Text()[at:e.Span.Start])
		b.WriteString(e.Text)
		at = e.Span.End
	}
	b.WriteString(source.Text()[at:span.End])
	return &document{source: source, text: b.String(), base: span.Start, edits: sorted}
}

func shorten(s string) string {
	if strings.Contains(s, "\n") {
		s = strings.Join(strings.Fields(s), " ") // a message has one line
	}
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return s
}
