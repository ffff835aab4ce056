package document

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// Unclosed reads the fields at the beginning of a frontmatter that is never
// closed, up to the first line that cannot be a field; nil if there are none.
// Such a file has no frontmatter, and all of it is text; but the name that it
// gives can still be told.
func Unclosed(source *diag.Source) *Node {
	text := source.Text()
	open := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	first, start := line(text, open)
	if !isFence(text[first.Start:first.End]) || atLineStart(text, open) != open {
		return nil
	}
	end := start
	for end < len(text) {
		span, next := line(text, end)
		l := text[span.Start:span.End]
		if !fieldLine().MatchString(l) && (end == start || strings.TrimSpace(l) == "" || !strings.HasPrefix(l, " ") && !strings.HasPrefix(l, "\t") && !strings.HasPrefix(l, "- ")) {
			break
		}
		end = next
	}
	var unsaid diag.List // that it is never closed is what there is to say
	node, _, _ := lenientYAML(source, diag.Span{Start: start, End: end}, &unsaid, new(reading))
	return node
}
