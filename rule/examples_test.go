package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// readExamples gives the examples of a rule with this field, as text, and what is
// wrong with it.
func readExamples(field string) (match, noMatch, problems []string, fixes []rule.Fix) {
	source := diag.NewSource("/w/r.md", "---\nttsr_trigger: x\n"+field+"\n---\nBody.")
	r, list := rule.Read(source, rule.Origin{Provider: "native", Level: rule.Project, Name: "r", Base: "/w"}, native)
	for _, e := range r.Examples.Match {
		match = append(match, e.Text)
	}
	for _, e := range r.Examples.NoMatch {
		noMatch = append(noMatch, e.Text)
	}
	for _, d := range list {
		p, _ := d.Position()
		problems = append(problems, fmt.Sprintf("%d:%d %s %s", p.Line, p.Column, d.Code, d.Sentence()))
	}
	return match, noMatch, problems, r.Fixes
}

func TestExamples(t *testing.T) {
	const shape = "; write `examples: {match: [\"…\"], no_match: [\"…\"]}`"
	for _, c := range []struct{ field, match, noMatch, problems string }{
		{`examples: {match: ["a", b], no_match: ["c"]}`, "[a b]", "[c]", "[]"},
		{"examples:\n  match: one text\n  no_match:\n    - |\n      two\n      lines\n", "[one text]", "[two\nlines\n]", "[]"},
		{`examples: {match: [""], no_match: ""}`, "[]", "[]", "[]"}, // empty texts, which print as nothing
		{`examples:`, "[]", "[]", "[]"},
		{`examples: {match: [], no_match: ~}`, "[]", "[]", "[]"},
		{
			`examples: ["a"]`, "[]", "[]",
			"[3:11 rule.invalid_field `examples` must be a map of `match` and `no_match`, not a list; it is left out" + shape + "]",
		},
		{
			`examples: 7`, "[]", "[]",
			"[3:11 rule.invalid_field `examples` must be a map of `match` and `no_match`, not a number; it is left out" + shape + "]",
		},
		{
			`examples: a text`, "[]", "[]",
			"[3:11 rule.invalid_field `examples` must be a map of `match` and `no_match`, not a string; it is left out" + shape + "]",
		},
		{
			`examples: {match: {a: b}, no_match: [c]}`, "[]", "[c]",
			"[3:19 rule.invalid_field `examples.match` must be a list of texts, not a map; it is left out" + shape + "]",
		},
		{
			`examples: {match: 5}`, "[]", "[]",
			"[3:19 rule.invalid_field `examples.match` must hold texts, not a number; this one is left out; put the text in quotes]",
		},
		{
			`examples: {no_match: [true, a, ~, [b]]}`, "[]", "[a]",
			"[3:23 rule.invalid_field `examples.no_match` must hold texts, not a boolean; this one is left out; put the text in quotes " +
				"3:32 rule.invalid_field `examples.no_match` must hold texts, not null; this one is left out; put the text in quotes " +
				"3:35 rule.invalid_field `examples.no_match` must hold texts, not a list; this one is left out; put the text in quotes]",
		},
		{
			`examples: {matches: [a], nomatch: [b]}`, "[]", "[]",
			"[3:12 rule.unknown_field `examples` has no field `matches`; what it holds is not tried; did you mean `match`? " +
				"3:26 rule.unknown_field `examples` has no field `nomatch`; what it holds is not tried; did you mean `no_match`?]",
		},
		{
			`examples: {noMatch: [a], no-match: [b], match: [c]}`, "[c]", "[]",
			"[3:12 rule.unknown_field `examples` has no field `noMatch`; what it holds is not tried; did you mean `no_match`? " +
				"3:26 rule.unknown_field `examples` has no field `no-match`; what it holds is not tried; did you mean `no_match`?]",
		},
		{
			`examples: {positive: [a]}`, "[]", "[]",
			"[3:12 rule.unknown_field `examples` has no field `positive`; what it holds is not tried; the fields are `match` and `no_match`]",
		},
	} {
		match, noMatch, problems, _ := readExamples(c.field)
		if fmt.Sprint(match) != c.match || fmt.Sprint(noMatch) != c.noMatch || fmt.Sprint(problems) != c.problems {
			t.Errorf("%s\n%q %q %v\nwant %s", c.field, match, noMatch, problems, c.problems)
		}
	}
	if match, noMatch, _, _ := readExamples(`examples: {match: [""], no_match: ""}`); len(match) != 1 || len(noMatch) != 1 {
		t.Errorf("an empty text is no example: %q %q", match, noMatch)
	}
}

