package writing_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/writing"
)

// TestNamedTarget holds which links of a workspace are followed for writing.
func TestNamedTarget(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Join(base, "home"))
	repo := filepath.Join(base, "home", "repo")
	for _, file := range []string{".git/HEAD", "sub/deep/x", "nested/.git/HEAD", "../other/.git/HEAD", "../plain/x", "../kept/in/x", "../.git/HEAD"} {
		put(t, "", repo, file)
	}
	victim := put(t, "secret", base, "home", "victim")
	for link, leads := range map[string]string{
		"out.md": "../victim", "nowhere.md": "../none.md", "absolute.md": victim, "far": "../plain", "up": "..", "foreign": "../other",
		"in.md": "sub/deep/rule.md", "absolute-in": filepath.Join(repo, "sub"), "hook.md": ".git/hooks/pre-commit", "twice.md": "out.md",
		"sub/parent.md": "../top.md", "nested/out.md": "../top.md", "loop.md": "loop.md", "round": "../repo",
		"../plain/link.md": "../victim", "../plain/same.md": "x", "../mine": "kept",
	} {
		if err := os.Symlink(leads, filepath.Join(repo, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		cwd, path string
		want      string // below home; empty: refused
	}{
		{"repo", "repo/rule.md", "repo/rule.md"},
		{"repo", "repo/new/deep/rule.md", "repo/new/deep/rule.md"},
		{"repo", "repo/in.md", "repo/sub/deep/rule.md"},
		{"repo", "repo/absolute-in/rule.md", "repo/sub/rule.md"},
		{"repo", "repo/round/rule.md", "repo/rule.md"},
		{"repo/sub", "repo/sub/parent.md", "repo/top.md"},
		{"repo/sub", "repo/rule.md", "repo/rule.md"},
		{"repo", "repo/.git/rule.md", "repo/.git/rule.md"},
		{"repo", "repo/out.md", ""},
		{"repo/sub/deep", "repo/out.md", ""},
		{"repo", "repo/nowhere.md", ""},
		{"repo", "repo/absolute.md", ""},
		{"repo", "repo/twice.md", ""},
		{"repo", "repo/loop.md", ""},
		{"repo", "repo/far/rule.md", ""},
		{"repo", "repo/far/new/rule.md", ""},
		{"repo", "repo/up/rule.md", ""},
		{"repo", "repo/foreign/rule.md", ""},
		{"repo", "repo/hook.md", ""},
		{"repo", "repo/nested/out.md", ""},
		// From elsewhere: the workspace that the path is in counts, even where a link leads into another one.
		{"", "repo/far/rule.md", ""},
		{"plain", "repo/foreign/rule.md", ""},
		{"plain", "repo/out.md", ""},
		{"", "repo/in.md", "repo/sub/deep/rule.md"},
		// In no workspace: the folder is the user's word, the last link is not. A home in git is no stranger's.
		{"", "plain/link.md", ""},
		{"", "plain/same.md", "plain/x"},
		{"", "mine/rule.md", "kept/rule.md"},
		{"mine", "mine/in/rule.md", "kept/in/rule.md"},
		{"plain", "plain/link.md", ""},
	} {
		home := filepath.Join(base, "home")
		cwd := ""
		if c.cwd != "" {
			cwd = filepath.Join(home, c.cwd)
		}
		got := ""
		target, err := writing.NamedTarget(filepath.Join(home, c.path), cwd)
		if err == nil {
			rel, _ := filepath.Rel(home, target.Path())
			got = filepath.ToSlash(rel)
		}
		if got != c.want {
			t.Errorf("from %q, %s is %q, want %q (%v)", c.cwd, c.path, got, c.want, err)
		}
		var outside *writing.LeavingError
		if c.want == "" && !strings.Contains(c.path, "loop") && (!errors.As(err, &outside) || !strings.Contains(err.Error(), "remove the link")) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	if got, _ := os.ReadFile(victim); string(got) != "secret" {
		t.Errorf("%q", got)
	}
}

// TestTargetFailsClosed: a way that cannot be looked at leads nowhere.
func TestTargetFailsClosed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, strings.Repeat("n", 300), "x")
	if _, err := writing.NamedTarget(path, dir); err == nil {
		t.Error("a name that the system refuses is a target")
	}
	if _, err := writing.OwnTarget(path); err == nil {
		t.Error("a name that the system refuses is the user's own")
	}
}

// TestWriteRace: whoever turns folders and files into links while something is written leads
// it nowhere else.
func TestWriteRace(t *testing.T) {
	base := t.TempDir()
	repo, victim := filepath.Join(base, "repo"), filepath.Join(base, "victim")
	put(t, "", repo, ".git", "HEAD")
	put(t, "secret", victim, "rule.md")
	if err := errors.Join(os.Mkdir(filepath.Join(repo, "real"), 0o700), os.Symlink("../victim", filepath.Join(repo, "evil"))); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(repo, "out")
	swap := func(to string) {
		next := filepath.Join(repo, "next")
		_ = os.Remove(next)
		if err := errors.Join(os.Symlink(to, next), os.Rename(next, out)); err != nil {
			t.Fatal(err)
		}
	}
	swap("real")
	target, err := writing.NamedTarget(filepath.Join(out, "rule.md"), repo)
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for i := range 200 {
		swap([]string{"evil", "real"}[i%2])
		if err := target.Write([]byte("evil"), 0o600); err == nil {
			written++
		}
		if next, err := writing.NamedTarget(filepath.Join(out, "rule.md"), repo); err == nil {
			// The folder itself is turned after it was looked at.
			real := filepath.Join(repo, "real")
			if err := errors.Join(os.Rename(real, real+"-away"), os.Symlink("../victim", real)); err != nil {
				t.Fatal(err)
			}
			_ = next.MakeFolder(0o700)
			_ = next.Create([]byte("evil"), 0o600)
			_ = next.Write([]byte("evil"), 0o600)
			if unlock, err := next.Lock(t.Context()); err == nil {
				unlock()
			}
			if err := errors.Join(os.Remove(real), os.Rename(real+"-away", real)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if written == 0 {
		t.Error("nothing was ever written")
	}
	if got, _ := os.ReadFile(filepath.Join(victim, "rule.md")); string(got) != "secret" {
		t.Errorf("written outside: %q", got)
	}
	if got := names(t, victim); len(got) != 1 {
		t.Errorf("there is %v outside", got)
	}
}
