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
	out, _, err := FrontmatterCounted(text, order)
	return out, err
}

// FrontmatterCounted formats as [Frontmatter] does; effort is what [document.Document.Effort] says of each time that the file
// was read: once, and again for each change.
func FrontmatterCounted(text string, order []string) (out string, effort int, err error) {
	var r reader
	doc, list := r.read(text)
	for _, d := range list {
		if d.Severity == diag.Error {
			return "", r.effort, errors.New(d.Sentence())
		}
	}
	switch {
	case !doc.HasFrontmatter:
		return "", r.effort, ErrNone
	case doc.Frontmatter == nil:
		return text, r.effort, nil
	}
	if edits := quotes(doc.Frontmatter); len(edits) > 0 {
		quoted := apply(text, edits)
		if now, ok := r.readSame(doc, quoted); ok {
			text, doc = quoted, now
		}
	}
	out = text[:doc.Block.Start] + sorted(doc, order) + text[doc.Block.End:]
	if out != text {
		if _, ok := r.readSame(doc, out); !ok {
			out = text // an anchor stands before what names it, or the like
		}
	}
	return out, r.effort, nil
}

// reader counts what it reads.
type reader struct{ effort int }

func (r *reader) read(text string) (*document.Document, diag.List) {
	doc, list := document.Parse(diag.NewSource("", text), document.Strict)
	r.effort += doc.Effort()
	return doc, list
}

// readSame reads a text that should hold the same fields with the same values, in
// whatever order; ok is false if it does not.
func (r *reader) readSame(one *document.Document, text string) (other *document.Document, ok bool) {
	other, problems := r.read(text)
	if problems.HasErrors() || other.Frontmatter == nil || one.Body != other.Body || one.HasBody != other.HasBody {
		return nil, false
	}
	if len(one.Frontmatter.Entries) != len(other.Frontmatter.Entries) {
		return nil, false
	}
	values := make(map[string]*document.Node, len(other.Frontmatter.Entries)) // a key stands once; two of a name are an error
	for _, e := range other.Frontmatter.Entries {
		values[e.Key.Text] = e.Value
	}
	for _, e := range one.Frontmatter.Entries {
		if v := values[e.Key.Text]; v == nil || !equal(e.Value, v) {
			return nil, false
		}
	}
	return other, true
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
