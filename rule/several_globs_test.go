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

// TestDeadGlobHints: what a hint proposes, the tool's own matcher takes for what the author means.
func TestDeadGlobHints(t *testing.T) {
	for _, test := range []struct {
		format     *rule.Format
		glob, hint string
	}{
		{onePattern, "*.ts,*.js", "write each as an element of a list: `paths: [\"*.ts\", \"*.js\"]`"},
		{onePattern, "*.{ts}", "braces around one item are a part of the name; write `*.ts`"},
		{onePattern, "*.ts", "a glob without a slash matches only in the folder of the rules; `**/*.ts` matches everywhere"},
		{other, "src", "`src` is a file of this name; `src/**` is what is in a folder of it"},
		{other, ".ts", "`.ts` is a file of this name; `**/*.ts` is every file that ends so"},
		{other, "**/*.(ts|tsx)", "alternatives are written in braces: `**/*.{ts,tsx}`"},
	} {
		r, _ := rule.Read(diag.NewSource("/w/a.md", "---\n"+test.format.GlobKeys[0]+": \""+test.glob+"\"\n---\nBody"), rule.Origin{Name: "a", Base: "/w", Level: rule.Project}, test.format)
		list := rule.NewCoverage([]*rule.Rule{r}, false).Dead()
		if len(list) != 1 || list[0].Hint != test.hint {
			t.Errorf("%s %q: %v", test.format.Tool, test.glob, list)
		}
	}
}
