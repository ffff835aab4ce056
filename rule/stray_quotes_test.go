package rule_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// onePattern is a format whose strings are one glob each, as Qwen Code's.
var onePattern = &rule.Format{Tool: "Qwen Code", GlobKeys: []string{"paths"}, OnePattern: true, Extglobs: true, Alone: true}

// TestStrayQuotes: backticks and quotes without the other one are understood, told, and never made a part of the glob by --fix.
func TestStrayQuotes(t *testing.T) {
	for _, test := range []struct{ fields, globs, fixed string }{
		{"globs: `**/*.ts`", "**/*.ts", "globs: '**/*.ts'"},
		{"globs: **/*.ts\"", "**/*.ts", "globs: '**/*.ts'"},
		{"globs: **/*.ts'", "**/*.ts", "globs: '**/*.ts'"},
		{"globs: **/*.ts`", "**/*.ts", "globs: '**/*.ts'"},
		{"globs: \"**/*.ts", "**/*.ts", "globs: '**/*.ts'"},
		{"globs: `**/*.ts`, `**/*.js`", "**/*.ts **/*.js", "globs: '**/*.ts, **/*.js'"},
		{"globs: \"**/*.ts\", \"**/*.js\"", "**/*.ts **/*.js", "globs: '**/*.ts, **/*.js'"},
		{"globs:\n  - `**/*.ts`\n  - `b`", "**/*.ts b", "globs:\n  - '**/*.ts'\n  - 'b'"},
		{"globs: **/*.ts, b", "**/*.ts b", "globs: '**/*.ts, b'"},
		{"description: `x` is code\nglobs: a", "a", "description: '`x` is code'\nglobs: a"},
		{"globs: “”, a", "a", "globs: “”, a"},
		{"globs: src/*.ts\"", "src/*.ts", "globs: src/*.ts\""},
		{"paths: **/*.ts\"", "**/*.ts", "paths: '**/*.ts'"},
		{"paths: `**/*.ts`", "**/*.ts", "paths: '**/*.ts'"},
		{"paths: “**/*.ts”", "**/*.ts", "paths: “**/*.ts”"},
		{"paths: [\"**/*.ts'\"]", "**/*.ts", "paths: [\"**/*.ts'\"]"},
		{"paths: \"'**/*.ts'\"", "**/*.ts", "paths: \"'**/*.ts'\""},
	} {
		format := other
		if strings.HasPrefix(test.fields, "paths") {
			format = onePattern
		}
		before, after := fix(t, format, "---\n"+test.fields+"\n---\nBody")
		if got := strings.Join(before.Globs, " "); got != test.globs {
			t.Errorf("%q: globs %q", test.fields, got)
		}
		if got := strings.Join(after.Globs, " "); got != test.globs {
			t.Errorf("%q: globs %q after --fix", test.fields, got)
		}
		if got := after.Source.Text(); got != "---\n"+test.fixed+"\n---\nBody" {
			t.Errorf("%q: --fix makes %q", test.fields, got)
		}
		_, list := rule.Read(before.Source, rule.Origin{Name: "a"}, format)
		told := 0
		for _, d := range list {
			if d.Code == diag.RuleInvalidYAML || d.Code == diag.RuleInvalidField {
				told++
			}
			if strings.Contains(strings.TrimPrefix(d.Hint, "write "), "`**") || strings.HasSuffix(d.Hint, "\"'") {
				t.Errorf("%q: the hint is %q", test.fields, d.Hint)
			}
		}
		if told == 0 || told > 2 {
			t.Errorf("%q is told %d times: %v", test.fields, told, list)
		}
	}
}

// TestUnquotedGlobs: of globs that YAML cannot read it is told whether the tool itself takes them.
func TestUnquotedGlobs(t *testing.T) {
	takes := &rule.Format{Tool: "Cursor", GlobKeys: []string{"globs"}, Unquoted: true}
	for _, test := range []struct {
		format *rule.Format
		fields string
		want   bool
	}{
		{takes, "globs: *.ts", true},
		{takes, "globs:\n  - **/*.ts", true},
		{takes, "description: *bold* text", false},
		{takes, "globs: @a", false},
		{other, "globs: *.ts", false},
	} {
		_, list := rule.Read(diag.NewSource("/w/a.md", "---\n"+test.fields+"\n---\nBody"), rule.Origin{Name: "a", Base: "/w"}, test.format)
		if len(list) != 1 || list[0].Severity != diag.Warning || list[0].Code != diag.RuleInvalidYAML || list[0].Hint == "" {
			t.Fatalf("%q: %v", test.fields, list)
		}
		if got := strings.Contains(list[0].Message, "Cursor takes it as it is meant"); got != test.want {
			t.Errorf("%s, %q: %s", test.format.Tool, test.fields, list[0].Message)
		}
	}
}
