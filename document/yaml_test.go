package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

func parseYAML(t testing.TB, text string) (*document.Node, []document.Problem) {
	t.Helper()
	return document.ParseYAML(diag.NewSource("x.yaml", text))
}

func cut(text string, span diag.Span) string { return text[span.Start:span.End] }

// Every row holds the word needle once in its decoded value k; its span must
// be the word itself in the file.
func TestSpanInsideScalars(t *testing.T) {
	rows := []struct{ name, text string }{
		{"plain", "k: a needle b\n"},
		{"plain after wide characters", "日本: é\nk: 日本 needle\n"},
		{"plain over lines", "k: one\n  two\n  three needle four\n"},
		{"plain over lines with a blank one", "k: one\n\n\n  two needle\n"},
		{"single", "k: 'it''s a needle'\n"},
		{"single over lines", "k: 'it''s\n  a\n\n  needle'\n"},
		{"double", `k: "tab\t\x41\u00e9\U0001F600 needle"` + "\n"},
		{"double over lines", "k: \"one \\\n   two\n  three needle\"\n"},
		{"literal", "k: |\n  one\n  two needle\n"},
		{"literal with more indentation", "k: |\n  one\n    two needle\n  three\n"},
		{"literal with an indicator", "k: |2-\n    one needle\n"},
		{"literal crlf", "k: |\r\n  one\r\n  two needle\r\n"},
		{"folded", "k: >\n  one\n  two needle\n"},
		{"folded with paragraphs", "k: >-\n  one\n\n  two\n    code needle\n\n  end\n"},
		{"flow", "k: {a: [1, 2], b: x}\nz: [q]\n"},
		{"flow item", "k: a needle\nz: {y: [1]}\n"},
		{"tagged", "k: !!str needle\n"},
		{"anchored", "k: &a 'needle'\n"},
		{"crlf before", "a: 1\r\nb: 2\r\nk: needle\r\n"},
		{"line separator before", "a: \"x\u2028y\"\nk: needle\n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			n, problems := parseYAML(t, row.text)
			if len(problems) > 0 {
				t.Fatalf("problems: %+v", problems)
			}
			k := n.Get("k")
			i := strings.Index(k.Text, "needle")
			if i < 0 {
				return
			}
			if got := cut(row.text, k.SpanOf(i, i+len("needle"))); got != "needle" {
				t.Errorf("span of needle in %q is %q", k.Text, got)
			}
		})
	}
}

func TestSpanOfNodes(t *testing.T) {
	rows := []struct{ text, want string }{
		{"k: value # comment\n", "value"},
		{"k: 'value' # comment\n", "'value'"},
		{"k: \"a\\\"b\"\nl: 1\n", `"a\"b"`},
		{"k: [a, b]\n", "[a, b]"},
		{"k: []\n", "[]"},
		{"k: {}\n", "{}"},
		{"k: [a, # x\n  b, ]\nl: 1\n", "[a, # x\n  b, ]"},
		{"k: {a: {b: [c]}}\n", "{a: {b: [c]}}"},
		{"k:\n  - a\n  - b\nl: 1\n", "- a\n  - b"},
		{"k:\n  a: 1\n  b: 'x'\nl: 1\n", "a: 1\n  b: 'x'"},
		{"k: |\n  one\n  two\nl: 1\n", "|\n  one\n  two"},
		{"k: &x [1]\n", "&x [1]"},
		{"k: 12\n", "12"},
		{"k: true\n", "true"},
		{"k:\nl: 1\n", ""},
	}
	for _, row := range rows {
		n, problems := parseYAML(t, row.text)
		if len(problems) > 0 {
			t.Fatalf("%q: problems: %+v", row.text, problems)
		}
		if got := strings.TrimRight(cut(row.text, n.Get("k").Span()), "\n"); got != row.want {
			t.Errorf("%q: span is %q, want %q", row.text, got, row.want)
		}
	}
}

func TestKinds(t *testing.T) {
	rows := []struct {
		text string
		want document.Kind
	}{
		{"1", document.Int},
		{"0x1F", document.Int},
		{"-7", document.Int},
		{"1.5", document.Float},
		{"1e3", document.Float},
		{"true", document.Bool},
		{"False", document.Bool},
		{"yes", document.String},
		{"on", document.String},
		{"null", document.Null},
		{"~", document.Null},
		{"", document.Null},
		{"2026-11-15", document.String},
		{"'1'", document.String},
		{`"true"`, document.String},
		{"[]", document.Sequence},
		{"{}", document.Mapping},
		{".inf", document.Float},
	}
	for _, row := range rows {
		n, problems := parseYAML(t, "k: "+row.text+"\n")
		if len(problems) > 0 || n.Get("k").Kind != row.want {
			t.Errorf("%s: kind %v, want %v, problems %v", row.text, n.Get("k").Kind, row.want, problems)
		}
	}
}

