package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestRulesHaveALimitTogether: a project's rules are read up to a sum, imports
// included; what is left out is told once for each tool, and the user's own rules
// are not concerned.
func TestRulesHaveALimitTogether(t *testing.T) {
	mega := strings.Repeat("y", 1<<20)
	w := newWorld(files.Unix, map[string]string{"/w/.git/HEAD": "x", "/w/big.md": mega[:1000_000], "/w/AGENTS.md": "Agents.", "/home/u/.claude/CLAUDE.md": "Mine."})
	for i := range 20 {
		w.tree.WriteFile(fmt.Sprintf("/w/.cursor/rules/r%02d.mdc", i), "---\nalwaysApply: true\n---\n"+mega)
		w.tree.WriteFile(fmt.Sprintf("/w/.claude/rules/c%02d.md", i), "@../../big.md\n")
	}
	for range 3 { // whoever is fastest
		set, err := rule.Load(t.Context(), discover.Rules(w.tree, discover.RuleRoots{Dir: "/w", Home: "/home/u"}), rule.Options{Root: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for _, r := range set.All() {
			counts[r.Provider+" "+string(r.Level)]++
		}
		if counts["cursor project"] != 20 || counts["claude user"] != 1 || counts["claude project"] != 12 {
			t.Errorf("%v", counts)
		}
		told := 0
		for _, d := range set.Warnings() {
			if d.Code == diag.RuleTooLarge && strings.Contains(d.Message, "32 MiB") {
				told++
			}
		}
		if told != 2 { // of Claude's, with the number of the others, and AGENTS.md
			t.Errorf("%v", set.Warnings())
		}
	}
}
