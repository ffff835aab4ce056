package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// parse decodes and parses in strict mode; what Decode finds ends the reading, as in a strategy.
func parse(t *testing.T, data string) (*document.Document, diag.List) {
	t.Helper()
	source, list := document.Decode("x.strategy.md", []byte(data))
	if list.HasErrors() {
		return nil, list
	}
	return document.Parse(source, document.Strict)
}

// positions are the diagnostics as CODE LINE:COLUMN.
func positions(list diag.List) string {
	var out []string
	for _, d := range list {
		position := "-"
		if p, ok := d.Position(); ok {
			position = fmt.Sprintf("%d:%d", p.Line, p.Column)
		}
		out = append(out, string(d.Code)+" "+position)
	}
	return strings.Join(out, ", ")
}

// TestStrict has a row for every sentence of docs/reference/strategies.md on the file.
func TestStrict(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // diagnostics
		body       string
		hasBody    bool
	}{
		{name: "usual", text: "---\nname: x\n---\nbody\n", body: "body\n", hasBody: true},
		{name: "byte order mark", text: "\uFEFF---\nname: x\n---\nbody", body: "body", hasBody: true},
		{name: "CRLF", text: "---\r\nname: x\r\n---\r\nbody\r\n", body: "body\r\n", hasBody: true},
		{name: "trailing blanks on the fences", text: "--- \t\nname: x\n---  \nbody", body: "body", hasBody: true},
		{name: "no body", text: "---\nname: x\n---"},
		{name: "no body but a line break", text: "---\nname: x\n---\n", body: ""},
		{name: "a body of white space is none", text: "---\nname: x\n---\n \t\r\n\n", body: " \t\r\n\n"},
		{name: "a rule in the body is body", text: "---\nname: x\n---\na\n---\nb\n", body: "a\n---\nb\n", hasBody: true},
		{name: "nothing between the fences", text: "---\n---\nbody", body: "body", hasBody: true},
		{name: "only a comment between the fences", text: "---\n# c\n---\nbody", body: "body", hasBody: true},

		{name: "no frontmatter", text: "body", want: "strategy.missing_frontmatter 1:1", body: "body", hasBody: true},
		{name: "empty file", text: "", want: "strategy.missing_frontmatter 1:1"},
		{name: "blank line before", text: "\n---\nname: x\n---\n", want: "strategy.missing_frontmatter 1:1", body: "\n---\nname: x\n---\n", hasBody: true},
		{name: "blank before the fence", text: " ---\nname: x\n---\n", want: "strategy.missing_frontmatter 1:1", body: " ---\nname: x\n---\n", hasBody: true},
		{name: "two marks", text: "\uFEFF\uFEFF---\nname: x\n---\n", want: "strategy.missing_frontmatter 1:1", body: "\uFEFF---\nname: x\n---\n", hasBody: true},
		{name: "four dashes", text: "----\nname: x\n---\n", want: "strategy.missing_frontmatter 1:1", body: "----\nname: x\n---\n", hasBody: true},
		{name: "text after the opening fence", text: "--- yaml\nname: x\n---\n", want: "strategy.missing_frontmatter 1:1", body: "--- yaml\nname: x\n---\n", hasBody: true},
		{name: "never closed", text: "---\nname: x\nbody\n", want: "strategy.invalid_yaml 1:1"},
		{name: "the opening fence alone", text: "---", want: "strategy.invalid_yaml 1:1"},
		{name: "closed by dots", text: "---\nname: x\n...\nbody\n", want: "strategy.invalid_yaml 1:1"},
		{name: "closed by an indented fence", text: "---\nname: x\n ---\nbody\n", want: "strategy.invalid_yaml 1:1"},

		{name: "duplicate key", text: "---\nname: x\nid: a\nname: y\n---\n", want: "strategy.invalid_yaml 4:1"},
		{name: "duplicate key below", text: "---\nwhen:\n  all: []\n  all: []\n---\n", want: "strategy.invalid_yaml 4:3"},
		{name: "two duplicates are two mistakes", text: "---\na: 1\na: 2\na: 3\n---\n", want: "strategy.invalid_yaml 3:1, strategy.invalid_yaml 4:1"},
		{name: "a list is not fields", text: "---\n- name\n---\n", want: "strategy.invalid_yaml 2:1"},
		{name: "a word is not fields", text: "---\nname\n---\n", want: "strategy.invalid_yaml 2:1"},
		{name: "unclosed list", text: "---\ntools: [a\n---\n", want: "strategy.invalid_yaml 2:8"},
		{name: "unclosed list after wide characters", text: "---\nname: \"日本語日本語日本語\"\ntools: [日\n---\n", want: "strategy.invalid_yaml 3:8"},
		{name: "unclosed quote", text: "---\nname: \"日本\npriority: 1\n---\n", want: "strategy.invalid_yaml 2:7"},
		{name: "control character after wide characters", text: "---\nname: \"日\x01\"\n---\n", want: "strategy.invalid_yaml 2:9"},
		{name: "tab for indentation", text: "---\nwhen:\n\tall: []\n---\n", want: "strategy.invalid_yaml 3:1"},
		{name: "merge key", text: "---\na: &a {b: 1}\nc:\n  <<: *a\n---\n", want: "strategy.invalid_yaml 4:3"},
		{name: "a map as a key", text: "---\n{a: b}: c\n---\n", want: "strategy.invalid_yaml 2:1"},
		{name: "alias that contains itself", text: "---\na: &a [*a]\n---\n", want: "strategy.invalid_yaml 2:8"},
		{name: "control character", text: "---\nname: \"a\x01b\"\n---\n", want: "strategy.invalid_yaml 2:9"},
		{name: "escape character", text: "---\nname: \x1b[31m\n---\n", want: "strategy.invalid_yaml 2:7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, list := parse(t, tt.text)
			if got := positions(list); got != tt.want {
				t.Errorf("diagnostics = %s, want %s", got, tt.want)
			}
			if doc.HasBody != tt.hasBody || doc.Body != tt.body && !strings.Contains(tt.want, "yaml") {
				t.Errorf("body = %q, %v, want %q, %v", doc.Body, doc.HasBody, tt.body, tt.hasBody)
			}
			if got := doc.Source.Text()[doc.BodySpan.Start:doc.BodySpan.End]; got != doc.Body {
				t.Errorf("the body's span holds %q", got)
			}
		})
	}
}

