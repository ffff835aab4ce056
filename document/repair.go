package document

import (
	"cmp"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v4"

	"github.com/pertain-dev/pertain/diag"
)

// Edit replaces a span of the source by another text.
type Edit struct {
	Span diag.Span
	Text string
}

// maxReread bounds how many bytes are parsed while a text is repaired: a
// hostile file must not cost the square of its length. A longer one is not repaired.
const maxReread = hugeText

// maxReadings is how often a text is read while it is repaired, many short ones being what one long one is, and shortText what
// a reading costs beside its length, in bytes.
const (
	maxReadings = 16
	shortText   = 1 << 10
)

// maxMended is how often a text is mended and read again. Files that people write need one; who has made so many different
// mistakes is told of the first.
const maxMended = 8

// mendable tells whether repairYAML can do something about the problems of a text.
func mendable(span diag.Span, problems []Problem) bool {
	return span.End-span.Start <= maxReread && slices.ContainsFunc(problems, func(p Problem) bool { return p.Kind == SyntaxError || p.Kind == UnknownTag })
}

// repairYAML reads text with mendable problems once more, with each
// offending value put in quotes. It returns the tree, whose spans still point
// into the source, the edits that would mend the file, and one problem for each
// of them (the error with its position). The node is nil if quoting does not help;
// then the problems hold the first error alone.
func repairYAML(source *diag.Source, span diag.Span, spent *reading) (*Node, []Edit, []Problem) {
	r := &repair{source: source, span: span, spent: spent, left: min(maxReread, maxReadings*(span.End-span.Start+shortText))}
	doc := &yamlText{source: source, text: source.Text()[span.Start:span.End], base: span.Start}
	var found []Problem
	for round := 0; r.left > 0 && round <= maxMended; round++ {
		node, problems := r.parse(doc)
		problem, edits := r.mend(doc, problems)
		if len(edits) > 0 {
			for _, e := range edits {
				found = append(found, quoted(problem, e, source.Text()))
			}
			doc = apply(source, span, append(doc.edits, edits...))
			continue
		}
		if isSyntax(problems) {
			if len(found) == 0 {
				found = problems
			}
			return nil, nil, found[:1]
		}
		if kept := r.needed(doc.edits, tags(problems)); len(kept) < len(doc.edits) {
			doc = apply(source, span, kept)
			found = slices.DeleteFunc(found, func(p Problem) bool { return !edited(kept, p.Span) })
			node, problems = r.parse(doc)
		}
		return node, doc.edits, append(found, problems...)
	}
	return nil, nil, found[:1]
}

// repair is one run of [Repair].
type repair struct {
	source *diag.Source
	span   diag.Span
	left   int // bytes that may still be parsed
	spent  *reading
}

func (r *repair) parse(doc *yamlText) (*Node, []Problem) {
	r.left -= len(doc.text) + shortText
	node, problems := parseYAML(doc, r.spent)
	return node, append(problems, lostValues(node)...)
}

func isSyntax(problems []Problem) bool { return len(problems) > 0 && problems[0].Kind == SyntaxError }

// mend finds edits for the syntax error, or for the first tag that is a value.
func (r *repair) mend(doc *yamlText, problems []Problem) (Problem, []Edit) {
	for _, p := range problems {
		switch p.Kind {
		case SyntaxError:
			return p, quoteAt(doc, p.Span.Start)
		case UnknownTag:
			edits := quoteAt(doc, p.Span.Start)
			if len(edits) > 0 && edits[0].Span.Start <= p.Span.Start && p.Span.Start < edits[0].Span.End {
				return p, edits
			}
		}
	}
	return Problem{}, nil
}

// quoted is the problem as it is told about one edit.
func quoted(p Problem, e Edit, text string) Problem {
	if first := text[e.Span.Start]; p.Span.Start < e.Span.Start || p.Span.Start >= e.Span.End {
		if strings.IndexByte(indicators, first) >= 0 && first != text[min(p.Span.Start, len(text)-1)] {
			p.Message = "a value that begins with `" + string(rune(first)) + "` needs quotes"
		}
	}
	p.Span = e.Span
	p.Hint = "write " + shorten(e.Text)
	return p
}

