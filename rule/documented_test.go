package rule_test

import (
	"fmt"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestDocumentedFields: where the rulebook says that a field is kept without a check, any value is, and else strings alone.
func TestDocumentedFields(t *testing.T) {
	keepsAll := rule.Normalization{AnyGlobs: true, AnyDescription: true, AnyTrigger: true, AnyAlways: true}
	for _, tt := range []struct {
		fields string
		how    rule.Normalization
		want   string
	}{
		{"description: d", rule.Normalization{}, "rulebook d [] - -"},
		{"description: 7", rule.Normalization{}, "none - [] - -"},
		{"description: 7", keepsAll, "rulebook 7 [] - -"},
		{"description: 0", keepsAll, "none - [] - -"},
		{"ttsr_trigger: 7", rule.Normalization{}, "none - [] - -"},
		{"ttsr_trigger: 7", keepsAll, "ttsr - [] - [7]"},
		{"globs: a", rule.Normalization{}, "none - [a] - -"},
		{"globs: [a, 7, b]", rule.Normalization{}, "none - [a b] - -"},
		{"globs: [a, 7, b]", keepsAll, "none - [a 7 b] - -"},
		{"globs: 7", keepsAll, "none - [] - -"},
		{"description: d\nalwaysApply: true", rule.Normalization{}, "none d [] true -"},
		{"description: d\nalwaysApply: false", rule.Normalization{}, "rulebook d [] false -"},
		{"description: d\nalwaysApply: false", rule.Normalization{TrueAlways: true}, "rulebook d [] - -"},
		{"description: d\nalwaysApply: true", rule.Normalization{TrueAlways: true}, "none d [] true -"},
		{"description: d\nalwaysApply: 'no'", rule.Normalization{}, "rulebook d [] - -"},
		{"description: d\nalwaysApply: 'no'", keepsAll, "none d [] - -"},
	} {
		format := &rule.Format{Tool: "Cursor", GlobKeys: []string{"globs"}, ModeKey: "alwaysApply", Documented: tt.how}
		r, list := rule.Read(diag.NewSource("/w/a.md", "---\n"+tt.fields+"\n---\nBody\n"), rule.Origin{Name: "a", Documented: true}, format)
		if r == nil || len(list) > 0 {
			t.Errorf("%s: %v", tt.fields, list)
			continue
		}
		description, always, triggers := "-", "-", "-"
		if r.Description != nil {
			description = *r.Description
		}
		if r.AlwaysApply != nil {
			always = fmt.Sprint(*r.AlwaysApply)
		}
		if len(r.Triggers) > 0 {
			triggers = fmt.Sprint(r.Triggers)
		}
		if got := fmt.Sprintf("%s %s %v %s %s", r.Bucket, description, r.Globs, always, triggers); got != tt.want || !r.Documented() {
			t.Errorf("%s with %+v: %s, want %s", tt.fields, tt.how, got, tt.want)
		}
	}
}

// TestDocumentedReadsNoMore: what tools do beyond the rulebook is not looked for.
func TestDocumentedReadsNoMore(t *testing.T) {
	format := &rule.Format{
		Tool: "Cursor", GlobKeys: []string{"globs"}, ModeKey: "alwaysApply",
		BlankIsText: true, QuoteIsLost: true, TakesBroken: true, MaxBytes: 10,
	}
	for _, tt := range []struct{ text, content, problem string }{
		{"\n---\ndescription: d\n---\nBody\n", "---\ndescription: d\n---\nBody", ""},
		{"---\ndescription: \"d\n---\nBody\n", "Body", "the quoted text is never closed"},
		{"---\ndescription: d\nunknown: x\n---\nBody of more than ten bytes\n", "Body of more than ten bytes", ""},
		{"description: d\n---\nBody\n", "description: d\n---\nBody", ""},
	} {
		read := func(documented bool) (r *rule.Rule, problem string) {
			r, list := rule.Read(diag.NewSource("/w/a.md", tt.text), rule.Origin{Name: "a", Documented: documented}, format)
			for _, d := range list {
				problem += d.Message
			}
			return r, problem
		}
		r, problem := read(true)
		if r.Content != tt.content || problem != tt.problem || r.Lost {
			t.Errorf("%q: %q, %q, lost %v", tt.text, r.Content, problem, r.Lost)
		}
		if _, told := read(false); told == problem {
			t.Errorf("%q: nothing more is told otherwise", tt.text)
		}
	}
}
