package discover_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
)

// openingTree notes which paths are opened.
type openingTree struct {
	files.Tree
	opened map[string]bool
}

func (o *openingTree) Open(path string, within files.Bounds) (files.Opened, error) {
	o.opened[path] = true
	return o.Tree.Open(path, within)
}

// TestNestedNamed: for rules that are named, no more of a project is looked through than their names lead to, and every rule of
// nested folders is found so.
func TestNestedNamed(t *testing.T) {
	bothFlavors(t, func(t *testing.T, flavor files.Flavor) {
		texts := map[string]string{
			"/w/.git/HEAD": "", "/w/.gitignore": "build/\n", "/w/AGENTS.md": "root", "/w/build/x/AGENTS.md": "ignored",
			"/w/packages/api/AGENTS.md": "api", "/w/packages/api/.cursor/rules/sub/a.mdc": "---\nglobs: \"*.ts\"\n---\nrule", "/w/packages/api/src/CLAUDE.md": "deep",
			"/w/packages/AGENTS.md": "all", "/w/packages-old/AGENTS.md": "old", "/w/.github/AGENTS.md": "github", "/w/sub/.factory/AGENTS.md": "factory",
		}
		for i := range 200 {
			texts[fmt.Sprintf("/w/other/%d/deep/AGENTS.md", i)] = fmt.Sprint(i)
		}
		w := newWorld(flavor, texts)
		nested := func(names ...string) (folders []string, opened int) {
			tree := &openingTree{w.tree, map[string]bool{}}
			folders, _, err := discover.NestedFolders(t.Context(), tree, w.path("/w"), names...)
			if err != nil {
				t.Fatal(err)
			}
			return folders, len(tree.opened)
		}
		roots := w.roots("/w")
		all, most := nested()
		roots.Folders = all
		for _, r := range w.load(t, roots).All() {
			few := w.roots("/w")
			few.Folders, _ = nested(r.Name)
			found := false
			for _, same := range w.load(t, few).All() {
				found = found || same.Name == r.Name && same.Path == r.Path
			}
			if !found {
				t.Errorf("%s is not found by its name", r.Name)
			}
		}
		for name, want := range map[string][]string{
			"packages/api/AGENTS": {"/w", "/w/packages", "/w/packages/api"},
			"packages/AGENTS":     {"/w", "/w/packages"},
			"nothing/AGENTS":      {"/w"},
			"build/x/AGENTS":      {"/w"},
			"other/AGENTS":        {"/w"},
		} {
			got, opened := nested(name)
			for i, dir := range got {
				got[i] = w.unix(dir)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			if opened > 20 || most < 400 {
				t.Errorf("%s: %d were opened, of %d", name, opened, most)
			}
		}
	})
}
