package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

func TestWriteFileAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trust.yaml")
	for _, text := range []string{"first", "second, longer", ""} {
		if err := files.WriteFileAtomic(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := files.WriteFileAtomic(filepath.Join(dir, "none", "x"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("something was left behind: %v", list)
	}
}

func TestWriteFileAtomicKeepsLinks(t *testing.T) {
	dir := t.TempDir()
	resolved, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(resolved, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(resolved, link); err != nil {
		t.Skip(err)
	}
	if err := files.WriteFileAtomic(link, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if got, _ := os.ReadFile(resolved); string(got) != "new" {
		t.Errorf("%q", got)
	}
}

// TestRemoveLeftovers: what is named like a file's own temporary ones goes, and nothing
// else.
func TestRemoveLeftovers(t *testing.T) {
	dir := t.TempDir()
	stay := []string{"a.json", ".a.json.tmp", ".a.json.1x.tmp", ".a.json.12", ".b.json.12.tmp", "a.json.12.tmp", ".a.json.lock", ".a.json..tmp"}
	for _, name := range append(stay, ".a.json.12.tmp", ".a.json.3456.tmp") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".a.json.77.tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	files.RemoveLeftovers(filepath.Join(dir, "a.json"))
	files.RemoveLeftovers(filepath.Join(dir, "none", "a.json"))
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	want := append(stay, ".a.json.77.tmp")
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
