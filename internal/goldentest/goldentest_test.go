package goldentest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
)

// TestRun: what is written with update is what is found without, and each case gets its own words and text.
func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.golden")
	if err := os.WriteFile(file, []byte("# About the file.\n\n=== a b: one\nfirst\n>>>\n\n=== : two\n>>>\nold\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var heads []string
	try := func(_ *testing.T, c Case) string {
		heads = append(heads, c.Head+"|"+strings.Join(c.Words, ",")+"|"+c.Text)
		return strings.ToUpper(c.Text) + "\n"
	}
	Run(t, file, true, try)
	Run(t, file, false, try)
	if want := []string{"a b: one|a,b|first", ": two||"}; !slices.Equal(heads, slices.Concat(want, want)) {
		t.Errorf("%q", heads)
	}
	data, _ := os.ReadFile(file)
	if want := "# About the file.\n\n=== a b: one\nfirst\n>>>\nFIRST\n\n=== : two\n>>>\n\n"; string(data) != want {
		t.Errorf("%q", data)
	}
}

// TestForm: other signs, and cases of one line, are read and written as they are.
func TestForm(t *testing.T) {
	for form, text := range map[Form]string{
		{"## ", "=>"}: "## rules a=b\none\ntwo\n=>\nrules a=b|one\ntwo\n\n## table\n=>\ntable|\n",
		{"## ", ""}:   "## yaml \"a: b\"\nyaml \"a: b\"|\n\n## file\nfile|\n",
	} {
		file := filepath.Join(t.TempDir(), "x.txt")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		try := func(_ *testing.T, c Case) string { return c.Head + "|" + c.Text }
		form.Run(t, file, false, try)
		form.Run(t, file, true, try)
		if data, _ := os.ReadFile(file); string(data) != text {
			t.Errorf("%v: %q", form, data)
		}
	}
}

// TestQuestions: answers are compared and written below their questions; headings stay, and what was answered before goes.
func TestQuestions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.golden")
	if err := os.WriteFile(file, []byte("# Words\n\n? one\nold\n? two\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answer := func(question string) string { return strings.ToUpper(question) + "\n" }
	Questions(t, file, true, answer)
	Questions(t, file, false, answer)
	if data, _ := os.ReadFile(file); string(data) != "# Words\n\n? one\nONE\n\n? two\nTWO\n" {
		t.Errorf("%q", data)
	}
}

// TestTell: a diagnostic is written with all that it says.
func TestTell(t *testing.T) {
	source := diag.NewSource("a.md", "some text")
	d := diag.At(source, diag.Span{Start: 5, End: 9}, diag.RuleEmpty, "message").WithHint("hint").WithRelated(source, diag.Span{Start: 1, End: 2}, "other")
	d.Path, d.Strategy, d.Provider = "p", "s", "pr"
	var b strings.Builder
	Tell(&b, "what: ", diag.List{d, diag.At(source, diag.NoSpan, diag.RuleEmpty, "bare")})
	if want := "what: warning rule.empty at 5 \"text\": message; hint: hint; path p; strategy s (pr) [a.md at 1: other]\nwhat: warning rule.empty: bare\n"; b.String() != want {
		t.Errorf("%s", b.String())
	}
}
