package gitignore_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/gitignore"
)

// TestIgnored: lists on the disk, of folders and for everywhere; the nearer decide.
func TestIgnored(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	first, second := put("first", "*.a\n*.b\n"), put("second", "!x.b\n")
	put("w/.gitignore", "*.c\n/only\n")
	put("w/sub/.gitignore", "!keep.c\n/here\n")
	root := filepath.Join(dir, "w")
	all, whole := gitignore.New(root, first, "", filepath.Join(dir, "gone"), second)
	below, wholeBelow := all.Enter(filepath.Join(root, "sub"), "sub")
	plain, wholePlain := all.Enter(filepath.Join(root, "none"), "none")
	if !whole || !wholeBelow || !wholePlain || !all.Decided() {
		t.Error("a list was not read")
	}
	for _, c := range []struct {
		list gitignore.Ignored
		path string
		want bool
	}{
		{all, "x.a", true},
		{all, "x.b", false},
		{all, "y.b", true},
		{all, "x.c", true},
		{all, "only", true},
		{all, "sub/only", false},
		{all, "x.d", false},
		{below, "sub/keep.c", false},
		{below, "sub/x.c", true},
		{below, "sub/here", true},
		{below, "sub/deep/here", false},
		{below, "sub/x.a", true},
		{plain, "none/x.c", true},
		{plain, "none/only", false},
	} {
		if got := c.list.Names(c.path, false); got != c.want {
			t.Errorf("%s: %t", c.path, got)
		}
	}
	if _, whole := gitignore.New(root, put("large", strings.Repeat("#", 1<<20+1)), second); whole {
		t.Error("a list that is too large counts as read")
	}
	put("w/large/.gitignore", strings.Repeat("#", 1<<20+1))
	if _, whole := all.Enter(filepath.Join(root, "large"), "large"); whole {
		t.Error("a folder's list that is too large counts as read")
	}
	if _, whole := gitignore.New(filepath.Join(root, "large")); whole {
		t.Error("a root's list that is too large counts as read")
	}
	if runtime.GOOS == "windows" {
		return
	}
	linked := filepath.Join(root, "linked")
	if err := os.Mkdir(linked, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(first, filepath.Join(linked, ".gitignore")); err != nil {
		t.Fatal(err)
	}
	if link, whole := all.Enter(linked, "linked"); !whole || link.Names("linked/z", false) {
		t.Error("a link is a list")
	}
	put("w/many/.gitignore", strings.Repeat("?", 1000)+"\n")
	many, _ := all.Enter(filepath.Join(root, "many"), "many")
	for range 4 { // files of 1 MiB each use up what is read
		put("w/more/.gitignore", strings.Repeat("#", 1<<20))
		many, _ = many.Enter(filepath.Join(root, "more"), "more")
	}
	if many.Decided() || !many.Names("anything", false) {
		t.Error("what cannot be decided may be ignored")
	}
}
