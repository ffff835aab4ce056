package rule_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// cline is a format whose own field for globs is another than the usual one.
var cline = &rule.Format{Tool: "Cline", GlobKeys: []string{"paths", "globs"}, Keys: []string{"alwaysApply"}, Extglobs: true}

// fix reads a rule, applies its fixes and reads what came of it.
func fix(t *testing.T, format *rule.Format, text string) (before, after *rule.Rule) {
	t.Helper()
	read := func(text string) *rule.Rule {
		r, _ := rule.Read(diag.NewSource("/w/a.md", text), rule.Origin{Name: "a", Base: "/w"}, format)
		return r
	}
	if before = read(text); before == nil {
		return nil, nil
	}
	fixes := slices.Clone(before.Fixes)
	slices.SortFunc(fixes, func(a, b rule.Fix) int { return b.Span.Start - a.Span.Start })
	for _, f := range fixes {
		text = text[:f.Span.Start] + f.Text + text[f.Span.End:]
	}
	return before, read(text)
}

// TestFixOnceIsEnough: of whatever file, what was mended needs no more mending.
// Quotes change no value.
func TestFixOnceIsEnough(t *testing.T) {
	keys := []string{"description", "globs", "glob", "paths", "alwaysApply", "scope", "descrption", "x"}
	values := []string{
		"*.ts", "**/*.ts, *.go", "!!important read this", "!!!IMPORTANT x", "&a !b x", "! read this", "&R&D team", "> 5 items: yes", "|*.ts", "[*.ts, a]", "[a, !b]",
		"a: b", "@a", "`a`", "'it's'", `"x" y`, "plain", "true", "", "{a,b}/**", "%a", "'a'", "&a b", "*a", "\"\\q\"", "- a", "# c", "a # c", "|\n  text", ">-\n  text: more",
		"\n  - *.ts\n  - !a\n  - |b", "\n  *.py", "? a", "!a b", "!!str 1",
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 1500 {
		var b strings.Builder
		b.WriteString("---\n")
		for range 1 + r.IntN(4) {
			b.WriteString(keys[r.IntN(len(keys))] + ": " + values[r.IntN(len(values))] + "\n")
		}
		b.WriteString("---\nBody")
		for _, format := range []*rule.Format{native, other, cline} {
			before, after := fix(t, format, b.String())
			if before == nil {
				continue
			}
			if len(after.Fixes) > 0 {
				t.Fatalf("%s: %q became %q, and that needs %d more", format.Tool, b.String(), after.Source.Text(), len(after.Fixes))
			}
			if slices.ContainsFunc(before.Fixes, func(f rule.Fix) bool { return strings.HasPrefix(f.Why, "rename") }) {
				continue // that is meant to change what the rule says
			}
			if was, is := fieldsOf(t, before), fieldsOf(t, after); was != is {
				t.Fatalf("%s: %q became %q: %s, was %s", format.Tool, b.String(), after.Source.Text(), is, was)
			}
		}
	}
}

func fieldsOf(t *testing.T, r *rule.Rule) string {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRenameKeepsScope: a misspelt key must not win over globs that count.
func TestRenameKeepsScope(t *testing.T) {
	for _, test := range []struct{ fields, globs, fixed, says string }{
		{"glob: '*.ts'", "", "*.ts", "it does nothing here"},
		{"glob: '*.ts'\nglobs: '*.js'", "*.js", "*.js", "it is read all the same"},
		{"glob: '*.ts'\npaths: '*.js'", "*.js", "*.js", "it does nothing here"},
		{"globs: '*.ts'\npaths: '*.js'", "*.js", "*.js", "beside `paths` it does nothing"},
		{"paths: '*.js'\nglobs: '*.ts'", "*.js", "*.js", "beside `paths` it does nothing"},
		{"globs: '*.ts'\npaths: []", "*.ts", "*.ts", "beside `paths` it does nothing"},
		{"globs: '*.ts'\npaths:", "*.ts", "*.ts", "it is read all the same"},
	} {
		before, after := fix(t, cline, "---\n"+test.fields+"\n---\nBody")
		if got := strings.Join(before.Globs, " "); got != test.globs {
			t.Errorf("%q: globs %q", test.fields, got)
		}
		if got := strings.Join(after.Globs, " "); got != test.fixed {
			t.Errorf("%q: globs %q after --fix", test.fields, got)
		}
		_, list := rule.Read(before.Source, rule.Origin{Name: "a"}, cline)
		if !slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return strings.Contains(d.Message, test.says) && d.Hint != "" }) {
			t.Errorf("%q: %v", test.fields, list)
		}
	}
}
