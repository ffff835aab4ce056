package lint

import (
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/rule"
)

// TestSyncedFields: the fields of other tools in a file that is kept for them as well are no mistake; in a file of one tool alone they are.
func TestSyncedFields(t *testing.T) {
	cursor := &rule.Format{Tool: "Cursor", GlobKeys: []string{"globs"}, ModeKey: "alwaysApply"}
	claude := &rule.Format{Tool: "Claude Code", GlobKeys: []string{"paths"}}
	read := func(path, provider string, f *rule.Format, text string) (*rule.Rule, diag.List) {
		return rule.Read(diag.NewSource(path, text), rule.Origin{Provider: provider, Level: rule.Project, Name: "a", Base: "/w"}, f)
	}
	const text = "---\nalwaysApply: true\npaths: \"**/*.ts\"\n---\nText.\n"
	a, list := read("/w/.cursor/rules/a.mdc", "cursor", cursor, text)
	b, more := read("/w/.claude/rules/a.md", "claude", claude, text)
	c, _ := read("/w/.claude/rules/a.md", "claude", claude, "---\npaths: \"**/*.ts\"\n---\nAnother text.\n")
	list = append(list, more...)
	wrong := func(list diag.List) int {
		n := 0
		for _, d := range list {
			if d.Code == diag.RuleWrongKey {
				n++
			}
		}
		return n
	}
	if wrong(list) == 0 {
		t.Fatal("alone they are mistakes")
	}
	if got := withoutSynced(list, []*rule.Rule{a, b}); wrong(got) != 0 {
		t.Errorf("told of copies: %v", got)
	}
	if got := withoutSynced(list, []*rule.Rule{a, c}); wrong(got) == 0 {
		t.Error("not told of a file that is another one")
	}
}
