package format

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/document"
)

// block is a field with its lines, and the comments and blank lines above it.
type block struct {
	name  string
	lead  string
	lines string
}

// sorted is the frontmatter of a document with its fields in order. What cannot be taken apart by
// lines, such as a map in braces, stays as it is.
func sorted(doc *document.Document, order []string) string {
	text := doc.Source.Text()[doc.Block.Start:doc.Block.End]
	blocks, header, footer, ok := taken(doc.Frontmatter, text, doc.Block.Start)
	if !ok {
		return text
	}
	rank := func(b block) int {
		if at := slices.Index(order, b.name); at >= 0 {
			return at
		}
		return len(order)
	}
	inOrder := slices.Clone(blocks)
	slices.SortStableFunc(inOrder, func(a, b block) int { return cmp.Compare(rank(a), rank(b)) })
	if slices.Equal(blocks, inOrder) {
		return text
	}
	var b strings.Builder
	b.WriteString(header)
	for i, one := range inOrder {
		if i == 0 && header == "" {
			one.lead = withoutBlanks(one.lead)
		}
		b.WriteString(one.lead + one.lines)
	}
	return b.String() + footer
}

// taken takes a frontmatter apart by its top-level keys. header are the comments at
// the top that a blank line parts from the first field, footer what is after the last.
// The text begins at an offset in the file.
func taken(fields *document.Node, text string, offset int) (blocks []block, header, footer string, ok bool) {
	var starts []int
	for _, e := range fields.Entries {
		at := e.Key.Span().Start - offset
		if at < 0 || at > 0 && text[at-1] != '\n' {
			return nil, "", "", false // not at the beginning of a line
		}
		starts = append(starts, at)
	}
	if len(starts) == 0 || !slices.IsSorted(starts) {
		return nil, "", "", false
	}
	lead := text[:starts[0]]
	if at := max(strings.LastIndex(lead, "\n\n"), strings.LastIndex(lead, "\n\r\n")); at >= 0 && strings.Contains(lead, "#") {
		cut := at + 1 + len(strings.SplitAfterN(lead[at+1:], "\n", 2)[0])
		header, lead = lead[:cut], lead[cut:]
	}
	for i, start := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		lines, next := parted(text[start:end], keepsBlanks(fields.Entries[i].Value))
		blocks = append(blocks, block{fields.Entries[i].Key.Text, lead, lines})
		lead = next
	}
	return blocks, header, lead, true
}

// keepsBlanks tells whether a value ends with a text whose blank lines at the end belong to it, as `|+` says.
func keepsBlanks(n *document.Node) bool {
	switch {
	case n == nil:
		return false
	case len(n.Items) > 0:
		return keepsBlanks(n.Items[len(n.Items)-1])
	case len(n.Entries) > 0:
		return keepsBlanks(n.Entries[len(n.Entries)-1].Value)
	}
	span := n.Span()
	head, _, _ := strings.Cut(n.Source().Text()[span.Start:span.End], "\n")
	if n.Kind != document.String || head == "" || head[0] != '|' && head[0] != '>' {
		return false
	}
	head, _, _ = strings.Cut(head, "#")
	return strings.Contains(head, "+")
}

// parted divides the lines of a field from the comments and blank lines after them,
// which belong to the field below; the first blank lines do not, if the field keeps them.
func parted(text string, keeps bool) (own, following string) {
	lines := strings.SplitAfter(text, "\n")
	at := len(lines)
	for at > 1 {
		line := strings.TrimRight(lines[at-1], " \t\r\n")
		if line != "" && line[0] != '#' {
			break
		}
		at--
	}
	for keeps && at < len(lines) && strings.TrimRight(lines[at], " \t\r\n") == "" && lines[at] != "" {
		at++
	}
	return strings.Join(lines[:at], ""), strings.Join(lines[at:], "")
}

func withoutBlanks(text string) string {
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}
