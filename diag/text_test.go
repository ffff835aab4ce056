package diag_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pertain-dev/pertain/diag"
)

var update = flag.Bool("update", false, "rewrite golden files")

// mark makes a diagnostic at the first occurrence of a part of a text.
func mark(text, part string) diag.Diagnostic {
	start := strings.Index(text, part)
	source := diag.NewSource("/w/x.strategy.md", text)
	return diag.At(source, diag.Span{Start: start, End: start + len(part)}, diag.StrategyInvalidField, "this is wrong")
}

// excerpts are the diagnostics whose rendered form testdata/text.txtar holds.
func excerpts() []struct {
	name string
	d    diag.Diagnostic
} {
	long := "key: " + strings.Repeat("left ", 60) + "HERE" + strings.Repeat(" right", 60)
	wide := strings.Repeat("漢字", 60) + "ここ" + strings.Repeat("漢字", 60)
	two := diag.NewSource("/w/base.strategy.md", "---\nfrom: ./x.md\n---\n")
	return []struct {
		name string
		d    diag.Diagnostic
	}{
		{"plain", mark("a: 1\nkey: value\nb: 2\n", "value").WithHint("write another")},
		{"tab before the place", mark("\tkey:\tvalue", "value")},
		{"tab inside the place", mark("key: a\tb", "a\tb")},
		{"wide characters", mark("name: 漢字 x", "x")},
		{"wide characters marked", mark("name: 漢字 x", "漢字")},
		{"emoji", mark("icon: 😀 y", "y")},
		{"emoji marked", mark("icon: 😀", "😀")},
		{"combining characters", mark("name: e\u0301te\u0301 x", "x")},
		{"combining characters marked", mark("name: e\u0301te\u0301", "e\u0301te\u0301")},
		{"full-width forms", mark("ｆｕｌｌ: x", "x")},
		{"several lines are marked on the first", mark("when:\n  all:\n    - true\nname: x\n", "all:\n    - true")},
		{"carriage returns", mark("a: 1\r\nkey: value\r\n", "value")},
		{"end of line", diag.At(diag.NewSource("f", "key:\nb: 2"), diag.Span{Start: 4, End: 4}, diag.StrategyInvalidField, "a value is missing")},
		{"end of file", diag.At(diag.NewSource("f", "key:"), diag.Span{Start: 4, End: 4}, diag.StrategyInvalidField, "a value is missing")},
		{"empty file", diag.At(diag.NewSource("f", ""), diag.Span{}, diag.StrategyMissingFrontmatter, "the file does not begin with frontmatter")},
		{"line number of three digits", mark(strings.Repeat("#\n", 122)+"key: value", "value")},
		{"long line", mark(long, "HERE")},
		{"long line, place at the start", mark(long, "key")},
		{"long line, place at the end", mark(long+" end", "end")},
		{"long line, marked whole", mark(long, long)},
		{"long line of wide characters", mark(wide, "ここ")},
		{"control characters", mark("key: \x1b[31mred\x07\x00 x", "x")},
		{"reordering characters", mark("key: \u202eevil\u2066\u061c x", "x")},
		{"line separators", mark("key: a\u2028b\u0085c x", "x")},
		{"invalid bytes", mark("key: \xff\xfe x", "x")},
		{"messages and names are made harmless", func() diag.Diagnostic {
			d := diag.At(diag.NewSource("/w/\x1b[2J\n.md", "x"), diag.Span{Start: 0, End: 1}, diag.StrategyInvalidID, "`%s` is not an id", "\x1b]0;t\x07\u202e").
				WithHint("write\nsomething else\r")
			return d.WithRelated(diag.NewSource("/w/\u2067y.md", ""), diag.NoSpan, "here\ttoo")
		}()},
		{"whole file", diag.At(diag.NewSource("/w/big.strategy.md", ""), diag.NoSpan, diag.StrategyInvalidEncoding, "the file is too large")},
		{"no file", func() diag.Diagnostic {
			d := diag.Diagnostic{Severity: diag.Warning, Code: diag.StrategyTimeout, Message: "the strategy took longer than 300ms", Strategy: "user.x", Duration: 300 * time.Millisecond}
			return d
		}()},
		{"neither file nor strategy", diag.Diagnostic{Severity: diag.Info, Code: diag.VisualUnavailable, Message: "no visible elements"}},
		{"related places", mark("from: ./base.strategy.md", "./base.strategy.md").
			WithRelated(two, diag.Span{Start: 4, End: 8}, "its `from` is here").
			WithRelated(nil, diag.NoSpan, "and something without a place").
			WithHint("name another file")},
	}
}

