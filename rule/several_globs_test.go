package rule_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestSeveralGlobs: what was meant to be several globs and is one is told, with how to write it; names with blanks and groups are not.
func TestSeveralGlobs(t *testing.T) {
	for _, test := range []struct {
		format     *rule.Format
		glob, hint string
	}{
		{other, "**/*.ts; **/*.js", "commas stand between globs: `globs: \"**/*.ts, **/*.js\"`"},
		{other, "src/a.ts;src/b.ts", "commas stand between globs: `globs: \"src/a.ts, src/b.ts\"`"},
		{other, "**/*.ts **/*.js", "commas stand between globs: `globs: \"**/*.ts, **/*.js\"`"},
		{other, "**/*.ts|**/*.js", "commas stand between globs: `globs: \"**/*.ts, **/*.js\"`"},
		{other, "(**/*.ts)", "write `globs: \"**/*.ts\"`, without the parentheses"},
		{onePattern, "**/*.ts **/*.js", "write each as an element of a list: `paths: [\"**/*.ts\", \"**/*.js\"]`"},
		{onePattern, "**/*.ts|**/*.js", ""}, // picomatch knows it
		{onePattern, "(**/*.ts)", ""},
		{other, "docs/My File.md", ""},
		{other, "**/*.{ts,tsx}", ""},
		{other, "a|b", ""},
		{other, "src/[a b]*.ts", ""},
	} {
		source := diag.NewSource("/w/a.md", "---\n"+test.format.GlobKeys[0]+": \""+test.glob+"\"\n---\nBody")
		_, list := rule.Read(source, rule.Origin{Name: "a", Base: "/w"}, test.format)
		hint := ""
		for _, d := range list {
			if d.Code == diag.RuleInvalidField && strings.Contains(d.Message, "is one glob to") {
				hint = d.Hint
			}
		}
		if hint != test.hint {
			t.Errorf("%s %q: %q, want %q", test.format.Tool, test.glob, hint, test.hint)
		}
	}
}