func TestNumbers(t *testing.T) {
	n, _ := parseYAML(t, "a: 10485760\nb: 1.5\nc: .inf\nd: 99999999999999999999\ne: 'x'\n")
	if v, ok := n.Get("a").Number(); !ok || v != 10485760 {
		t.Errorf("a = %v %v", v, ok)
	}
	if v, ok := n.Get("b").Number(); !ok || v != 1.5 {
		t.Errorf("b = %v %v", v, ok)
	}
	if _, ok := n.Get("c").Number(); ok {
		t.Error("infinity is a number")
	}
	if _, ok := n.Get("d").Int(); ok {
		t.Error("an integer past 64 bits fits")
	}
	if _, ok := n.Get("e").Number(); ok {
		t.Error("a string is a number")
	}
}

func TestProblems(t *testing.T) {
	rows := []struct {
		name, text string
		kind       document.ProblemKind
		at         string // the text at which the problem's span begins
	}{
		{"alias-like value", "k: *.ts\n", document.SyntaxError, ""},
		{"colon in plain text", "k: a: b\n", document.SyntaxError, ": b"},
		{"unclosed list", "k: [a\nl: b\n", document.SyntaxError, ""},
		{"unclosed quote", "k: 'a\nl: b\n", document.SyntaxError, ""},
		{"tab", "k:\n\tl: b\n", document.SyntaxError, "\t"},
		{"unknown escape", `k: "a\.b"` + "\n", document.SyntaxError, ""},
		{"duplicate", "k: 1\nk: 2\n", document.DuplicateKey, "k: 2"},
		{"duplicate below", "a:\n  k: 1\n  k: 2\n", document.DuplicateKey, "k: 2"},
		{"merge key", "a: &x {k: 1}\nb:\n  <<: *x\n", document.UnsupportedYAML, "<<"},
		{"tag", "k: !secret x\n", document.UnknownTag, "!secret x"},
		{"tag alone", "k: !**/*.ts\nl: 1\n", document.UnknownTag, "!**/*.ts\n"},
		{"list as key", "[a]: b\n", document.UnsupportedYAML, "[a]"},
		{"cycle", "k: &x [*x]\n", document.UnsupportedYAML, "*x"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, problems := parseYAML(t, row.text)
			if len(problems) != 1 {
				t.Fatalf("problems: %+v", problems)
			}
			p := problems[0]
			if p.Kind != row.kind || p.Message == "" || p.Hint == "" {
				t.Errorf("problem: %+v", p)
			}
			if !strings.HasPrefix(row.text[p.Span.Start:], row.at) {
				t.Errorf("span begins at %q, want %q", row.text[p.Span.Start:], row.at)
			}
		})
	}
}

func TestHostileInput(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1)
	}
	var keys strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	keys.WriteString("k7: 1\n")
	deep := ""
	for i := range 2000 {
		deep += strings.Repeat(" ", i) + "a:\n"
	}
	rows := []struct{ name, text string }{
		{"alias bomb", bomb.String()},
		{"flow nesting", strings.Repeat("[", 100_000)},
		{"flow map nesting", strings.Repeat("{a: ", 100_000)},
		{"block nesting", strings.Repeat("- ", 100_000)},
		{"indentation", deep},
		{"many keys and one twice", keys.String()},
		{"past the size", strings.Repeat("a", document.MaxYAML+1)},
		{"nul", "k: a\x00b\n"},
		{"control", "k: a\x1bb\n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, problems := parseYAML(t, row.text)
			if len(problems) == 0 {
				t.Fatal("accepted")
			}
			for _, p := range problems {
				if len(p.Message) > 300 || !p.Span.IsValid() {
					t.Errorf("problem: %+v", p)
				}
			}
		})
	}
}

func TestAliasesShareTheirNode(t *testing.T) {
	n, problems := parseYAML(t, "a: &x {k: needle}\nb: *x\n")
	if len(problems) > 0 || n.Get("b") != n.Get("a") || n.Get("b").Get("k").Text != "needle" {
		t.Errorf("alias: %v %v", n.Get("b"), problems)
	}
}

