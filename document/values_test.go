package document_test

import (
	"fmt"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestValues asks each node for its value in every form.
func TestValues(t *testing.T) {
	const none = "bool false false int 0 false number 0 false decimal \"\" old false: write true or false without quotes"
	for text, want := range map[string]string{
		"true":                  "bool true true int 0 false number 0 false decimal \"\" old false: write true or false without quotes",
		"TRUE":                  "bool true true int 0 false number 0 false decimal \"\" old false: write true or false without quotes",
		"false":                 "bool false true int 0 false number 0 false decimal \"\" old false: write true or false without quotes",
		"7":                     "bool false false int 7 true number 7 true decimal \"7\" old false: write true or false without quotes",
		"0":                     "bool false false int 0 true number 0 true decimal \"0\" old false: write true or false without quotes",
		"-12":                   "bool false false int -12 true number -12 true decimal \"-12\" old false: write true or false without quotes",
		"0x1F":                  "bool false false int 31 true number 31 true decimal \"31\" old false: write true or false without quotes",
		"9223372036854775807":   "bool false false int 9223372036854775807 true number 9.223372036854776e+18 true decimal \"9223372036854775807\" old false: write true or false without quotes",
		"9223372036854775808":   "bool false false int 0 false number 9.223372036854776e+18 true decimal \"9223372036854775808\" old false: write true or false without quotes",
		"0xFFFFFFFFFFFFFFFFFF":  "bool false false int 0 false number 4.722366482869645e+21 true decimal \"4722366482869645213695\" old false: write true or false without quotes",
		"-0b1" + zeros:          "bool false false int 0 false number -1.8446744073709552e+19 true decimal \"-18446744073709551616\" old false: write true or false without quotes",
		"1.1":                   "bool false false int 0 false number 1.1 true decimal \"1.1\" old false: write true or false without quotes",
		".5":                    "bool false false int 0 false number 0.5 true decimal \".5\" old false: write true or false without quotes",
		"+1e3":                  "bool false false int 0 false number 1000 true decimal \"+1e3\" old false: write true or false without quotes",
		"1e400":                 "bool false false int 0 false number 0 false decimal \"1e400\" old false: write true or false without quotes",
		".inf":                  "bool false false int 0 false number 0 false decimal \".inf\" old false: write true or false without quotes",
		"-.inf":                 "bool false false int 0 false number 0 false decimal \"-.inf\" old false: write true or false without quotes",
		"!!float nan":           "bool false false int 0 false number 0 false decimal \"nan\" old false: write true or false without quotes",
		"!!float inf":           "bool false false int 0 false number 0 false decimal \"inf\" old false: write true or false without quotes",
		"!!float -inf":          "bool false false int 0 false number 0 false decimal \"-inf\" old false: write true or false without quotes",
		"!!bool no":             "bool false true int 0 false number 0 false decimal \"\" old false: write true or false without quotes",
		".nan":                  "bool false false int 0 false number 0 false decimal \".nan\" old false: write true or false without quotes",
		"null":                  none,
		"word":                  none,
		"'7'":                   none,
		"'true'":                none,
		"[1]":                   none,
		"{a: 1}":                none,
		"''":                    none,
		"yes":                   "bool false false int 0 false number 0 false decimal \"\" old true: `yes` is a text in today's YAML; write `true` without quotes",
		"On":                    "bool false false int 0 false number 0 false decimal \"\" old true: `On` is a text in today's YAML; write `true` without quotes",
		"no":                    "bool false false int 0 false number 0 false decimal \"\" old true: `no` is a text in today's YAML; write `false` without quotes",
		"OFF":                   "bool false false int 0 false number 0 false decimal \"\" old true: `OFF` is a text in today's YAML; write `false` without quotes",
		"123456789012345678901": "bool false false int 0 false number 1.2345678901234568e+20 true decimal \"123456789012345678901\" old false: write true or false without quotes",
	} {
		root, problems := document.ParseYAML(diag.NewSource("x", "k: "+text+"\n"))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if got := values(root.Get("k")); got != want {
			t.Errorf("%s:\n%s, want\n%s", text, got, want)
		}
	}
	if got := values(nil); got != none {
		t.Errorf("no node: %s", got)
	}
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

func values(n *document.Node) string {
	b, isBool := n.Bool()
	i, isInt := n.Int()
	f, isNumber := n.Number()
	return fmt.Sprintf("bool %t %t int %d %t number %v %t decimal %q old %t: %s", b, isBool, i, isInt, f, isNumber, n.Decimal(), document.IsOldFlag(n), document.FlagHint(n))
}

// TestNodesWithoutAFile: what was not read stands nowhere, and no node has no keys.
func TestNodesWithoutAFile(t *testing.T) {
	var none *document.Node
	if none.Get("a") != nil {
		t.Error("no node has a key")
	}
	for _, n := range []*document.Node{none, {Kind: document.String, Text: "made"}} {
		if n.Source() != nil || n.Span() != diag.NoSpan || n.SpanOf(0, 2) != diag.NoSpan {
			t.Errorf("%v stands in %v at %v, %v", n, n.Source(), n.Span(), n.SpanOf(0, 2))
		}
	}
}

// TestSpansAreWithinTheText: bytes that a text does not have are those at its ends, and parts of what is no text are the whole.
func TestSpansAreWithinTheText(t *testing.T) {
	const text = "key: \"a\\tbc\"\nlist: [x]\n"
	root, _ := document.ParseYAML(diag.NewSource("x", text))
	n, list := root.Get("key"), root.Get("list")
	if n.Source().Name() != "x" {
		t.Error("the source is lost")
	}
	part := n.Part(1, 3)
	for _, c := range []struct {
		span diag.Span
		want string
	}{
		{n.SpanOf(-3, 1), "a"},
		{n.SpanOf(-3, -1), ""},
		{n.SpanOf(2, 99), "bc"},
		{n.SpanOf(1, 2), `\t`},
		{n.SpanOf(2, 2), ""},
		{n.SpanOf(3, 1), ""},
		{n.SpanOf(0, 4), `a\tbc`},
		{n.SpanOf(98, 99), ""},
		{list.SpanOf(0, 1), "[x]"},
		{part.SpanOf(0, 1), `\t`},
		{part.SpanOf(1, 2), "b"},
		{part.SpanOf(1, 9), "b"},
		{part.Span(), `\tb`},
		{n.Part(2, 2).Span(), ""},
		{n.Part(0, 0).Span(), ""},
		{part.Part(1, 2).SpanOf(0, 1), "b"},
		{n.Named("else").SpanOf(0, 1), `"a\tbc"`},
		{part.Named("else").SpanOf(0, 1), `\tb`},
		{part.Named("else").Span(), `\tb`},
	} {
		if got := cut(text, c.span); got != c.want {
			t.Errorf("%v is %q, want %q", c.span, got, c.want)
		}
	}
	if at := n.SpanOf(98, 99); at != (diag.Span{Start: 11, End: 11}) {
		t.Errorf("beyond the end: %v", at)
	}
	folded := "k: a\n\n\n  b"
	blanks, _ := document.ParseYAML(diag.NewSource("x", folded))
	for to, want := range map[int]string{1: "a", 2: "a\n", 3: "a\n\n\n  "} { // two of its bytes come from one place
		if got := cut(folded, blanks.Get("k").Part(0, to).Span()); got != want {
			t.Errorf("%d bytes of a folded text are %q, want %q", to, got, want)
		}
	}
	made := document.MapOf(document.Entry{Key: part, Value: list}, document.Entry{Key: list.Items[0], Value: n})
	if got := cut(text, made.Span()); got != "\\tbc\"\nlist: [x" {
		t.Errorf("a map of parts is %q", got)
	}
	if kind := n.Part(0, 1).Kind; kind != document.String || n.Named("x").Kind != document.String || made.Kind.String() != "a map" {
		t.Error("kinds")
	}
}

// TestPlain: a document that is all text.
func TestPlain(t *testing.T) {
	const text = "---\na: 1\n---\nB\n"
	doc := document.Plain(diag.NewSource("x", text))
	if doc.Body != text || !doc.HasBody || doc.HasFrontmatter || doc.BodySpan != (diag.Span{Start: 0, End: len(text)}) {
		t.Errorf("%+v", doc)
	}
}
