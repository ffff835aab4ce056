package follow

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGlance: what is seen from a folder is what is seen by the whole path, in whatever order.
func TestGlance(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/file", "a/b/file", "c/file"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "a", "dangling")); err != nil {
		t.Fatal(err)
	}
	g := newGlance()
	defer g.close()
	for _, name := range []string{
		"", "a", "a/file", "a/none", "a/dangling", "a/b", "a/b/file", "a/file/below", "a/file/below/more", "c/file", "link", "link/file", "link/b/file",
		"none/x", "none/y", "none/deep/x", "a/..", "a/.", "a/file", "dangling/x", "a/dangling/x",
	} {
		path := filepath.Join(dir, name)
		if name == "a/.." || name == "a/." {
			path = dir + "/" + name
		}
		if got, want := g.state(path), lstat(path); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if got, want := g.state("/"), lstat("/"); got.kind != want.kind || got.system.inode != want.system.inode {
		t.Errorf("/: %+v, want %+v", got, want)
	}
}
