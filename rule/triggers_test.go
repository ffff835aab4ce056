package rule_test

import (
	"fmt"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestCheckTriggers: a trigger of another dialect is told at its place, with what to write;
// one that matches everything is not where globs narrow it.
func TestCheckTriggers(t *testing.T) {
	for _, tt := range []struct{ front, want string }{
		{`ttsr_trigger: 'foo\z'`, "2:19: in a trigger, `\\z` is the letter z, not the end of the text; write `$`"},
		{"condition:\n  - fine\n  - \"\\\\p{Lu}x\"", "4:6: in a trigger, `\\p{Lu}` is the letter p and `{Lu}`, not a property of Unicode; write `[A-Z]`, or the letters that are meant"},
		{`ttsr_trigger: /foo/i`, "2:15: in a trigger, the slashes are part of the expression, and `i` is text; write `(?i)foo`"},
		{`ttsr_trigger: ".*"`, "2:16: in a trigger, the expression matches every text, even none; write what makes it different from other text"},
		{"ttsr_trigger: \".*\"\nglobs: \"*.sql\"", ""},
		{"ttsr_trigger: \".*\"\nscope: \"tool:edit(*.sql)\"", ""},
		{`condition: "*.rs"`, ""},
		{`ttsr_trigger: 'foo$'`, ""},
	} {
		got := ""
		for _, d := range rule.Check(read(t, native, "a", tt.front, "Not that.")) {
			if d.Code == diag.RuleInvalidTrigger {
				p, _ := d.Position()
				got += fmt.Sprintf("%d:%d: %s; %s", p.Line, p.Column, d.Message, d.Hint)
			}
		}
		if got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.front, got, tt.want)
		}
	}
}
