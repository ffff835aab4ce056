package discover_test

import (
	"path"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestUserPlaces puts a rule into every place and looks whether it is read: one
// that is not would be watched for nothing. That none is missing is held by the
// second half, which knows the places where tools look in ways of their own.
func TestUserPlaces(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	places := discover.RulePlaces{Dir: "/w", Home: "/h", ConfigHome: "/h/.config", Instructions: []string{"/more"}}
	tree.WriteFile("/w/.git/HEAD", "x")
	for _, place := range discover.UserPlaces(tree, places) {
		for _, name := range []string{place, place + "/a.md", place + "/a.mdc", place + "/a.instructions.md", place + "/rules-x/a.md", place + "/.github/instructions/a.instructions.md"} {
			one := files.NewMemory(files.Unix)
			one.WriteFile("/w/.git/HEAD", "x")
			one.WriteFile(name, "Do it.\n")
			set, err := rule.Load(t.Context(), discover.Rules(one, places), rule.Options{Root: "/w"})
			if err != nil {
				t.Fatal(err)
			}
			if len(set.All()) > 0 {
				place = ""
				break
			}
		}
		if place != "" {
			t.Errorf("nothing is read from %s", place)
		}
	}
	known := discover.UserPlaces(tree, places)
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
