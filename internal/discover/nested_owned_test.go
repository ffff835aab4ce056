package discover_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestNestedOwned: a file that belongs to one tool by its folder is not another tool's file of a folder below as well.
func TestNestedOwned(t *testing.T) {
	bothFlavors(t, func(t *testing.T, flavor files.Flavor) {
		w := newWorld(flavor, map[string]string{
			"/w/.git/HEAD": "", "/w/.factory/AGENTS.md": "F", "/w/.junie/AGENTS.md": "J", "/w/.claude/rules/CLAUDE.md": "C", "/w/.clinerules/sub/AGENTS.md": "L", "/w/.cursor/rules/sub/AGENTS.md": "R",
			"/w/sub/.factory/AGENTS.md": "S", "/w/sub/AGENTS.md": "A", "/w/.github/AGENTS.md": "G",
		})
		roots := w.roots("/w")
		folders, _, err := discover.NestedFolders(t.Context(), w.tree, roots.Dir)
		if err != nil {
			t.Fatal(err)
		}
		roots.Folders = folders
		var got []string
		for _, r := range w.load(t, roots).All() {
			got = append(got, r.Provider+":"+r.Name)
		}
		slices.Sort(got)
		want := "agents-md:.github/AGENTS agents-md:sub/AGENTS claude:CLAUDE cline:sub/AGENTS cursor:sub/AGENTS factory:.factory/AGENTS factory:sub/.factory/AGENTS junie:.junie/AGENTS"
		if have := strings.Join(got, " "); have != want {
			t.Errorf("got  %s\nwant %s", have, want)
		}
	})
}
