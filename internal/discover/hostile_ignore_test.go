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

// TestHostileIgnore: where lines of .gitignore end the search for folders, the rules tell it, once.
func TestHostileIgnore(t *testing.T) {
	w := newWorld(files.Unix, nil)
	w.tree.WriteFile("/w/.git/HEAD", "ref: refs/heads/main\n")
	var lines strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&lines, "**/*%s[!b-z]%d*\n", strings.Repeat("a*", 100), i)
	}
	w.tree.WriteFile("/w/.gitignore", lines.String())
	for i := range 50 {
		w.tree.WriteFile(fmt.Sprintf("/w/%s%d", strings.Repeat("a", 200), i), "")
	}
	w.tree.WriteFile("/w/zz/AGENTS.md", "Nested.")
	_, notes, err := discover.NestedFolders(t.Context(), w.tree, "/w")
	if err != nil || len(notes) == 0 {
		t.Fatalf("%v, %v", notes, err)
	}
	set, err := rule.Load(t.Context(), discover.Rules(w.tree, discover.RuleRoots{Dir: "/w", Notes: notes}), rule.Options{Root: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, d := range set.Warnings() {
		if d.Code == diag.RuleTooLarge && strings.Contains(d.Message, ".gitignore") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("warnings: %v", set.Warnings())
	}
}