// Misspelt keys are mended where that is sure: not where both would become one.
func TestExampleFixes(t *testing.T) {
	for field, want := range map[string]string{
		`examples: {matches: [a], nomatch: [b]}`:     "matches>match nomatch>no_match",
		`examples: {noMatch: [a], no-match: [b]}`:    "noMatch>no_match",
		`examples: {matches: [a], match: [b]}`:       "",
		`examples: {matches: [a]}` + "\nglob: '*.x'": "glob>globs matches>match",
	} {
		_, _, _, fixes := readExamples(field)
		var got []string
		text := "---\nttsr_trigger: x\n" + field
		for _, f := range fixes {
			got = append(got, text[f.Span.Start:f.Span.End]+">"+f.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
}

// An example is found where it is written, whatever stands beside it.
func TestExampleSpans(t *testing.T) {
	source := diag.NewSource("/w/r.md", "---\nttsr_trigger: x\nexamples: {match: [1, '', two, three]}\n---\nBody.")
	r, _ := rule.Read(source, rule.Origin{Provider: "native", Name: "r", Base: "/w"}, native)
	var got []string
	for _, e := range r.Examples.Match {
		got = append(got, source.Text()[e.Span.Start:e.Span.End])
	}
	if strings.Join(got, " ") != "'' two three" {
		t.Errorf("%q", got)
	}
}

// As documented, the rulebook knows no examples.
func TestDocumentedHasNoExamples(t *testing.T) {
	source := diag.NewSource("/w/r.md", "---\nttsr_trigger: x\nexamples: 7\n---\nBody.")
	r, list := rule.Read(source, rule.Origin{Provider: "native", Name: "r", Base: "/w", Documented: true}, native)
	if r.Examples.Len() != 0 || len(list) != 0 {
		t.Errorf("%+v %v", r.Examples, list)
	}
}

// Whatever the frontmatter is, an example is a text of the file, and what is reported
// lies in it.
func FuzzExamples(f *testing.F) {
	f.Add("examples: {match: [a, 'b'], no_match: c}")
	f.Add("examples:\n  matches: &a [x, *a]\n  match:\n    - |\n      x\n")
	f.Add("examples: [1, {match: 2}]\nexamples: 3")
	f.Fuzz(func(t *testing.T, field string) {
		source := diag.NewSource("/w/r.md", "---\nttsr_trigger: x\n"+field+"\n---\nBody.")
		r, list := rule.Read(source, rule.Origin{Provider: "native", Name: "r", Base: "/w"}, native)
		if r == nil {
			return
		}
		for _, e := range append(r.Examples.Match, r.Examples.NoMatch...) {
			if !e.Span.IsValid() || e.Span.End > len(source.Text()) {
				t.Errorf("%q is at %v", e.Text, e.Span)
			}
		}
		for _, d := range list {
			if d.Span.IsValid() && d.Source == source && d.Span.End > len(source.Text()) {
				t.Errorf("%s is at %v", d.Message, d.Span)
			}
		}
		for _, fix := range r.Fixes {
			if fix.Span.Start > fix.Span.End || fix.Span.End > len(source.Text()) {
				t.Errorf("a fix is at %v", fix.Span)
			}
		}
	})
}
