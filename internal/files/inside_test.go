package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

func TestInside(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, "dir")
	if err := os.MkdirAll(filepath.Join(dir, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	cases := map[string]bool{
		dir:                                  true,
		filepath.Join(dir, "a", "b", "c.go"): true, // need not exist
		filepath.Join(dir, "..", "dir", "x"): true,
		filepath.Join(dir, ".."):             false,
		top:                                  false,
		dir + "-other":                       false,
	}
	if os.Symlink(top, filepath.Join(dir, "out")) == nil { // not everybody may make links everywhere
		cases[filepath.Join(dir, "out", "x")] = false
		cases[filepath.Join(dir, "out", "dir", "a")] = true
		if err := os.Symlink("a", filepath.Join(dir, "in")); err != nil {
			t.Fatal(err)
		}
		cases[filepath.Join(dir, "in", "x")] = true
		if err := os.Symlink(dir, filepath.Join(top, "link")); err != nil {
			t.Fatal(err)
		}
		if link := filepath.Join(top, "link"); !files.Inside(link, filepath.Join(link, "a")) {
			t.Error("a folder that is reached by a link does not hold its own")
		}
	}
	for path, want := range cases {
		if got := files.Inside(dir, path); got != want {
			t.Errorf("%s: got %v", path, got)
		}
	}
}
