package document_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/goldentest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGolden compares all that is made of a text with what testdata/golden says. A line `## KIND "TEXT"` there begins a
// case; what follows it is written by -update. Each text is there for a way through the code that no other one takes.
func TestGolden(t *testing.T) {
	for _, file := range []string{"testdata/golden/yaml.txt", "testdata/golden/files.txt"} {
		goldentest.Form{Begin: "## "}.Run(t, file, *update, func(t *testing.T, c goldentest.Case) string {
			kind, quoted, _ := strings.Cut(c.Head, " ")
			text, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatalf("%s: %s: %v", file, c.Head, err)
			}
			return describe(kind, text)
		})
	}
}

// describe writes down all that is made of a text of a kind: `yaml` is YAML as a whole, `file` one with frontmatter.
func describe(kind, text string) string {
	p := &description{}
	source := diag.NewSource("x.md", text)
	if kind == "yaml" {
		node, problems := document.ParseYAML(source)
		p.node("", node, 0)
		p.problems(problems)
		if len(problems) > 0 {
			p.line("repaired")
			node, edits, problems := document.RepairYAML(source, diag.Span{Start: 0, End: len(text)})
			p.node("", node, 0)
			p.edits(edits)
			p.problems(problems)
		}
		return p.b.String()
	}
	source, list := document.Decode("x.md", []byte(text))
	if len(list) > 0 {
		p.line("decoded %q", source.Text())
		p.list(list)
	}
	last := ""
	for _, m := range []struct {
		name string
		mode document.Mode
	}{{"strict", document.Strict}, {"lenient", document.Lenient}, {"documented", document.Documented}} {
		var one description
		doc, list := document.Parse(source, m.mode)
		one.document(doc)
		one.list(list)
		if one.b.String() == last {
			p.line("%s: the same", m.name)
			continue
		}
		last = one.b.String()
		p.line("%s:", m.name)
		p.b.WriteString(last)
	}
	if node := document.Unclosed(source); node != nil {
		p.line("unclosed:")
		p.node("", node, 0)
	}
	if list := document.Missed(source); len(list) > 0 {
		p.line("missed:")
		p.list(list)
	}
	if list := document.Unseen(source); len(list) > 0 {
		p.line("unseen:")
		p.list(list)
	}
	if heading := document.FirstHeading(source.Text()); heading != "" {
		p.line("heading %q", heading)
	}
	return p.b.String()
}

// description is what was made of a text, in lines.
type description struct{ b strings.Builder }

// line writes a line; what cannot be seen in it is escaped.
func (p *description) line(format string, args ...any) {
	for _, r := range fmt.Sprintf(format, args...) {
		if !strconv.IsPrint(r) {
			fmt.Fprintf(&p.b, "<%U>", r)
			continue
		}
		p.b.WriteRune(r)
	}
	p.b.WriteByte('\n')
}

func (p *description) document(d *document.Document) {
	p.line("  block %s body %s %q", at(d.Block), at(d.BodySpan), d.Body)
	p.line("  frontmatter %t, body %t, salvaged %t, open quote %t", d.HasFrontmatter, d.HasBody, d.Salvaged, d.OpenQuote)
	p.node("", d.Frontmatter, 1)
	p.edits(d.Edits)
}

func (p *description) node(name string, n *document.Node, depth int) {
	if n == nil || depth > 8 {
		return
	}
	text := ""
	if n.IsScalar() {
		text = " " + strconv.Quote(n.Text)
	}
	p.line("%s%s%s%s %s%s", strings.Repeat("  ", depth), name, n.Kind, text, at(n.Span()), inner(n))
	for i, item := range n.Items {
		p.node(strconv.Itoa(i)+": ", item, depth+1)
	}
	for _, e := range n.Entries {
		p.node("key: ", e.Key, depth+1)
		p.node(e.Key.Text+": ", e.Value, depth+1)
	}
}

// inner is where each byte of a scalar stands, or where the first does if the others follow it.
func inner(n *document.Node) string {
	if !n.IsScalar() || n.Text == "" || len(n.Text) > 100 {
		return ""
	}
	first := n.SpanOf(0, 1).Start
	inOnePiece := true
	var out strings.Builder
	for i := range len(n.Text) {
		s := n.SpanOf(i, i+1)
		inOnePiece = inOnePiece && s.Start == first+i && s.End == s.Start+1
		fmt.Fprintf(&out, " %s", at(s))
	}
	switch {
	case !inOnePiece:
		return " by byte" + out.String()
	case first != n.Span().Start:
		return fmt.Sprintf(" from %d", first)
	}
	return ""
}

func (p *description) edits(edits []document.Edit) {
	for _, e := range edits {
		p.line("  edit %s %q", at(e.Span), e.Text)
	}
}

func (p *description) problems(problems []document.Problem) {
	for _, x := range problems {
		p.line("  problem %d %s first %s more %d: %s (%s)", x.Kind, at(x.Span), at(x.First), x.More, x.Message, x.Hint)
	}
}

func (p *description) list(list diag.List) {
	for _, d := range list {
		position, _ := d.Position()
		p.line("  %s %s %s %d:%d: %s (%s)", d.Severity, d.Code, at(d.Span), position.Line, position.Column, d.Message, d.Hint)
		for _, r := range d.Related {
			p.line("    %s: %s", at(r.Span), r.Message)
		}
	}
}

func at(s diag.Span) string {
	if !s.IsValid() {
		return "nowhere"
	}
	return fmt.Sprintf("%d-%d", s.Start, s.End)
}