func TestStrictHints(t *testing.T) {
	for text, want := range map[string]string{
		"\n---\nname: x\n---\n":                       "remove what stands before the first line `---`",
		"just text":                                   "begin it with a line `---`",
		"---\nname: x\n":                              "add a line `---` after its last field",
		"---\na: 1\na: 2\n---\n":                      "keep one of the two",
		"---\nname: a: b\n---\n":                      "put a value that contains `: ` in quotes",
		"---\nglob: *.ts\n---\n":                      "put the value in quotes",
		"---\nname: \"a\\d\"\n---\n":                  "write the backslash twice, or use single quotes",
		"---\nwhen: {a.files[0].path: {b: c}}\n---\n": "write `\"a.files[0].path\"`",
		"---\nwhen: {a.files[]: {b: c}}\n---\n":       "write `\"a.files[]\"`",
		"---\nwhen: [a, b.files[0][1]]\n---\n":        "write `\"b.files[0][1]\"`",
		"---\nwhen: {x: b[0], y: z}\n---\n":           "write `\"b[0]\"`",
		"---\nwhen: {x: b[0\n---\n":                   "add `,` or `}`",
		"---\nwhen: {x: y [0]}\n---\n":                "add `,` or `}`",
	} {
		_, list := parse(t, text)
		if len(list) == 0 || !strings.Contains(list[0].Hint, want) {
			t.Errorf("%q: hint of %v, want %q", text, list, want)
		}
	}
	_, list := parse(t, "---\nname: x\nid: a\nname: y\n---\n")
	if len(list) != 1 || len(list[0].Related) != 1 || list[0].Related[0].Span != (diag.Span{Start: 4, End: 8}) {
		t.Errorf("a duplicate key does not name the first one: %v", list)
	}
}

// TestStrictReadsOn proves that a syntax error in one value does not hide the fields around it.
func TestStrictReadsOn(t *testing.T) {
	doc, list := parse(t, "---\nname: a: b\npriority: high\n---\n")
	if positions(list) != "strategy.invalid_yaml 2:8" {
		t.Errorf("diagnostics = %s", positions(list))
	}
	if v := doc.Frontmatter.Get("priority"); v == nil || v.Text != "high" {
		t.Error("the field after the mistake was not read")
	}
}

// TestSpans looks at positions through quotes, blocks, flow collections, CRLF and wide characters.
func TestSpans(t *testing.T) {
	text := "---\r\nname: \"日本 x\"\r\nwhen: {all: [true, {\"clipboard.text\": {equals: 'it''s'}}]}\r\nsystemPrompt: |\r\n  one\r\n  two\r\n---\r\n"
	doc, list := parse(t, text)
	if len(list) > 0 {
		t.Fatal(list)
	}
	text = doc.Source.Text()
	at := func(n *document.Node) string { s := n.Span(); return text[s.Start:s.End] }
	condition := doc.Frontmatter.Get("when").Get("all").Items[1].Entries[0]
	for got, want := range map[string]string{
		at(doc.Frontmatter.Get("name")):            `"日本 x"`,
		at(condition.Key):                          `"clipboard.text"`,
		at(condition.Value):                        `{equals: 'it''s'}`,
		at(condition.Value.Get("equals")):          `'it''s'`,
		at(doc.Frontmatter.Get("when").Get("all")): `[true, {"clipboard.text": {equals: 'it''s'}}]`,
	} {
		if got != want {
			t.Errorf("span holds %q, want %q", got, want)
		}
	}
	prompt := doc.Frontmatter.Get("systemPrompt")
	if prompt.Text != "one\ntwo\n" {
		t.Fatalf("block = %q", prompt.Text)
	}
	inside := prompt.SpanOf(4, 7)
	if text[inside.Start:inside.End] != "two" {
		t.Errorf("inside of the block: %q", text[inside.Start:inside.End])
	}
	quoted := condition.Value.Get("equals")
	s := quoted.SpanOf(strings.Index(quoted.Text, "s"), len(quoted.Text))
	if text[s.Start:s.End] != "s" {
		t.Errorf("after the doubled quote: %q", text[s.Start:s.End])
	}
}
