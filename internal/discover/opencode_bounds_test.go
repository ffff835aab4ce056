package discover

import (
	"fmt"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/rule"
)

// TestInstructionsAreBounded: patterns are compared with files as long as neither the steps nor the files are used up.
func TestInstructionsAreBounded(t *testing.T) {
	pattern, bad := glob.CompilePath("**/*.md")
	if bad != nil {
		t.Fatal(bad)
	}
	for name, c := range map[string]struct {
		files, weight int
		found         int
		overfull      bool
	}{
		"the last step":    {1, maxPatternSteps, 1, false},
		"one file more":    {2, maxPatternSteps, 1, true},
		"the last file":    {2*maxInstructions + 1, 1, 2*maxInstructions + 1, false},
		"two files more":   {2*maxInstructions + 3, 1, 2*maxInstructions + 1, false},
		"nothing is asked": {1, 0, 0, false},
	} {
		tree := files.NewMemory(files.Unix)
		for i := range c.files {
			tree.WriteFile(fmt.Sprintf("/w/f%03d.md", i), "Text.")
		}
		n := &instructions{
			search: &search{tree: tree, flavor: files.Unix, RuleRoots: RuleRoots{Dir: "/w"}},
			at:     spot{dir: "/w", level: rule.Project}, dir: "/w", within: files.Anywhere(), format: plainFormat("OpenCode"),
		}
		if got := n.matching([]*glob.Path{pattern}, c.weight); len(got[0]) != c.found || n.overfull != c.overfull {
			t.Errorf("%s: %d files, overfull: %v", name, len(got[0]), n.overfull)
		}
	}
}
