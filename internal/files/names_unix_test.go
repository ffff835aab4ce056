//go:build unix

package files_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

func TestNames(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(base, "w/src/deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(base, "w/src/a.ts"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"w/lnk": "src", "w/file.ts": "src/a.ts", "w/new.ts": "src/new.ts", "v": "w", "w/out": base, "w/loop": "loop", "w/back": "../v/src",
	} {
		if err := os.Symlink(target, filepath.Join(base, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		root, path string
		want       []string
	}{
		{"w", "w/src/a.ts", []string{"src/a.ts"}},
		{"w", "w/none/a.ts", []string{"none/a.ts"}},
		{"w", "w/lnk/a.ts", []string{"lnk/a.ts", "src/a.ts"}},
		{"w", "w/lnk/none/a.ts", []string{"lnk/none/a.ts", "src/none/a.ts"}},
		{"w", "w/file.ts", []string{"file.ts", "src/a.ts"}},
		{"w", "w/new.ts", []string{"new.ts", "src/new.ts"}},
		{"w", "w/back/a.ts", []string{"back/a.ts", "src/a.ts"}},
		{"w", "w/out/x", []string{"out/x", base + "/x"}},
		{"w", "w/out/w/src/a.ts", []string{"out/w/src/a.ts", "src/a.ts"}},
		{"w", "w/loop/x", []string{"loop/x"}},
		{"w", "v/src/a.ts", []string{"src/a.ts"}},
		{"v", "w/src/a.ts", []string{"src/a.ts"}},
		{"v", "v/src/a.ts", []string{"src/a.ts"}},
		{"v", "v/lnk/a.ts", []string{"lnk/a.ts", "src/a.ts"}},
		{"w", "other", []string{base + "/other"}},
	} {
		if got := files.Names(filepath.Join(base, c.root), filepath.Join(base, c.path)); !slices.Equal(got, c.want) {
			t.Errorf("%s in %s: %q, want %q", c.path, c.root, got, c.want)
		}
	}
}

// TestReadings: `..` after a link is where shells have it and where the system does.
func TestReadings(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(base, "src/in"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"s2": "src/in", "src/n.txt": "../a.ts", "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(base, link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string][]string{
		"s2/../a.js":         {"a.js", "src/a.js"},
		"s2/../n.txt":        {"n.txt", "src/n.txt", "a.ts"},
		"./s2/./../none/x":   {"none/x", "src/none/x"},
		"s2/../../x":         {filepath.Dir(base) + "/x", "x"},
		"s2/../in/../a.js":   {"a.js", "src/a.js"},
		"src/../a.js":        {"a.js"},
		"none/../a.js":       {"a.js"},
		"src/in/../../s2/x":  {"s2/x", "src/in/x"},
		"s2/../none/../a.js": {"a.js", "src/a.js"},
	} {
		if got, known := files.NewNamer(base).Find(base + "/" + path); !slices.Equal(got, want) || !known {
			t.Errorf("%s: %q, %t, want %q", path, got, known, want)
		}
	}
	if got, known := files.NewNamer(base).Find(base + "/loop/../a.js"); !slices.Equal(got, []string{"a.js"}) || known {
		t.Errorf("a loop: %q, %t", got, known)
	}
}

// TestUpward: of the folders above one, those are looked at that may hold a name.
func TestUpward(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(base, "r/a/b/c"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"r/.mark", "r/a/b/.other"} {
		if err := os.WriteFile(filepath.Join(base, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("r/a", filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for start, want := range map[string]string{"r/a/b/c": "r", "r": "r", "link/b/c": ""} {
		folder, name, ok := files.FindUp(files.OS(), filepath.Join(base, start), ".mark")
		if want == "" && ok || want != "" && (folder != filepath.Join(base, want) || name != ".mark") {
			t.Errorf("%s: %s, %s", start, folder, name)
		}
	}
	if folder, name, _ := files.FindUp(files.OS(), filepath.Join(base, "link/b/c"), ".mark", ".other"); folder != filepath.Join(base, "link/b") || name != ".other" {
		t.Errorf("%s, %s", folder, name)
	}
}
