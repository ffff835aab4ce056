package stream_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestFileMemoryWithoutFolder: the file may be named by its whole path where there is no working directory any more,
// and what is no folder, or no file, is told.
func TestFileMemoryWithoutFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := stream.OpenFileMemory(filepath.Join(file, "talk.json")); err == nil {
		t.Errorf("below a file: %s", m.Path())
	}
	folder, err := stream.OpenFileMemory(dir)
	if err == nil {
		_, err = folder.Load(t.Context())
	}
	if err == nil {
		t.Error("a folder is read as a file")
	}
	if runtime.GOOS != "linux" {
		return // elsewhere a working directory cannot be removed, or is still known
	}
	gone := filepath.Join(dir, "gone")
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if m, err := stream.OpenFileMemory("talk.json"); err == nil {
		t.Errorf("in no folder: %s", m.Path())
	}
	if _, err := stream.OpenFileMemory(filepath.Join(dir, "talk.json")); err != nil {
		t.Errorf("by its whole path: %v", err)
	}
}

// TestMemoryWithoutName: no file is opened where none is named, and nothing is made.
func TestMemoryWithoutName(t *testing.T) {
	dir := t.TempDir()
	if _, err := stream.OpenFileMemoryIn(dir, ""); err == nil || err.Error() != "the file of a memory needs a name" {
		t.Errorf("%v", err)
	}
}
