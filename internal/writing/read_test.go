package writing_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// TestTargetRead: what is in the place of a file is read as it is, and within its limit.
func TestTargetRead(t *testing.T) {
	dir := t.TempDir()
	path := put(t, "what is there", dir, "sub", "a.md")
	target, err := writing.NamedTarget(path, dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := target.Read(13); err != nil || string(got) != "what is there" {
		t.Errorf("%q, %v", got, err)
	}
	var large *files.TooLargeError
	if _, err := target.Read(12); !errors.As(err, &large) {
		t.Errorf("a limit that is too small: %v", err)
	}
	for _, missing := range []string{"sub/b.md", "none/b.md"} {
		target, err := writing.NamedTarget(filepath.Join(dir, filepath.FromSlash(missing)), dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := target.Read(100); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", missing, err)
		}
	}
	folder, err := writing.NamedTarget(filepath.Join(dir, "sub"), dir)
	if err != nil {
		t.Fatal(err)
	}
	var irregular *files.NotRegularError
	if _, err := folder.Read(100); !errors.As(err, &irregular) {
		t.Errorf("a folder: %v", err)
	}
}

// TestTargetReadSwapped: whoever puts a link on the way, after it was looked at, leads to nothing outside.
func TestTargetReadSwapped(t *testing.T) {
	for _, c := range []struct{ name, swapped, leads string }{
		{"the folder", "repo/sub", "../outside"},
		{"the folder, absolute", "repo/sub", "/outside"},
		{"a folder above", "repo/sub", "../far"},
		{"the file", "repo/sub/deep/a.md", "../../../outside/deep/a.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			put(t, "", base, "repo", ".git", "HEAD")
			path := put(t, "inside", base, "repo", "sub", "deep", "a.md")
			put(t, "secret", base, "outside", "deep", "a.md")
			put(t, "secret", base, "far", "deep", "a.md")
			target, err := writing.NamedTarget(path, filepath.Join(base, "repo"))
			if err != nil {
				t.Fatal(err)
			}
			at := filepath.Join(base, filepath.FromSlash(c.swapped))
			if err := os.Rename(at, at+".moved"); err != nil {
				t.Fatal(err)
			}
			leads := filepath.FromSlash(c.leads)
			if c.leads[0] == '/' {
				leads = filepath.Join(base, c.leads)
			}
			if err := os.Symlink(leads, at); err != nil {
				t.Skip(err)
			}
			if got, err := target.Read(100); err == nil || string(got) != "" {
				t.Errorf("%q is read", got)
			}
		})
	}
}
