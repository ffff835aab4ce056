package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// fieldsOf writes the frontmatter in one line: kinds are told by their notation.
func fieldsOf(doc *document.Document) string {
	if doc.Frontmatter == nil {
		return "nothing"
	}
	var parts []string
	for _, e := range doc.Frontmatter.Entries {
		parts = append(parts, e.Key.Text+"="+notation(e.Value))
	}
	return strings.Join(parts, " ")
}

func notation(n *document.Node) string {
	switch n.Kind {
	case document.String:
		return fmt.Sprintf("%q", n.Text)
	case document.Null:
		return "null"
	case document.Sequence:
		var items []string
		for _, item := range n.Items {
			items = append(items, notation(item))
		}
		return "[" + strings.Join(items, " ") + "]"
	case document.Mapping:
		return "{}"
	}
	return n.Text
}

// TestDocumented is what oh-my-pi's rulebook says of frontmatter, to the letter.
func TestDocumented(t *testing.T) {
	tests := []struct{ name, text, fields, body string }{
		{"plain", "---\na: 1\nb: true\n---\n\nBody.\n", "a=1 b=true", "\n\nBody.\n"},
		{"no frontmatter", "# T\n---\na: 1\n---\n", "nothing", "# T\n---\na: 1\n---\n"},
		{"blank line first", "\n---\na: 1\n---\nx", "nothing", "\n---\na: 1\n---\nx"},
		{"never closed", "---\na: 1\n", "nothing", "---\na: 1\n"},
		{"closed by the first line break and fence", "---\na: 1\n----\nx", "a=1", "-\nx"},
		{"title on the closer", "---\na: 1\n---# T\nx", "a=1", "# T\nx"},
		{"three dots do not close", "---\na: 1\n...\nx\n", "nothing", "---\na: 1\n...\nx\n"},
		{"empty", "---\n---\nx", "nothing", "\nx"},
		{"second block stays text", "---\na: 1\n---\n---\nb: 2\n---\nx", "a=1", "\n---\nb: 2\n---\nx"},
		{"fallback: every value is a string", "---\na: *x\nb: true\nc: [1, 2]\nd:   \"q\"  \n---\nx", `a="*x" b="true" c="[1, 2]" d="\"q\""`, "\nx"},
		{"fallback: no hyphens, no nesting", "---\na: *x\nb-c: 1\n  d: 2\ne:f\n---\nx", `a="*x" e="f"`, "\nx"},
		{"fallback: duplicate keys, the last counts", "---\na: 1\na: 2\n---\nx", `a="2"`, "\nx"},
		{"CRLF", "---\r\na: *x\r\nb: 1\r\n---\r\nx", `a="*x" b="1"`, "\r\nx"},
		{"a list is no metadata", "---\n- a\n---\nx", "nothing", "\nx"},
		{"a word is no metadata", "---\nword\n---\nx", "nothing", "\nx"},
	}
	for _, test := range tests {
		doc, _ := document.Parse(diag.NewSource("x.md", test.text), document.Documented)
		if got := fieldsOf(doc); got != test.fields {
			t.Errorf("%s: fields %s, want %s", test.name, got, test.fields)
		}
		if doc.Body != test.body {
			t.Errorf("%s: body %q, want %q", test.name, doc.Body, test.body)
		}
	}
}

