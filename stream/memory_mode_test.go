package stream_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestFileMemoryIsPrivate: what rules a conversation broke is nobody else's to read.
func TestFileMemoryIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	path := filepath.Join(realDir(t), "new", "one.json")
	m, err := stream.OpenFileMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(t.Context(), recordOf(1)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s: %v", name, info.Mode())
		}
	}
}

// TestFileMemoryNowhere: in a folder that is gone, a memory is found by its whole path and by no other.
func TestFileMemoryNowhere(t *testing.T) {
	path := filepath.Join(realDir(t), "one.json")
	gone := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	if m, err := stream.OpenFileMemory("one.json"); err != nil || filepath.Base(m.Path()) != "one.json" {
		t.Errorf("in a folder that is there: %v", err)
	}
	if err := os.RemoveAll(gone); err != nil {
		t.Skip(err)
	}
	if _, err := os.Getwd(); err == nil {
		t.Skip("the system knows the folder still")
	}
	if m, err := stream.OpenFileMemory("one.json"); err == nil {
		t.Errorf("a path from nowhere leads to %s", m.Path())
	}
	m, err := stream.OpenFileMemory(path)
	if err != nil || m.Path() != path {
		t.Fatal(m, err)
	}
}

// TestFileMemoryKeepsWhatItCannotRead: a file that is no record is neither read in part nor written over.
func TestFileMemoryKeepsWhatItCannotRead(t *testing.T) {
	for _, text := range []string{`{"version":1,"turn":"four"}`, `{"version":1,"turn":4,"injected":[]}`, `{"version":2,"turn":4}`, "mine"} {
		path := filepath.Join(realDir(t), "one.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := stream.OpenFileMemory(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.Load(context.Background()); !errors.Is(err, stream.ErrNoRecord) || got.Turn != 0 {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		err = m.Update(context.Background(), func(*stream.Record) bool { t.Errorf("%s: changed", text); return true })
		if !errors.Is(err, stream.ErrNoRecord) {
			t.Errorf("%s: %v", text, err)
		}
		if left, _ := os.ReadFile(path); string(left) != text {
			t.Errorf("%s has become %s", text, left)
		}
	}
}

// TestFileMemoryNoFolder: where the folder of a memory cannot be made, that is told when it is opened.
func TestFileMemoryNoFolder(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("there is no folder in which nobody can make one")
	}
	if m, err := stream.OpenFileMemory("/proc/pertain-none/one.json"); err == nil {
		t.Errorf("opened %s", m.Path())
	}
}