// needed leaves out the edits without which the text can be read as well: an
// error that is noticed late makes values quoted that had no part in it. left is
// how many tags there are with all edits.
func (r *repair) needed(edits []Edit, left int) []Edit {
	kept := slices.Clone(edits)
	frame := newFrame(r.source.Text()[:r.span.End], r.span.Start, nil)
	for i := len(kept) - 1; i >= 0 && len(kept) > 1 && r.left > 0; i-- {
		if frame.wrong(kept[i].Span) != 0 {
			continue
		}
		without := slices.Delete(slices.Clone(kept), i, i+1)
		if _, problems := r.parse(apply(r.source, r.span, without)); !isSyntax(problems) && tags(problems) <= left {
			kept = without
		}
	}
	return kept
}

// tags counts the values that begin like a tag.
func tags(problems []Problem) int {
	n := 0
	for _, p := range problems {
		if p.Kind == UnknownTag {
			n++
		}
	}
	return n
}

// tagSpan is where the tag of a value stands: before the value, with nothing but
// white space and comments between.
func (c *conversion) tagSpan(in *yaml.Node, n *Node) diag.Span {
	start, _ := n.extent()
	if i := strings.LastIndex(c.doc.text[:start], in.Tag); i >= 0 && in.Tag != "" {
		return diag.Span{Start: c.doc.toSource(i), End: c.doc.toSource(i + len(in.Tag))}
	}
	return n.Span()
}

// edited tells whether one of the edits, which are in order, touches the span.
func edited(edits []Edit, span diag.Span) bool {
	i, _ := slices.BinarySearchFunc(edits, span.Start, func(e Edit, at int) int { return cmp.Compare(e.Span.End, at+1) })
	return i < len(edits) && edits[i].Span.Start < span.End
}

// apply makes the document that has the edits, which are kept in order.
func apply(source *diag.Source, span diag.Span, edits []Edit) *yamlText {
	sorted := slices.Clone(edits)
	slices.SortFunc(sorted, func(a, b Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	var b strings.Builder
	positions := make([]int, 0, len(sorted))
	at := span.Start
	for _, e := range sorted {
		b.WriteString(source.Text()[at:e.Span.Start])
		positions = append(positions, b.Len())
		b.WriteString(e.Text)
		at = e.Span.End
	}
	b.WriteString(source.Text()[at:span.End])
	return &yamlText{source: source, text: b.String(), base: span.Start, edits: sorted, edited: positions}
}

func sourceLength(doc *yamlText) int {
	n := len(doc.text)
	for _, e := range doc.edits {
		n -= len(e.Text) - (e.Span.End - e.Span.Start)
	}
	return n
}

// blockHeader is what may follow a key whose text is on the lines below.
var blockHeader = expression(`^[|>](?:[1-9]?[+-]?|[+-][1-9])(?:[ \t]+#.*|[ \t]*)$`)

// quote puts a value in single quotes. A value that is well quoted already, or
// opens a block, is not the offender.
func quote(value string) (string, bool) {
	switch value[0] {
	case '|', '>':
		if blockHeader().MatchString(value) {
			return "", false
		}
	case '\'':
		if len(value) > 1 && value[len(value)-1] == '\'' && !strings.Contains(strings.ReplaceAll(value[1:len(value)-1], "''", ""), "'") {
			return "", false
		}
	}
	value = unquoted(value)
	return "'" + strings.ReplaceAll(value, "'", "''") + "'", true
}

// apostrophe is a quote inside of a word.
var apostrophe = expression(`(\w)'(\w)`)

// unquoted takes off quotes that were meant to go around the whole value: those
// of a text with wrong escapes or with an apostrophe, and one never closed.
func unquoted(value string) string {
	mark := value[:1]
	if mark != `"` && mark != "'" {
		return value
	}
	inner := strings.TrimSuffix(value[1:], mark)
	if inner == "" || strings.Contains(apostrophe().ReplaceAllString(inner, "$1$2"), mark) {
		return value
	}
	return inner
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
