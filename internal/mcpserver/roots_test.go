package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type rooted struct {
	Workspace
	dir string
}

func (r rooted) Root() string { return r.dir }

// FuzzFind holds that no path of a client leads out of the workspace, links
// followed.
func FuzzFind(f *testing.F) {
	dir, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	inner := filepath.Join(dir, "inner")
	if err := os.MkdirAll(filepath.Join(inner, "a", "b"), 0o755); err != nil {
		f.Fatal(err)
	}
	_ = os.Symlink(dir, filepath.Join(inner, "out"))                          // without links there is less to hold
	_ = os.Symlink(filepath.Join("..", "a"), filepath.Join(inner, "a", "in")) // stays inside
	for _, seed := range []string{"a", "../x", "out/x", "a/in/../../out/x", "/", "file:///etc/passwd", "file://" + inner + "/x", "a/./b/../../..", "~", "C:\\x", "a\x00b", inner + "/../x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		found, err := find([]Workspace{rooted{dir: inner}}, []string{path})
		if err != nil {
			return
		}
		if len(found.paths) != 1 || len(found.spaces) != 1 || !filepath.IsAbs(found.paths[0]) || found.doubt != "" {
			t.Fatalf("%q: got %q", path, found)
		}
		real, err := filepath.EvalSymlinks(found.paths[0])
		if err == nil && real != inner && !strings.HasPrefix(real, inner+string(filepath.Separator)) {
			t.Errorf("%q leads to %q", path, real)
		}
	})
}

// TestFindInSeveralRoots holds that a relative path means the root that has it,
// and that a guess is told.
func TestFindInSeveralRoots(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	for _, name := range []string{one + "/src/a.ts", one + "/both.ts", two + "/both.ts", two + "/src/api/b.ts"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path, root string
		doubt      bool
	}{
		{"src/a.ts", one, false},
		{"src/api/b.ts", two, false},
		{"src/api/new.ts", two, false}, // the folder is there
		{"src/new.ts", one, true},
		{"new.ts", one, true},
		{"both.ts", one, true},
		{filepath.Join(two, "both.ts"), two, false},
	} {
		found, err := find([]Workspace{rooted{dir: one}, rooted{dir: two}}, []string{c.path})
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if got := found.spaces[0].Root(); got != c.root || (found.doubt != "") != c.doubt {
			t.Errorf("%s: looked up in %s, doubt %q", c.path, got, found.doubt)
		}
	}
	if _, err := find([]Workspace{rooted{dir: one}, rooted{dir: two}}, []string{"../x"}); err == nil {
		t.Error("a path that leads out is taken")
	}
}

func TestFolder(t *testing.T) {
	for address, want := range map[string]string{
		"file:///w/a":            filepath.FromSlash("/w/a"),
		"file:///w/a/":           filepath.FromSlash("/w/a"),
		"file:///w/with%20blank": filepath.FromSlash("/w/with blank"),
		"file://localhost/w":     filepath.FromSlash("/w"),
		"file:///w/../x":         filepath.FromSlash("/x"),
		"file://host/w":          "",
		"file://":                "",
		"file:w":                 "",
		"https://example.org/w":  "",
		"/w":                     "",
		"file:///w%00x":          "",
		"%zz":                    "",
	} {
		got, ok := folder(address)
		if ok != (want != "") || ok && got != want && filepath.Separator == '/' {
			t.Errorf("%s: got %q, %v", address, got, ok)
		}
	}
}
