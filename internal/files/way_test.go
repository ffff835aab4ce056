package files_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestLongLinks: links that cost the system as much as thousands of names are not followed, whoever asks, and whatever is below them;
// short ones are, as many as the system follows.
func TestLongLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links are looked up once there")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "real", "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "real", "in", "a"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	chain := func(name, before string, links int) string {
		target := "real"
		for i := range links {
			if err := os.Symlink(before+target, filepath.Join(dir, fmt.Sprint(name, i))); err != nil {
				t.Skip(err)
			}
			target = fmt.Sprint(name, i)
		}
		return filepath.Join(dir, target)
	}
	for _, c := range []struct {
		path string
		few  bool
	}{
		{chain("short", "", 20), true},
		{chain("some", "./", 39), true},
		{chain("one", strings.Repeat("./", 90), 1), true},
		{chain("two", strings.Repeat("./", 90), 2), false},
		{chain("many", strings.Repeat("./", 50), 20), false},
		{chain("round", strings.Repeat("real/../", 200), 1), false},
	} {
		tree := files.OS()
		for what, look := range map[string]func(below string) error{
			"Stat":     func(below string) error { _, err := tree.Stat(c.path + below); return err },
			"RealPath": func(below string) error { _, err := tree.RealPath(c.path + below); return err },
			"Resolve":  func(below string) error { _, err := files.Resolve(c.path + below); return err },
			"ReadDir":  func(below string) error { _, err := tree.ReadDir(strings.TrimSuffix(c.path+below, "/a")); return err },
			"ReadFile": func(string) error { _, err := tree.ReadFile(c.path+"/in/a", 10); return err },
			"Open": func(below string) error {
				o, err := tree.Open(c.path+below, files.Anywhere())
				if err == nil {
					o.Close()
				}
				return err
			},
		} {
			for _, below := range []string{"", "/in", "/in/a", "/in/../in/a"} {
				for range 2 { // the second time it is remembered
					if err := look(below); errors.Is(err, files.ErrTooManyLinks) == c.few || c.few && err != nil {
						t.Errorf("%s of %s%s: %v", what, filepath.Base(c.path), below, err)
					}
				}
			}
		}
	}
	deep := filepath.Join(dir, strings.Repeat("d/", 300))
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(dir, filepath.Join(deep, "top")); err != nil {
		t.Fatal(err)
	}
	if _, err := files.OS().Stat(filepath.Join(deep, "top", strings.Repeat("d/", 300), "top", "real")); err != nil {
		t.Errorf("names that no link has: %v", err)
	}
}
