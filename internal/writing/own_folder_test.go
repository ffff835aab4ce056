package writing_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/writing"
)

func TestPutFolder(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "a")
	at := filepath.Join(parent, "one")
	if err := writing.PutFolder(at, map[string][]byte{"x/y.md": []byte("1"), "z": nil}, nil); err != nil {
		t.Fatal(err)
	}
	if err := writing.PutFolder(at, map[string][]byte{"x/y.md": []byte("2")}, nil); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(at, "x", "y.md")); err != nil || string(text) != "2" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(at, "z")); err == nil {
		t.Error("what was there before stayed")
	}
	// A path that leads out is refused, and nothing is left of the folder.
	if err := writing.PutFolder(filepath.Join(parent, "two"), map[string][]byte{"../../out": nil}, nil); err == nil {
		t.Error("a path led out of the folder")
	}
	// A file that is there already is not written again.
	if err := writing.PutFolder(filepath.Join(parent, "linked"), map[string][]byte{"new": nil}, map[string]string{"deep/y.md": filepath.Join(at, "x", "y.md")}); err != nil {
		t.Fatal(err)
	}
	before, errBefore := os.Stat(filepath.Join(at, "x", "y.md"))
	after, errAfter := os.Stat(filepath.Join(parent, "linked", "deep", "y.md"))
	if errBefore != nil || errAfter != nil || !os.SameFile(before, after) {
		t.Error("the file was made anew", errBefore, errAfter)
	}
	if err := os.RemoveAll(filepath.Join(parent, "linked")); err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]string{"a": filepath.Join(at, "gone"), "../a": filepath.Join(at, "x", "y.md"), "..": filepath.Join(at, "x", "y.md")} {
		if err := writing.PutFolder(filepath.Join(parent, "two"), map[string][]byte{"new": nil}, map[string]string{name: from}); err == nil {
			t.Errorf("%s became %s", from, name)
		}
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
	if err := writing.RemoveFolders(parent, func(name string) bool { return name != "two" }); err != nil {
		t.Fatal(err)
	}
	if got := names(); !slices.Equal(got, []string{"file", "one"}) {
		t.Errorf("left: %v", got)
	}
	if err := writing.RemoveFolders(filepath.Join(parent, "none"), nil); err != nil {
		t.Error(err)
	}
}