func TestLenient(t *testing.T) {
	tests := []struct {
		name, text, fields, body string
		warnings                 int
	}{
		{"plain", "---\na: 1\n---\nx", "a=1", "x", 0},
		{"no frontmatter", "x\n---\na: 1\n---\n", "nothing", "x\n---\na: 1\n---\n", 0},
		{"indented fence", "  ---\na: 1\n---\nx", "nothing", "  ---\na: 1\n---\nx", 0},
		{"long rule is no fence", "-----\na: 1\n-----\nx", "nothing", "-----\na: 1\n-----\nx", 0},
		{"both fences indented", " ---\nglobs: a\n \t---\nx", `globs="a"`, "x", 1},
		{"fields after an indented fence", " ---\nglobs: a\n---\nx", `globs="a"`, "x", 1},
		{"fields between long rules", "-----\nglobs: a\n-----\nx", `globs="a"`, "x", 2},
		{"after a character without width", "\u200b---\nglobs: a\n---\nx", `globs="a"`, "x", 1},
		{"after a second mark of byte order", "\ufeff---\nglobs: a\n---\nx", `globs="a"`, "x", 1},
		{"second block with nothing after it", "---\na: 1\n---\n---\nname: v\n---\n", "a=1", "---\nname: v\n---\n", 0},
		{"blank lines first", "\n \n---\na: 1\n---\nx", "a=1", "x", 1},
		{"trailing blanks on fences", "---  \na: 1\n---\t\nx", "a=1", "x", 0},
		{"three dots", "---\na: 1\n...\nx", "a=1", "x", 1},
		{"title on the closer", "---\na: 1\n---# T\nx", "a=1", "# T\nx", 1},
		{"four dashes", "---\na: 1\n----\nx", "a=1", "x", 1},
		{"many dashes and a title", "---\na: 1\n-----# T\nx\n---\ny", "a=1", "# T\nx\n---\ny", 1},
		{"dashes below prose", "---\nA sentence.\n-----\nx", "nothing", "---\nA sentence.\n-----\nx", 1},
		{"never closed", "---\na: 1\n\nx", "nothing", "---\na: 1\n\nx", 1},
		{"prose between rules", "---\nA sentence.\n---\nx", "nothing", "---\nA sentence.\n---\nx", 1},
		{"a list between rules", "---\n- one\n- two\n---\nx", "nothing", "---\n- one\n- two\n---\nx", 1},
		{"second block fills", "---\nname:\nb: 1\n---\n---\nname: 2\nb: 3\nc: 4\n---\nx", "name=2 b=1 c=4", "x", 1},
		{"second block of text stays", "---\na: 1\n---\n---\nNote: do it\n---\nx", "a=1", "---\nNote: do it\n---\nx", 0},
		{"second block with a heading stays", "---\na: 1\n---\n\n---\n\n# T\n\nname: v\n\n---\nx", "a=1", "\n---\n\n# T\n\nname: v\n\n---\nx", 0},
		{"second block with prose stays", "---\na: 1\n---\n---\nname: v\nA sentence.\n---\nx", "a=1", "---\nname: v\nA sentence.\n---\nx", 0},
		{"second block that is no YAML stays", "---\na: 1\n---\n---\nname: v\n - a\n  b: [\n---\nx", "a=1", "---\nname: v\n - a\n  b: [\n---\nx", 0},
		{"tag in a list", "---\ng:\n  - \"a\"\n  - !**/*.t.ts\n  - !b c\n---\nx", `g=["a" "!**/*.t.ts" "!b c"]`, "x", 2},
		{"tag alone", "---\ng: !**/*.t.ts\nb: 1\n---\nx", `g="!**/*.t.ts" b=1`, "x", 1},
		{"tag and text", "---\nd: !important thing # why\n---\nx", `d="!important thing"`, "x", 1},
		{"tag in brackets", "---\ng: [\"a\", !b/**, !c ]\n---\nx", `g=["a" "!b/**" "!c"]`, "x", 2},
		{"tag below its key", "---\ng:\n  !a/*\nh: 2\n---\nx", `g="!a/*" h=2`, "x", 1},
		{"tag that only looks like a core tag", "---\nd: !!important read this\ng: *.ts\n---\nx", `d="!!important read this" g="*.ts"`, "x", 2},
		{"tag of three", "---\nd: !!!IMPORTANT x\ng: *.ts\n---\nx", `d="!!!IMPORTANT x" g="*.ts"`, "x", 2},
		{"anchor and tag", "---\nd: &a !b x\ng: *.ts\n---\nx", `d="&a !b x" g="*.ts"`, "x", 2},
		{"lone tag", "---\nd: ! read this\n---\nx", `d="! read this"`, "x", 1},
		{"anchor that is text", "---\nd: &R&D team\n---\nx", `d="&R&D team"`, "x", 1},
		{"lone tag beside an alias", "---\nd: ! read this\ng: *.ts\n---\nx", `d="! read this" g="*.ts"`, "x", 2},
		{"text that begins like a block", "---\nd: > 5 items: yes\nb: 1\n---\nx", `d="> 5 items: yes" b=1`, "x", 1},
		{"glob that begins like a block", "---\ng: |*.ts\n---\nx", `g="|*.ts"`, "x", 1},
		{"elements that begin like a block", "---\ng:\n  - |*.ts\n  - >b\n---\nx", `g=["|*.ts" ">b"]`, "x", 2},
		{"blocks stay", "---\nd: >-\n  a\n  b\ne: |2 # c\n    d\ng: *.ts\n---\nx", `d="a b" e="  d\n" g="*.ts"`, "x", 1},
		{"core tags stay", "---\ng: !!str 1\n---\nx", `g="1"`, "x", 0},
		{"list over lines", "---\ng: [\n  *.ts, # a\n  \"*.js\"\n]\nb: 1\n---\nx", `g=["*.ts" "*.js"] b=1`, "x", 1},
		{"list in brackets", "---\ng: [**/*.ts, a/*.{b,c}, 'd', **/*.js] # e\n---\nx", `g=["**/*.ts" "a/*.{b,c}" "d" "**/*.js"]`, "x", 3},
		{"text in brackets", "---\ndescription: [*WIP*]\n---\nx", `description="[*WIP*]"`, "x", 1},
		{"glob with a class first", "---\ng: [ab]*.ts\n---\nx", `g="[ab]*.ts"`, "x", 1},
		{"list never closed", "---\ng: [*.ts\nb: 1\n---\nx", `g="[*.ts" b=1`, "x", 1},
		{"below its key", "---\ng:\n  **/*.py\nb: 1\n---\nx", `g="**/*.py" b=1`, "x", 1},
		{"list below its key", "---\ng:\n  [**/*.py]\n---\nx", `g=["**/*.py"]`, "x", 1},
		{"blank before the colon", "---\ng : *.ts\n---\nx", `g="*.ts"`, "x", 1},
		{"alias stays", "---\na: &x 1\ng: [*x, *y]\n---\nx", `a=1 g=[1 "*y"]`, "x", 1},
		{"second block of prose stays", "---\na: 1\n---\n---\nA sentence.\n---\nx", "a=1", "---\nA sentence.\n---\nx", 0},
		{"second block never closed stays", "---\na: 1\n---\n---\nb: 2\nx", "a=1", "---\nb: 2\nx", 0},
		{"duplicate keys", "---\na: 1\na: 2\n---\nx", "a=2", "x", 1},
		{"values on their own", "---\na: 1\nnonsense\nb: [x, y]\nc: true\nd: {e: f}\n---\nx", `a=1 b=["x" "y"] c=true d="{e: f}"`, "x", 1},
		{"quoted keys", "---\n\"a\": *x\n'b': @y\n---\nx", `a="*x" b="@y"`, "x", 2},
		{"noticed late", "---\na: \"x\nb: true\nc: 1\n---\nx", `a="x" b=true c=1`, "x", 1},
		{"comment stays outside", "---\na: *x # why\n---\nx", `a="*x"`, "x", 1},
	}
	for _, test := range tests {
		doc, list := document.Parse(diag.NewSource("x.md", test.text), document.Lenient)
		if got := fieldsOf(doc); got != test.fields {
			t.Errorf("%s: fields %s, want %s", test.name, got, test.fields)
		}
		if doc.Body != test.body {
			t.Errorf("%s: body %q, want %q", test.name, doc.Body, test.body)
		}
		if len(list) != test.warnings {
			t.Errorf("%s: %d warnings, want %d: %v", test.name, len(list), test.warnings, list)
		}
		for _, d := range list {
			if d.Severity != diag.Warning || d.Hint == "" || !d.Span.IsValid() {
				t.Errorf("%s: %+v", test.name, d)
			}
		}
	}
}

