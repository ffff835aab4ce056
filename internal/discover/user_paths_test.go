package discover_test

import (
	"path"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestUserPaths puts a rule into every path and looks whether it is read: one
// that is not would be watched for nothing. That none is missing is held by the
// second half, which knows the paths where tools look in ways of their own.
func TestUserPaths(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	roots := discover.RuleRoots{Dir: "/w", Home: "/h", ConfigHome: "/h/.config", Instructions: []string{"/more"}}
	tree.WriteFile("/w/.git/HEAD", "x")
	for _, location := range discover.UserPaths(tree, roots) {
		for _, name := range []string{location, location + "/a.md", location + "/a.mdc", location + "/a.instructions.md", location + "/rules-x/a.md", location + "/.github/instructions/a.instructions.md"} {
			one := files.NewMemory(files.Unix)
			one.WriteFile("/w/.git/HEAD", "x")
			one.WriteFile(name, "Do it.\n")
			set, err := rule.Load(t.Context(), discover.Rules(one, roots), rule.Options{Root: "/w"})
			if err != nil {
				t.Fatal(err)
			}
			if len(set.All()) > 0 {
				location = ""
				break
			}
		}
		if location != "" {
			t.Errorf("nothing is read from %s", location)
		}
	}
	known := discover.UserPaths(tree, roots)
	for _, file := range []string{
		"/h/.omp/agent/rules/a.md", "/h/.cursor/rules/a.mdc", "/h/.codeium/windsurf/memories/global_rules.md", "/h/Documents/Cline/Rules/a.md",
		"/h/.claude/CLAUDE.md", "/h/.codex/AGENTS.md", "/h/.roo/rules-code/a.md", "/h/.config/goose/.goosehints", "/h/.augment/rules/a.md",
	} {
		for dir := file; !slices.Contains(known, dir); dir = path.Dir(dir) {
			if dir == "/" {
				t.Errorf("%s is not among %v", file, known)
				break
			}
		}
	}
}
