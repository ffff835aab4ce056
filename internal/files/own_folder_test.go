package files_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

func TestPutFolder(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "a")
	at := filepath.Join(parent, "one")
	if err := files.PutFolder(at, map[string][]byte{"x/y.md": []byte("1"), "z": nil}); err != nil {
		t.Fatal(err)
	}
	if err := files.PutFolder(at, map[string][]byte{"x/y.md": []byte("2")}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(at, "x", "y.md")); err != nil || string(text) != "2" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(at, "z")); err == nil {
		t.Error("what was there before stayed")
	}
	// A path that leads out is refused, and nothing is left of the folder.
	if err := files.PutFolder(filepath.Join(parent, "two"), map[string][]byte{"../../out": nil}); err == nil {
		t.Error("a path led out of the folder")
	}
	names := func() []string {
		entries, err := os.ReadDir(parent)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range entries {
			out = append(out, e.Name())
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"one"}) {
		t.Errorf("left: %v", got)
	}
	for _, name := range []string{".unfinished-1", "two"} {
		if err := os.MkdirAll(filepath.Join(parent, name, "deep"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(parent, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := files.RemoveFolders(parent, func(name string) bool { return name != "two" }); err != nil {
		t.Fatal(err)
	}
	if got := names(); !slices.Equal(got, []string{"file", "one"}) {
		t.Errorf("left: %v", got)
	}
	if err := files.RemoveFolders(filepath.Join(parent, "none"), nil); err != nil {
		t.Error(err)
	}
}
