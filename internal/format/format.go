// Package format writes the frontmatter of a file in its canonical form: fields in
// the order of the format, double quotes instead of single ones. Comments stay with the field
// below them; the text after the frontmatter, line ends and what the file means
// stay as they are. Begin with [Frontmatter].
package format

import (
	"errors"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// ErrNone says that a file has no frontmatter to format.
var ErrNone = errors.New("it has no frontmatter between two lines `---`")

// Frontmatter formats the text of a file. order are the names of the fields; others
// come after them, as they were. The error is one line for the author.
func Frontmatter(text string, order []string) (string, error) {
	source := diag.NewSource("", text)
	doc, list := document.Parse(source, document.Strict)
	for _, d := range list {
		if d.Severity == diag.Error {
			return "", errors.New(d.Sentence())
		}
	}
	start, end, ok := bounds(text)
	if !ok || !doc.HasFrontmatter {
		return "", ErrNone
	}
	if doc.Frontmatter == nil || doc.Frontmatter.Kind != document.Mapping {
		return text, nil
	}
	quoted := apply(text, quotes(doc.Frontmatter))
	if !same(text, quoted) {
		quoted = text
	}
	end += len(quoted) - len(text)
	out := quoted[:start] + sorted(quoted[start:end], order) + quoted[end:]
	if !same(text, out) {
		return quoted, nil // an anchor stands before what names it, or the like
	}
	return out, nil
}

// bounds are the offsets between the two lines that enclose the frontmatter.
func bounds(text string) (start, end int, ok bool) {
	at := 0
	for line := range strings.Lines(text) {
		isFence := strings.TrimRight(line, " \t\r\n") == "---"
		switch {
		case at == 0 && !isFence:
			return 0, 0, false
		case at == 0:
			start = len(line)
		case isFence:
			return start, at, true
		}
		at += len(line)
	}
	return 0, 0, false
}

// same tells whether two texts hold the same fields with the same values, in
// whatever order.
func same(a, b string) bool {
	one, problems := document.Parse(diag.NewSource("", a), document.Strict)
	other, more := document.Parse(diag.NewSource("", b), document.Strict)
	if problems.HasErrors() || more.HasErrors() || one.Body != other.Body || one.HasBody != other.HasBody {
		return false
	}
	if len(one.Frontmatter.Entries) != len(other.Frontmatter.Entries) {
		return false
	}
	values := make(map[string]*document.Node, len(other.Frontmatter.Entries)) // a key stands once; two of a name are an error
	for _, e := range other.Frontmatter.Entries {
		values[e.Key.Text] = e.Value
	}
	for _, e := range one.Frontmatter.Entries {
		if v := values[e.Key.Text]; v == nil || !equal(e.Value, v) {
			return false
		}
	}
	return true
}

func equal(a, b *document.Node) bool {
	return a.Kind == b.Kind && a.Text == b.Text && slices.EqualFunc(a.Items, b.Items, equal) &&
		slices.EqualFunc(a.Entries, b.Entries, func(x, y document.Entry) bool { return equal(x.Key, y.Key) && equal(x.Value, y.Value) })
}

// edit puts a text in the place of a span.
type edit struct {
	span diag.Span
	text string
}

// quotes are the texts in single quotes that can as well be in double ones. What
// holds a backslash, as expressions do, reads better as it is.
func quotes(root *document.Node) []edit {
	var edits []edit
	seen := map[int]bool{}
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		for _, item := range n.Items {
			walk(item)
		}
		for _, e := range n.Entries {
			walk(e.Key)
			walk(e.Value)
		}
		if n.Kind != document.String || strings.ContainsAny(n.Text, "\\\"") || strings.ContainsFunc(n.Text, func(r rune) bool { return r < ' ' }) {
			return
		}
		span := n.Span()
		written := n.Source().Text()[span.Start:span.End]
		if len(written) >= 2 && written[0] == '\'' && written == "'"+strings.ReplaceAll(n.Text, "'", "''")+"'" && !seen[span.Start] {
			seen[span.Start] = true
			edits = append(edits, edit{span, `"` + n.Text + `"`})
		}
	}
	walk(root)
	slices.SortFunc(edits, func(a, b edit) int { return a.span.Start - b.span.Start })
	return edits
}

func apply(text string, edits []edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.span.Start] + e.text)
		at = e.span.End
	}
	return b.String() + text[at:]
}
