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

// TestNamesAround: a .git that is none to git does not take files out of the repository around.
func TestNamesAround(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(base, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	repository := func(folder string) {
		write(folder+"/HEAD", "ref: refs/heads/main\n")
		write(folder+"/objects/info/packs", "")
		write(folder+"/refs/heads/main", "")
	}
	repository("w/.git")
	repository("elsewhere")
	repository("w/real/.git")
	repository("w/.git/modules/sub")
	write("w/sub/.git", "gitdir: ../.git/modules/sub\n")
	write("w/.git/worktrees/tree/HEAD", "0123456789012345678901234567890123456789\n")
	write("w/.git/worktrees/tree/commondir", "../..\n")
	write("w/tree/.git", "gitdir: "+base+"/w/.git/worktrees/tree\n")
	write("w/empty/.git/x", "")
	write("w/empty/deep/.git/x", "")
	write("w/file/.git", "")
	write("w/hg/.hg/x", "")
	write("w/dangling/.git", "gitdir: /none\n")
	repository("w/head/.git")
	write("w/head/.git/HEAD", "main\n")
	repository("w/short/.git")
	write("w/short/.git/HEAD", "0123456789\n")
	write("w/objects/.git/HEAD", "ref: refs/heads/main\n")
	write("w/objects/.git/refs/x", "")
	write("w/refs/.git/HEAD", "ref: refs/heads/main\n")
	write("w/refs/.git/objects/x", "")
	write("w/refs/.git/refs", "a file")
	write("alone/.git/x", "")
	for root, around := range map[string]string{
		"w": "", "w/real": "", "w/sub": "", "w/tree": "", "alone": "", "w/empty": "empty/", "w/empty/deep": "empty/deep/", "w/file": "file/", "w/hg": "hg/",
		"w/dangling": "dangling/", "w/head": "head/", "w/short": "short/", "w/objects": "objects/", "w/refs": "refs/",
	} {
		want := []string{"a.ts"}
		if around != "" {
			want = append(want, around+"a.ts")
		}
		if got := files.Names(filepath.Join(base, root), filepath.Join(base, root, "a.ts")); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", root, got, want)
		}
	}
	if err := os.Symlink("../real", filepath.Join(base, "w/empty/link")); err != nil {
		t.Fatal(err)
	}
	want := []string{"link/a.ts", base + "/w/real/a.ts", "real/a.ts"}
	if got := files.Names(filepath.Join(base, "w/empty"), filepath.Join(base, "w/empty/link/a.ts")); !slices.Equal(got, want) {
		t.Errorf("by a link: %q, want %q", got, want)
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