// TestEditsMend: the edits of a repaired file make it a file that needs none.
func TestEditsMend(t *testing.T) {
	for _, fields := range []string{
		"globs: *.ts", "globs: **/*.ts  # all\nb: c: d", "a: 'it's'\nb: \"x\" y", "a: `b`\n- no", "globs:\n  - *.ts\n  - \"x\" y",
		"a: *x,\n  *y\nb: 1", "a: \"\\q\"", "a: [*.ts, *.go]", "a: {b,c}/**", "a: @b\r\nc: *d\r",
		"a: !!important b\nc: *d", "a: !!!B c\nd: *e", "a: &b !c d\ne: *f", "a: ! b\nc: *d", "a: &R&D b", "a: > 5 b: c", "a: |*.ts\nb: *c", "a: > b\n  c\nd: e",
		"globs:\n  - !a\n  - !b/**", "globs: !a b", "globs: [\n  *.ts,\n  \"*.js\"\n]", "globs:\n  [**/*.py, !b ]", "globs:\n  *.py", "g : *.ts",
	} {
		source := diag.NewSource("x.md", "---\n"+fields+"\n---\nBody")
		doc, _ := document.Parse(source, document.Lenient)
		text, at := "", 0
		for _, e := range doc.Edits {
			text += source.Text()[at:e.Span.Start] + e.Text
			at = e.Span.End
		}
		text += source.Text()[at:]
		again, list := document.Parse(diag.NewSource("x.md", text), document.Lenient)
		if len(doc.Edits) > 0 && (len(list) > 0 || fieldsOf(again) != fieldsOf(doc)) {
			t.Errorf("%q became %q: %s, was %s, %v", fields, text, fieldsOf(again), fieldsOf(doc), list)
		}
	}
}

