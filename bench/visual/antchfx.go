package visual

import (
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"

	"github.com/pertain-dev/pertain/internal/glob"
)

// antchfx asks XPath expressions of the tree as XML, its texts folded.
func antchfx(d *desktop, queries []query) (engine, error) {
	document, err := xmlquery.Parse(strings.NewReader(xmlOf(d)))
	if err != nil {
		return engine{}, fmt.Errorf("antchfx: %w", err)
	}
	expressions := make([]*xpath.Expr, len(queries))
	for i, q := range queries {
		if expressions[i], err = xpath.Compile(xpathOf(q)); err != nil {
			return engine{}, fmt.Errorf("antchfx: query %s: %w", q, err)
		}
	}
	return engine{
		name: "antchfx",
		count: func(out []int) {
			for i, e := range expressions {
				out[i] = 0
				for nodes := e.Select(xmlquery.CreateXPathNavigator(document)); nodes.MoveNext(); {
					out[i]++
				}
			}
		},
		exists: func(out []int) {
			for i, e := range expressions {
				out[i] = number(e.Select(xmlquery.CreateXPathNavigator(document)).MoveNext())
			}
		},
	}, nil
}

// xpathOf writes a query; XML has one root, so paths begin at the screen.
func xpathOf(q query) string {
	switch q.form {
	case byState:
		return fmt.Sprintf("//TopLevel//ListViewItem[@%s='true']", q.operand)
	case byPath:
		return "/Screen" + q.String()
	}
	return q.String()
}

func xmlOf(d *desktop) string {
	var b strings.Builder
	var open []int // elements that are not closed yet
	closeTo := func(parent int) {
		for len(open) > 0 && open[len(open)-1] != parent {
			fmt.Fprintf(&b, "</%s>", d.elements[open[len(open)-1]].Type)
			open = open[:len(open)-1]
		}
	}
	for i, e := range d.elements {
		closeTo(e.Parent)
		fmt.Fprintf(&b, "<%s", e.Type)
		if e.HasName {
			attribute(&b, "name", glob.Fold(e.Name))
		}
		if d.texts[i].OK {
			attribute(&b, "text", glob.Fold(d.texts[i].Text))
		}
		for _, state := range e.States.Names() {
			attribute(&b, state, "true")
		}
		b.WriteString(">")
		open = append(open, i)
	}
	closeTo(-1)
	return b.String()
}

func attribute(b *strings.Builder, name, value string) {
	b.WriteString(" " + name + `="`)
	_ = xml.EscapeText(b, []byte(value)) // a strings.Builder takes everything
	b.WriteString(`"`)
}
