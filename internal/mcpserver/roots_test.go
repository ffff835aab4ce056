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
		found, in, err := find([]Workspace{rooted{dir: inner}}, []string{path})
		if err != nil {
			return
		}
		if len(found) != 1 || len(in) != 1 || !filepath.IsAbs(found[0]) {
			t.Fatalf("%q: got %q", path, found)
		}
		if real := real(found[0]); real != inner && !strings.HasPrefix(real, inner+string(filepath.Separator)) {
			t.Errorf("%q leads to %q", path, real)
		}
	})
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
