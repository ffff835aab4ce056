package discover_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// walked counts what a walk of a project came to, and the limits it ran into.
func walked(t *testing.T, w *world) (names int, limits []string) {
	t.Helper()
	err := discover.WalkProject(t.Context(), w.tree, w.path("/w"), func(step files.Step) error {
		var limit *files.LimitError
		if errors.As(step.Err, &limit) {
			limits = append(limits, limit.What)
			return nil
		}
		names++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names, limits
}

// TestHostileIgnore: lines that have much to try at each name, and many of them,
// end the walk with a word about it.
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
	if names, limits := walked(t, w); len(limits) != 1 || names >= 50 {
		t.Errorf("%d names, limits %q", names, limits)
	}
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

// TestIgnoreTails: what a line ends with settles most names at no cost.
func TestIgnoreTails(t *testing.T) {
	w := newWorld(files.Unix, nil)
	w.tree.WriteFile("/w/.git/HEAD", "ref: refs/heads/main\n")
	w.tree.WriteFile("/w/.gitignore", strings.Repeat("**/"+strings.Repeat("*a", 100)+"b\n", 2000))
	for i := range 200 {
		w.tree.WriteFile(fmt.Sprintf("/w/%s%d", strings.Repeat("a", 200), i), "")
	}
	if names, limits := walked(t, w); len(limits) > 0 || names < 200 {
		t.Errorf("%d names, limits %q", names, limits)
	}
}

// TestManyIgnoreFiles: all of them together have a limit.
func TestManyIgnoreFiles(t *testing.T) {
	w := newWorld(files.Unix, nil)
	w.tree.WriteFile("/w/.git/HEAD", "ref: refs/heads/main\n")
	for i := range 5 {
		w.tree.WriteFile(fmt.Sprintf("/w/d%d/.gitignore", i), strings.Repeat("[a][b]*c\n", 1<<20/9))
	}
	if _, limits := walked(t, w); len(limits) != 1 {
		t.Errorf("limits %q", limits)
	}
}
