package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestFormattedFolders: in folders no more is formatted than the limit, the same files each time, and the others are told. Files that
// are named are formatted whatever they take.
func TestFormattedFolders(t *testing.T) {
	dir := t.TempDir()
	large := "---\nname: 'x'\n#" + strings.Repeat("x", 300<<10) + "\n---\nx\n" // counts four times, and is read twice
	var paths []string
	for i := range 6 {
		paths = append(paths, filepath.Join("in", fmt.Sprintf("a%d.strategy.md", i)))
		writeFile(t, filepath.Join(dir, paths[i]), large)
	}
	told := strings.Join([]string{"in/a3.strategy.md: it and 2 more files are not looked at", "the 6 MiB of frontmatter", "in calls of their own"}, "|")
	for _, args := range [][]string{{"fmt", "--check", "in"}, {"fmt", "--diff", "in"}, {"fmt", "in/a5.strategy.md", "--check", "in"}} {
		code, out, notes := callIn(t, dir, "", args...)
		for part := range strings.SplitSeq(told, "|") {
			if !strings.Contains(filepath.ToSlash(notes), part) {
				t.Errorf("%q: it is not told: %s", args, notes)
			}
		}
		out = filepath.ToSlash(out)
		if code != 1 || !strings.Contains(out, "in/a2.strategy.md") || strings.Contains(out, "in/a3.strategy.md") {
			t.Errorf("%q: exit %d, %.200s", args, code, out)
		}
	}
	if code, out, notes := callIn(t, dir, "", append([]string{"fmt", "--check"}, paths...)...); code != 1 || strings.Count(out, "\n") != len(paths) || notes != "" {
		t.Errorf("named one by one: exit %d, %s%s", code, out, notes)
	}
	if code, _, notes := callIn(t, dir, "", append([]string{"fmt"}, paths...)...); code != 0 {
		t.Errorf("named one by one: exit %d, %s", code, notes)
	}
	if code, out, notes := callIn(t, dir, "", "fmt", "--check", "in"); code != 0 || out+notes != "" { // now each is read once
		t.Errorf("in its form: exit %d, %s%s", code, out, notes)
	}
}
