package rule_test

import (
	"testing"

	"github.com/pertain-dev/pertain/rule"
)

// TestKeptAlike: copies of a rule for another tool are known by their text.
func TestKeptAlike(t *testing.T) {
	const text = "# React\n\nSee `.cursor/rules/react/hooks.mdc`, and .cursor/rules.\nUse tabs."
	for _, test := range []struct {
		name, provider, text string
		want                 bool
	}{
		{"a comment, folders and ends of names", "windsurf", "<!-- Windsurf\ncontext -->\n# React\nSee `.windsurf/rules/react/hooks.md`, and  .windsurf/rules.\n\nUse tabs.", true},
		{"instructions of Copilot", "github", "# React\n\nSee `.github/instructions/react/hooks.instructions.md`, and .github/instructions.\nUse tabs.", true},
		{"one word differs", "windsurf", "# React\n\nSee `.windsurf/rules/react/hooks.md`, and .windsurf/rules.\nUse blanks.", false},
		{"another file is named", "windsurf", "# React\n\nSee `.windsurf/rules/react/state.md`, and .windsurf/rules.\nUse tabs.", false},
		{"of the same tool", "cursor", text, false},
	} {
		a, b := read(t, other, "a", "description: d", text), read(t, other, "a", "description: d", test.text)
		a.Provider, b.Provider = "cursor", test.provider
		if got := a.KeptAlike(b); got != test.want || b.KeptAlike(a) != got {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}

// TestCheckAll: a rule that is kept for several tools is told of once, two rules of one
// tool each.
func TestCheckAll(t *testing.T) {
	check := func(providers ...string) int {
		var rules []*rule.Rule
		for _, p := range providers {
			r := read(t, other, "a", "alwaysApply: true\nglobs: '*.ts'", "Body.")
			r.Provider = p
			rules = append(rules, r)
		}
		return len(rule.CheckAll(rules))
	}
	if once, twice := check("cursor", "windsurf", "cline"), check("cursor", "cursor"); once != 1 || twice != 2 {
		t.Errorf("told %d times of one kept for three tools, %d times of two", once, twice)
	}
}