func TestRepair(t *testing.T) {
	rows := []struct{ name, text, key, want, fix string }{
		{"star", "globs: *.ts\n", "globs", "*.ts", "'*.ts'"},
		{"star star", "a: 1\nglobs: **/*.{ts,tsx}, *.js\nb: 2\n", "globs", "**/*.{ts,tsx}, *.js", "'**/*.{ts,tsx}, *.js'"},
		{"colon", "description: use this: always\n", "description", "use this: always", "'use this: always'"},
		{"apostrophe", "description: don't: ever\n", "description", "don't: ever", "'don''t: ever'"},
		{"text after a quote", "globs: \"a\", \"b\"\n", "globs", `"a", "b"`, `'"a", "b"'`},
		{"escapes", `trigger: "a\.b"` + "\n", "trigger", `a\.b`, `'a\.b'`},
		{"backtick", "d: `x` is\n", "d", "`x` is", "'`x` is'"},
		{"at", "d: @scope/x\n", "d", "@scope/x", "'@scope/x'"},
		{"list item", "globs:\n  - *.ts\n  - *.js\nd: x\n", "d", "x", "'*.ts'"},
		{"crlf", "globs: *.ts\r\nd: x\r\n", "globs", "*.ts", "'*.ts'"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			source := diag.NewSource("x.mdc", row.text)
			n, edits, problems := document.RepairYAML(source, diag.Span{Start: 0, End: len(row.text)})
			if n == nil {
				t.Fatalf("not repaired: %+v", problems)
			}
			if got := n.Get(row.key); got == nil || got.Text != row.want {
				t.Errorf("%s = %+v, want %q", row.key, got, row.want)
			}
			if len(edits) == 0 || edits[0].Text != row.fix || len(problems) != len(edits) {
				t.Errorf("edits %+v, problems %+v", edits, problems)
			}
		})
	}
}

func TestRepairedSpansPointIntoTheFile(t *testing.T) {
	text := "globs: *.ts, don't\nother: needle\nmore: *.js\nlast: 'x needle'\n"
	source := diag.NewSource("x.mdc", "---\n"+text+"---\n")
	n, _, _ := document.RepairYAML(source, diag.Span{Start: 4, End: 4 + len(text)})
	if got := cut(source.Text(), n.Get("other").Span()); got != "needle" {
		t.Errorf("span is %q", got)
	}
	if got := cut(source.Text(), n.Get("last").SpanOf(2, 8)); got != "needle" {
		t.Errorf("span is %q", got)
	}
	if got := cut(source.Text(), n.Get("more").Span()); got != "*.js" {
		t.Errorf("span is %q", got)
	}
}

func FuzzYAML(f *testing.F) {
	for _, seed := range []string{
		"k: v", "k: |\n  a\n  b", "k: >-\n a\n\n b", `k: "a\n\x41"`, "k: 'a''b'", "a: &x [1]\nb: *x", "k: *.ts", "- - - a", "? a\n: b",
		"k: {a: [b, c], d: e}", "k: a\n  b\n\n  c", "\ta: b", "a: 1\r\nb: 2", "%YAML 1.1\n---\na: b", "k: !!binary aGk=", "a: \"x\\\n  y\"",
	} {
		f.Add(seed)
	}
	f.Add("a: &x " + strings.Repeat("x", 1<<10) + "\nb: [" + strings.Repeat("*x, ", 300) + "]\n")
	f.Add("a: &x [" + strings.Repeat("x,", 300) + "]\nb: &y [" + strings.Repeat("*x,", 20) + "]\nc: &z [" + strings.Repeat("*y,", 20) + "]\n*z : *z")
	f.Fuzz(func(t *testing.T, text string) {
		source := diag.NewSource("x", text)
		n, problems := document.ParseYAML(source)
		if bytes, most := written(n), 4*len(text)+256<<10; bytes > most {
			t.Fatalf("%d bytes make a tree of %d, more than %d", len(text), bytes, most)
		}
		check := func(s diag.Span) {
			if s.Start < 0 || s.End < s.Start || s.End > len(text) {
				t.Fatalf("span %v outside of %q", s, text)
			}
		}
		for _, p := range problems {
			check(p.Span)
		}
		var walk func(n *document.Node, depth int)
		walk = func(n *document.Node, depth int) {
			if n == nil || depth > 6 {
				return
			}
			check(n.Span())
			if n.IsScalar() && len(n.Text) < 100 {
				for i := range n.Text {
					check(n.SpanOf(i, i+1))
				}
			}
			for _, item := range n.Items {
				walk(item, depth+1)
			}
			for _, e := range n.Entries {
				walk(e.Key, depth+1)
				walk(e.Value, depth+1)
			}
		}
		walk(n, 0)
		if n == nil && len(problems) > 0 && len(text) < 2000 {
			repaired, edits, _ := document.RepairYAML(source, diag.Span{Start: 0, End: len(text)})
			for _, e := range edits {
				check(e.Span)
			}
			walk(repaired, 0)
		}
	})
}
