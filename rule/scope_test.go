package rule_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// TestScopes: what is wrong with a scope is told when the rule is read, with its
// place and a remedy, and is what the watcher finds wrong.
func TestScopes(t *testing.T) {
	for _, test := range []struct{ scope, want string }{
		{"text", ""},
		{"[text, thinking, tool, tool:Write, 'tool:Write(*.ts)']", ""},
		{"[]", ""},
		{"' tool '", ""},
		{"bogus", "there is no such scope: `bogus`; the rule never fires | a scope is text"},
		{"all", "there is no such scope: `all`; the rule never fires | a scope is text"},
		{"Text", "there is no such scope: `Text`; the rule never fires | did you mean `text`?"},
		{"tool, text", "there is no such scope: `tool, text`; the rule never fires | write a list: `scope: [tool, text]`"},
		{"[text, bogus]", "there is no such scope: `bogus`; it watches nothing | a scope is text"},
		{"'tool:'", "there is no such scope: `tool:`; the rule never fires | did you mean `tool`?"},
		{"'tool:Write('", "the scope of a tool is not complete: `tool:Write(`; the rule never fires | a scope is text"},
		{"'tool:Write([a)'", "`[` is not closed: `tool:Write([a)`; the rule never fires | a scope is text"},
		{"3", "`scope` must hold strings, not a number; this one is left out | put it in quotes"},
	} {
		source := diag.NewSource("/w/a.md", "---\nttsr_trigger: foo\nscope: "+test.scope+"\n---\nBody")
		r, list := rule.Read(source, rule.Origin{Name: "a", Provider: "p"}, native)
		got := ""
		for _, d := range list {
			got += d.Message + " | " + d.Hint
			if p, ok := d.Position(); !ok || p.Line != 3 || d.Code != diag.RuleInvalidField || d.Provider != "p" {
				t.Errorf("%s: %+v", test.scope, d)
			}
		}
		if !strings.HasPrefix(got, test.want) || (test.want == "") != (got == "") {
			t.Errorf("%s:\n got %s\nwant %s", test.scope, got, test.want)
		}
		_, problems := stream.Compile([]stream.Trigger{{Scope: r.Scope}}, stream.Options{})
		if len(problems) != len(r.ScopeProblems()) {
			t.Errorf("%s: the watcher finds %v", test.scope, problems)
		}
	}
	r, list := rule.Read(diag.NewSource("/w/a.md", "---\nscope: bogus\n---\nBody"), rule.Origin{Name: "a"}, native)
	if len(list) > 0 || r.ScopeProblems() != nil {
		t.Errorf("without a trigger: %v", list)
	}
}
