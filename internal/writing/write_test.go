package writing_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

func own(t *testing.T, path string) writing.Target {
	t.Helper()
	target, err := writing.OwnTarget(path)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// put makes a file with its folders.
func put(t *testing.T, text string, parts ...string) string {
	t.Helper()
	path := filepath.Join(parts...)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	return path
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range list {
		all = append(all, e.Name())
	}
	return all
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trust.yaml")
	for _, text := range []string{"first", "second, longer", ""} {
		if err := own(t, path).Write([]byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := own(t, filepath.Join(dir, "none", "x")).Write(nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	var irregular *files.NotRegularError
	if err := own(t, dir).Write(nil, 0o600); !errors.As(err, &irregular) {
		t.Error(err)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("something was left behind: %v", got)
	}
}

// TestWriteLongName: a name may be as long as the system allows.
func TestWriteLongName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 250))
	if err := errors.Join(own(t, path).Create([]byte("a"), 0o600), own(t, path).Write([]byte("b"), 0o600)); err != nil {
		t.Error(err)
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "a.md")
	target := own(t, path)
	if err := errors.Join(target.MakeFolder(0o700), target.Create([]byte("first"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := target.Create([]byte("second"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "first" {
		t.Errorf("%q", got)
	}
	if runtime.GOOS != "windows" {
		for at, mode := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if info, err := os.Stat(at); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v, %v", at, info.Mode(), err)
			}
		}
	}
	link := filepath.Join(dir, "sub", "link.md")
	if err := os.Symlink("nowhere", link); err != nil {
		t.Skip(err)
	}
	if err := own(t, link).Create([]byte("third"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if got := names(t, filepath.Dir(path)); !slices.Equal(got, []string{"a.md", "link.md"}) {
		t.Errorf("there is %v", got)
	}
}

// TestOwnTargetKeepsLinks: what tools such as stow link, folders and files, stays linked.
func TestOwnTargetKeepsLinks(t *testing.T) {
	dir := t.TempDir()
	resolved := put(t, "old", dir, "dotfiles", "pertain", "trust.json")
	link := filepath.Join(dir, "home", "trust.json")
	if err := os.Mkdir(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("../dotfiles/pertain/trust.json", link), os.Symlink(filepath.Dir(resolved), filepath.Join(dir, "config"))); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{link, filepath.Join(dir, "config", "trust.json")} {
		target := own(t, path)
		unlock, err := target.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := target.Write([]byte(path), 0o600); err != nil {
			t.Error(err)
		}
		unlock()
		if got, _ := os.ReadFile(resolved); string(got) != path {
			t.Errorf("%s: %q", path, got)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	// Whoever comes by one of the names takes the same lock.
	if got := names(t, filepath.Dir(resolved)); !slices.Equal(got, []string{"trust.json", "trust.json.lock"}) {
		t.Errorf("there is %v", got)
	}
}

// TestWriteRemovesLeftovers: what a dead process left goes with the next write, and nothing
// that only looks like it.
func TestWriteRemovesLeftovers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("only old ones go there")
	}
	dir := t.TempDir()
	stay := []string{
		".a.json.12.tmp", ".pertain-0123456789abcdef", ".pertain-0123456789abcdeg.tmp", ".pertain-0123456789ABCDEF.tmp",
		".pertain-0123456789abcdef0.tmp", ".pertain-.tmp", "pertain-0123456789abcdef.tmp", ".pertain-notes.tmp",
		".pertain-0123456789abcdef.tmp", ".pertain-406f1c19979269bc.tmp", // somebody else's
	}
	for _, name := range append(stay, ".pertain-0000000007dff3d3.tmp", ".pertain-0123456776305654.tmp") {
		put(t, "x", dir, name)
	}
	if err := os.Mkdir(filepath.Join(dir, ".pertain-111111112913d73e.tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.json", filepath.Join(dir, ".pertain-22222222ed53c165.tmp")); err != nil {
		t.Fatal(err)
	}
	if err := own(t, filepath.Join(dir, "a.json")).Write([]byte("y"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := append(stay, "a.json", ".pertain-111111112913d73e.tmp", ".pertain-22222222ed53c165.tmp")
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestReadOnlyStays: a file that its owner made read-only is not changed, though another one could be put in its place. Pertain's own
// files, which Write is for, are.
func TestReadOnlyStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	target := own(t, path)
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func() error{
		"Check":      target.Check,
		"Put":        func() error { return target.Put([]byte("new"), 0o644) },
		"Replace":    func() error { return target.Replace([]byte("old"), []byte("new")) },
		"RemoveOnly": func() error { return target.RemoveOnly([]byte("old")) },
	} {
		var refused *writing.ReadOnlyError
		if err := write(); !errors.As(err, &refused) || !strings.Contains(err.Error(), "chmod u+w") {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "old" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if err := target.Write([]byte("new"), 0o600); err != nil {
		t.Error(err)
	}
}
