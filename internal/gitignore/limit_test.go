package gitignore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/gitignore"
)

// walked counts what a walk of a project came to, and the limits it ran into.
func walked(t *testing.T, w *world) (names int, limits []string) {
	t.Helper()
	err := gitignore.Walk(t.Context(), w.tree, w.path("/w"), func(step files.Step) error {
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

// TestIgnoreLimits: what .gitignore files may cost, at the boundaries.
func TestIgnoreLimits(t *testing.T) {
	for _, c := range []struct {
		left, steps int
		want        string
	}{
		{0, 0, ""}, {0, 500_000_000, ""}, {0, 500_000_001, "comparisons"}, {1, 0, "bytes"}, {1, 500_000_001, "bytes"},
	} {
		if got := gitignore.Limit(c.left, c.steps); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%d files, %d steps: %s", c.left, c.steps, got)
		}
	}
	for length, want := range map[int]bool{4096: true, 4097: false} {
		if _, _, ok := gitignore.IgnoredBy(strings.Repeat("a", length), "b", false); ok != want {
			t.Errorf("a line of %d bytes is read: %t", length, ok)
		}
	}
	for size, want := range map[int]int{1 << 20: 0, 1<<20 + 1: 1} { // two files: as many bytes as are read, and one more
		w := newWorld(files.Unix, map[string]string{
			"/w/.gitignore": strings.Repeat("#", 1<<20), "/w/a/.gitignore": strings.Repeat("#", min(size, 1<<20)), "/w/b/.gitignore": strings.Repeat("#", size-min(size, 1<<20)), "/w/c": "",
		})
		limits := 0
		if err := gitignore.Walk(t.Context(), w.tree, "/w", func(step files.Step) error {
			if step.Err != nil {
				limits++
			}
			return nil
		}); err != nil || limits != want {
			t.Errorf("%d bytes: %d limits, %v", size, limits, err)
		}
	}
}
