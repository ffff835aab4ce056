package secret_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/files"
)

// TestGitFolder: git's folder is known by what is in it, on the ground, and anywhere where there is none.
func TestGitFolder(t *testing.T) {
	tree := files.NewMemory(files.Unix)
	for _, path := range []string{"/w/.bare/HEAD", "/w/.bare/config", "/w/linked/HEAD", "/w/linked/commondir", "/w/dangling/config", "/w/lore/HEAD", "/w/half/HEAD"} {
		tree.WriteFile(path, "")
	}
	for _, dir := range []string{"/w/.bare", "/w/dangling", "/out", "/w/half"} {
		tree.MakeFolder(dir + "/objects")
		if dir != "/w/half" {
			tree.MakeFolder(dir + "/refs")
		}
	}
	tree.MakeLink("refs/heads/main", "/w/dangling/HEAD")
	for path, want := range map[string]bool{
		"/w/.bare/config": true, "/w/.bare/logs/refs/x.md": true, "/w/linked/config.worktree": true, "/w/dangling/config": true,
		"/w/lore/x": false, "/w/half/x": false, "/w/main/x.md": false, "/w/x": false,
	} {
		for _, g := range []secret.Ground{{Tree: tree, Folder: "/w"}, {Tree: tree}, {Tree: tree, Folder: "/w", Home: "/w"}} {
			if g.InFolder(path) != want || g.Looks(path) != want {
				t.Errorf("%s on %q: %t %t", path, g.Folder, g.InFolder(path), g.Looks(path))
			}
		}
	}
	tree.WriteFile("/HEAD", "")
	tree.MakeFolder("/objects")
	tree.MakeFolder("/refs")
	if (secret.Ground{Tree: tree, Folder: "/w"}).InFolder("/w/x") {
		t.Error("what is above the ground says nothing")
	}
}
