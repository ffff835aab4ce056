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
