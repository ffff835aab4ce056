package discover_test

import (
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestHomeNames: what lies in a folder of the project that is called `~` does not have the name of a file of the user's own, and hides none.
func TestHomeNames(t *testing.T) {
	for _, dir := range []string{"/w", "/w/~"} {
		w := newWorld(files.Unix, map[string]string{
			"/home/u/.claude/CLAUDE.md": "OWN\n", "/w/.git/HEAD": "", "/w/CLAUDE.md": "PROJECT\n", "/w/~/CLAUDE.md": "NESTED\n", "/w/~/x/CLAUDE.md": "DEEP\n",
			"/w/.omp/rules/~/CLAUDE.md": "---\nalwaysApply: true\n---\nSTRANGER\n", "/w/.cursor/rules/~/CLAUDE.mdc": "---\nalwaysApply: true\n---\nSTRANGER TOO\n",
		})
		roots := w.roots(dir)
		roots.Folders = []string{"/w/~", "/w/~/x"}
		set := w.load(t, roots)
		if r, err := set.Open("~/CLAUDE"); err != nil || r.Content != "OWN" || r.Shadowed {
			t.Errorf("in %s: %+v, %v", dir, r, err)
		}
		var got []string
		for _, r := range set.All() {
			got = append(got, r.Name)
		}
		slices.Sort(got)
		if want := []string{"./~/CLAUDE", "./~/CLAUDE", "./~/CLAUDE", "./~/x/CLAUDE", "CLAUDE", "~/CLAUDE"}; !slices.Equal(got, want) {
			t.Errorf("in %s: %q, want %q", dir, got, want)
		}
	}
}