// TestManyValues: each of many offending values is repaired, in little time.
func TestManyValues(t *testing.T) {
	const n = 5000
	for name, text := range map[string]string{
		"list":     "globs:\n" + strings.Repeat("  - *.ts\n", n),
		"tags":     "globs:\n" + strings.Repeat("  - !a/*.ts\n", n),
		"mixed":    "globs:\n" + strings.Repeat("  - *.ts\n  - \"a\"\n  - !b\n  - c\n", n/4),
		"brackets": "globs: [" + strings.Repeat("*.ts, ", n) + "a]\n",
		"colons":   strings.Repeat("a: b: c\n", 200) + "globs:\n" + strings.Repeat("  - *.ts\n", n),
		"lines":    "globs: [\n" + strings.Repeat("  *.ts,\n", n) + "]\n",
	} {
		doc, list := document.Parse(diag.NewSource("x.md", "---\n"+text+"alwaysApply: true\n---\nBody"), document.Lenient)
		globs := doc.Frontmatter.Get("globs")
		if globs == nil || len(globs.Items) < n || len(doc.Edits) < n/2 || len(list.Limit()) != diag.MaxPerFile || doc.Salvaged {
			t.Errorf("%s: %v, %d edits, %d warnings", name, globs != nil && len(globs.Items) >= n, len(doc.Edits), len(list))
		}
	}
}

// TestLooseCloserHidesText: a message never shows a line of the rule's text.
func TestLooseCloserHidesText(t *testing.T) {
	source := diag.NewSource("x.md", "---\nname: v\n---# Secret\nx")
	_, list := document.Parse(source, document.Lenient)
	for _, d := range list {
		if p, ok := d.Position(); !ok || p != (diag.Position{Line: 3, Column: 1}) || strings.Contains(d.Source.Text(), "Secret") {
			t.Errorf("%+v", d)
		}
	}
}

// TestOpenQuote: a quote that its line does not close is told apart from other values that had to be mended.
func TestOpenQuote(t *testing.T) {
	for fields, want := range map[string]bool{
		"a: \"x":                 true,
		"a:\n  - 'x\nb: y":       true,
		"a: \"x\"\nb: *.ts":      false,
		"a: *.ts":                false,
		"a: \"x\"":               false,
		"a: 'it''s'\nb: [*.ts":   false,
		"a: say \"x\nb: *.ts":    false,
		"a: \"x\nb: y\nc: \"z\"": true,
	} {
		doc, _ := document.Parse(diag.NewSource("x.md", "---\n"+fields+"\n---\nBody"), document.Lenient)
		if doc.OpenQuote != want {
			t.Errorf("%q: %v", fields, doc.OpenQuote)
		}
	}
}
