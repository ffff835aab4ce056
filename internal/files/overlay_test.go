package files_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestOverlay: texts count instead of files, also by links and where there is no file;
// what must not be reached still must not.
func TestOverlay(t *testing.T) {
	below := files.NewMemory(files.Unix)
	below.WriteFile("/w/a.md", "disk")
	below.WriteFile("/w/kept.md", "kept")
	below.WriteFile("/out/secret.md", "secret")
	below.MakeLink("/w/a.md", "/w/link.md")
	below.MakeLink("/out/secret.md", "/w/away.md")
	below.MakeLink("/w", "/v")
	tree := files.NewOverlay(below, map[string]string{"/v/a.md": "buffer", "/w/new.md": "new", "/w/away.md": "mine", "/w/none/deep.md": "deep", "/w/folder": "x"})
	below.MakeFolder("/w/folder")
	bounds := files.Below(tree, "/w")
	for path, want := range map[string]string{
		"/w/a.md": "buffer", "/v/a.md": "buffer", "/w/link.md": "buffer", "/w/kept.md": "kept", "/w/new.md": "new", "/v/new.md": "new", "/w/none/deep.md": "deep",
	} {
		data, _, err := files.ReadWithin(tree, path, bounds, 100)
		if err != nil || string(data) != want {
			t.Errorf("%s: %q, %v; want %q", path, data, err, want)
		}
		o, err := tree.Open(path, bounds)
		if err != nil {
			t.Fatal(err)
		}
		if o.Info().Size != int64(len(want)) || o.Info().Kind != files.File {
			t.Errorf("%s: %+v", path, o.Info())
		}
		begin, err := o.Append([]byte(">"), 2)
		if err != nil || string(begin) != ">"+want[:2] {
			t.Errorf("%s begins with %q, %v", path, begin, err)
		}
		o.Close()
	}
	for _, path := range []string{"/w/away.md", "/out/secret.md"} {
		var outside *files.OutsideError
		if _, _, err := files.ReadWithin(tree, path, bounds, 100); !errors.As(err, &outside) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := tree.ReadFile("/w/missing.md", 0); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	var large *files.TooLargeError
	if _, err := tree.ReadFile("/w/new.md", 2); !errors.As(err, &large) {
		t.Error(err)
	}
	if info, err := tree.Stat("/w/folder"); err != nil || info.Kind != files.Folder {
		t.Errorf("a folder is no text: %+v, %v", info, err)
	}
	names := ""
	for _, list := range []func() ([]files.Entry, error){
		func() ([]files.Entry, error) { return tree.ReadDir("/w") },
		func() ([]files.Entry, error) { return files.ListWithin(tree, "/w", bounds) },
	} {
		entries, err := list()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names += e.Name + " "
		}
	}
	const want = "a.md away.md folder kept.md link.md new.md "
	if names != want+want {
		t.Errorf("listed %q", names)
	}
}
