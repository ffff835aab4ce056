package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
