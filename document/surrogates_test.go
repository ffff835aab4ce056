package document_test

import (
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestSurrogatePairs: JSON is YAML, also where it writes a character as two escapes.
func TestSurrogatePairs(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`a: "\ud83d\ude00"`, "😀"},
		{`a: "x\uD83D\uDE00\ud83d\uDE01y"`, "x😀😁y"},
		{`a: "\\\ud83d\ude00 \\ud83d"`, `\😀 \ud83d`},
		{`{"a": "\u00e9\ud83d\ude00\n"}`, "é😀\n"},
		{"b: '\\uD83D\\uDE00 \\ud83d\\ude00'\na: \"\\ud83d\\ude00\"", "😀"},
		{"b: \\uDBFF\\uDFFF\na: \"\\udbff\\udfff\"", "\U0010ffff"},
		{`a: "\ud800\udc00"`, "\U00010000"},
	} {
		node, problems := document.ParseYAML(diag.NewSource("x", tt.text))
		if len(problems) > 0 || node.Get("a").Text != tt.want {
			t.Errorf("%s: %v %v", tt.text, node, problems)
		}
	}
	node, _ := document.ParseYAML(diag.NewSource("x", "b: '\\uD83D\\uDE00 \\uDBFF\\uDC00'\nc: \\ud83d\\ude00\na: \"\\ud83d\\ude00\""))
	if got := node.Get("b").Text + node.Get("c").Text; got != `\uD83D\uDE00 \uDBFF\uDC00\ud83d\ude00` {
		t.Errorf("where there are no escapes: %s", got)
	}
	for _, text := range []string{`a: "\ud83d"`, `a: "\ude00\ud83d"`, `a: "\ud83d \ude00"`, `a: "\ud83d\ude00" b`} {
		if _, problems := document.ParseYAML(diag.NewSource("x", text)); len(problems) != 1 || problems[0].Kind != document.SyntaxError {
			t.Errorf("%s: %v", text, problems)
		}
	}
	// Positions after a pair, on its line and inside the scalar.
	source := diag.NewSource("x", `{"a": "\ud83d\ude00xy", "b": 1}`)
	node, _ = document.ParseYAML(source)
	for what, span := range map[string]diag.Span{"xy": node.Get("a").SpanOf(4, 6), `\ud83d\ude00`: node.Get("a").SpanOf(0, 4), "1": node.Get("b").Span(), `"\ud83d\ude00xy"`: node.Get("a").Span()} {
		if got := source.Text()[span.Start:span.End]; got != what {
			t.Errorf("span of %s: %s", what, got)
		}
	}
}
