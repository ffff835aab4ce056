package preprocess

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/google/go-cmp/cmp"
)

// left is formatting that is left open in a paragraph that is over.
func left(n int) string {
	var b strings.Builder
	b.WriteString("<p>")
	for i := range n {
		fmt.Fprintf(&b, "<b x=%d y>", i)
	}
	b.WriteString("</p>")
	return b.String()
}

func attributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " a%d", i)
	}
	return b.String()
}

// TestParserState holds that the parser has the fields that are read of it.
func TestParserState(t *testing.T) {
	r := &pageReader{parser: newPageParser(t.Context()), page: "<p>x"}
	if _, err := html.ParseWithOptions(r, r.watch()); err != nil || !r.state.known() {
		t.Errorf("%v: another parser, whose pages count as the worst ones: give parserState its fields", err)
	}
}

// TestParseCounts holds that a page becomes what the library makes of it, and no more nodes than were counted.
func TestParseCounts(t *testing.T) {
	many := strings.Repeat
	for _, page := range []string{
		"", "x", "<", "<!", "<!--", "<!-->", "<!--->x", "</", "<p", "<p x='>'>y>z",
		"<!DOCTYPE html><title>a > b</title><script>if (a > b) c = '<p>' // </x></script><style>p > a {}</style><p>x",
		"<!-- > -- <p> --!> --><p>x<!-- " + many("<p>x</p>-- ", 2000) + "--><p>y",
		"<script>" + many("a => '</'; ", 3000) + "</ScRiPt >x", "<script><!--<script></script>x</script>y", "<textarea>" + many("x", 4090) + "</textarea><p>x",
		"<svg><title><b x=1><p>x</svg><![CDATA[ > ]]><math><mi><![CDATA[ > ]]>", "<plaintext><p>x", "<noscript><p>x</noscript>", "<select><b><option>x</select>",
		many("<table>x", 40), many("<table><tr><td><b>x", 40) + many("x</b>", 100),
		left(20) + many("<p>x</p>", 100), left(20) + "<table>" + many("x<tr>", 100), left(20) + many("<object>x</object>y", 100), left(20) + "<table>" + many("<td>x</table><p>y<table>", 100),
		many("<b a b c d e f><p>x", 20) + many("</b>", 200), many("<a href=x><div>", 100), many("<nobr><p>", 100), many("<p>x</b><i y>", 200),
		many("<b><i><u><div>", 20) + many("</b></i></u>", 100), many("<font a b c><p>", 10) + many("</font><p>x", 100),
		many("<div>", 200) + many("</p>", 200), many("<b>x</b> ", 5000), many("x", 10_000) + many("<p>y", 5000),
	} {
		p := newPageParser(t.Context())
		got, err := p.parse(page)
		if err != nil {
			t.Fatal(err)
		}
		want, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rendered(t, want), rendered(t, got)); diff != "" {
			t.Errorf("%.40q (-want +got):\n%s", page, diff)
		}
		nodes := 0
		for n := range got.Descendants() {
			nodes += 1 + len(n.Attr)/2
		}
		const begin = 3 // html, head and body are there without a tag
		if counted := maxPageNodes - p.nodes; nodes > counted+begin {
			t.Errorf("%.40q became %d nodes, counted %d", page, nodes, counted)
		}
	}
}

func rendered(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	if err := html.Render(&b, n); err != nil && !strings.Contains(err.Error(), "plaintext") {
		t.Fatal(err)
	}
	return b.String()
}

// TestPagesThatGrow holds that a page is given up that would become too large, or take too long, and not before.
func TestPagesThatGrow(t *testing.T) {
	many := strings.Repeat
	for name, test := range map[string]struct {
		page string
		want string // why it is given up; empty: it is read
	}{
		"formatting opened again":  {left(480) + many("<p>x</p>", 5000), errManyNodes.Error()},
		"the same, a little":       {left(20) + many("<p>x</p>", 5000), ""},
		"in tables":                {left(480) + "<table>" + many("x<tr>", 5000), errManyNodes.Error()},
		"in noscript":              {"<noscript>" + left(480) + many("<p>x</p>", 5000) + "</noscript>", errManyNodes.Error()},
		"in drawings":              {"<svg><title>" + left(480) + many("<p>x</p>", 5000), errManyNodes.Error()},
		"large attributes, copied": {"<p><b" + attributes(50_000) + ">" + many("<p>x", 50), errManyNodes.Error()},
		"many elements":            {many("<p>x", 1_000_000), errManyNodes.Error()},
		"deep, and many ends":      {many("<div>", 480) + many("</p>", 200_000), errManySteps.Error()},
		"a text in many pieces":    {many("x</b>", 200_000), errManySteps.Error()},
		"many spans":               {many("<span>x</span>", 100_000), ""},
		"much formatting":          {many("<b>x</b><i>y</i> ", 50_000), ""},
		"a large script":           {"<script>" + many("a => b > '</' + c; ", 200_000) + "</script><p>x", ""},
		"a large comment":          {"<!--" + many("<p>x</p> -- ", 200_000) + "--><p>x", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := readPage(t.Context(), test.page, "")
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// counting is over after it was asked a number of times.
type counting struct {
	context.Context
	left int
}

func (c *counting) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestParseEnds holds that a parse ends when its context does, wherever that is.
func TestParseEnds(t *testing.T) {
	page := strings.Repeat("<div><p>x</p></div>", 1000)
	ctx := &counting{Context: t.Context(), left: 100}
	r := &pageReader{parser: newPageParser(ctx), page: page}
	_, err := html.ParseWithOptions(r, r.watch())
	if !errors.Is(err, context.DeadlineExceeded) || r.next > 1000 {
		t.Errorf("%v after %d bytes of %d", err, r.next, len(page))
	}
}
