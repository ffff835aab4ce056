package follow

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeepNotes: the way to a folder is gone once, however deep it is: what is looked at in it costs the same at any depth.
func TestDeepNotes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("a/", 200))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	notes := newNotes()
	notes.add(filepath.Join(dir, "x"), false)
	for up := dir; len(up) > 1; up = filepath.Dir(up) {
		path := filepath.Join(up, "y")
		if count := testing.AllocsPerRun(3, func() { notes.add(path, false) }); count > 20 {
			t.Fatalf("%.0f allocations for %s", count, path)
		}
	}
}

// TestNotesOfLinks: `..` after a link goes up from where that leads, also where the folder is known.
func TestNotesOfLinks(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(base, "src", "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("src", "in"), filepath.Join(base, "link")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	notes := newNotes()
	for range 2 {
		if got := notes.folder(base + "/link/../in"); got != filepath.Join(base, "src", "in") {
			t.Errorf("%q", got)
		}
		if got := notes.folder(base + "/link/."); got != filepath.Join(base, "src", "in") {
			t.Errorf("%q", got)
		}
		if got := notes.folder(base + "/none/../src"); got != "" {
			t.Errorf("%q", got)
		}
	}
}

// TestNamesAboveMany: the names above a folder that is very deep are not read.
func TestNamesAboveMany(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("a/", maxFoldersAbove))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	all := func(string) bool { return true }
	if got := NamesAbove(dir, all); got != "" {
		t.Errorf("%q", got)
	}
	if got := NamesAbove(filepath.Dir(filepath.Dir(t.TempDir())), all); got == "" {
		t.Error("nothing of a usual folder")
	}
}