func render(t *testing.T, opts diag.TextOptions, list ...diag.Diagnostic) string {
	t.Helper()
	var b strings.Builder
	if err := diag.Text(&b, list, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestText holds what people see, caret and all: go test ./diag -update.
func TestText(t *testing.T) {
	golden := filepath.Join("testdata", "text.txtar")
	got := &txtar.Archive{Comment: []byte("What people see of a diagnostic. Rewrite with: go test ./diag -update\n\n")}
	for _, e := range excerpts() {
		got.Files = append(got.Files, txtar.File{Name: e.name, Data: []byte(render(t, diag.TextOptions{}, e.d) + "\n")})
	}
	if *update {
		if err := os.WriteFile(golden, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Files) != len(got.Files) {
		t.Fatalf("the golden file has %d parts, want %d", len(want.Files), len(got.Files))
	}
	for i, f := range got.Files {
		t.Run(f.Name, func(t *testing.T) {
			if diff := cmp.Diff(string(want.Files[i].Data), string(f.Data)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTextIsHarmless looks at every excerpt for what would move the cursor, colour the terminal or reorder the line.
func TestTextIsHarmless(t *testing.T) {
	all := excerpts()
	all = append(all, all[0])
	all[len(all)-1].name, all[len(all)-1].d.Code = "a code from a file", "\x1b]0;x\a\u202e\nb"
	for _, e := range all {
		var b strings.Builder
		if err := diag.Lines(&b, diag.List{e.d}, diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(b.String(), "\n"); n != 1 {
			t.Errorf("%s: %d lines, want one", e.name, n)
		}
		for _, r := range render(t, diag.TextOptions{}, e.d) + b.String() {
			if r != '\n' && r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x061c || r == 0x2028 {
				t.Errorf("%s: %U is printed", e.name, r)
			}
		}
	}
}

func TestTextWidth(t *testing.T) {
	for _, e := range excerpts() {
		for line := range strings.Lines(render(t, diag.TextOptions{}, e.d)) {
			if strings.Contains(line, "|") && len([]rune(line)) > 180 {
				t.Errorf("%s: a line of %d characters", e.name, len([]rune(line)))
			}
		}
	}
}

func TestTextColour(t *testing.T) {
	d := mark("key: value", "value").WithHint("write another")
	for severity, code := range map[diag.Severity]string{diag.Error: "31", diag.Warning: "33", diag.Info: "34"} {
		d.Severity = severity
		got := render(t, diag.TextOptions{Color: true}, d)
		if want := "\x1b[1;" + code + "m" + severity.String() + "[strategy.invalid_field]\x1b[0m"; !strings.HasPrefix(got, want) {
			t.Errorf("%s begins with %q, want %q", severity, got[:min(len(got), len(want))], want)
		}
		if plain := render(t, diag.TextOptions{}, d); strings.Contains(plain, "\x1b") {
			t.Errorf("%s: colours without Color: %q", severity, plain)
		}
		if strings.Count(got, "\x1b[")%2 != 0 || !strings.HasSuffix(got, "write another\n") {
			t.Errorf("%s: a colour is not ended: %q", severity, got)
		}
	}
}

func TestTextNames(t *testing.T) {
	got := render(t, diag.TextOptions{Name: filepath.Base}, mark("key: value", "value"))
	if !strings.Contains(got, "--> x.strategy.md:1:6\n") {
		t.Errorf("got\n%s", got)
	}
	list := render(t, diag.TextOptions{}, mark("a", "a"), mark("b", "b"))
	if !strings.Contains(list, "^\n\nerror") {
		t.Errorf("diagnostics are not kept apart by an empty line:\n%s", list)
	}
}

func TestLines(t *testing.T) {
	list := diag.List{
		mark("a: 1\nkey: value", "value").WithHint("write another"),
		diag.At(diag.NewSource("/w/y.md", ""), diag.NoSpan, diag.RuleEmpty, "the file has no text"),
		{Severity: diag.Info, Code: diag.VisualUnavailable, Message: "no visible elements"},
	}
	var b strings.Builder
	if err := diag.Lines(&b, list, diag.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	want := `/w/x.strategy.md:2:6: error: this is wrong; write another [strategy.invalid_field]
/w/y.md: warning: the file has no text [rule.empty]
info: no visible elements [visual.unavailable]
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}
