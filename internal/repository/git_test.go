package repository_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/repository"
)

// world is a folder with a repository in it, and a home without settings.
type world struct {
	t    *testing.T
	base string
	top  string
	home string
}

func newWorld(t *testing.T, init ...string) *world {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, base: base, top: filepath.Join(base, "top"), home: filepath.Join(base, "home")}
	w.write("../home/.gitconfig", "[user]\n\tname = n\n\temail = e@example.org\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n")
	w.write("a.txt", "a\n")
	w.write("sub/b.txt", "b\n")
	w.write("sub/deep/c.txt", "c\n")
	w.write("sub-1", "d\n") // sorts between sub and sub/
	w.git(append([]string{"init", "-q"}, init...)...)
	w.git("add", ".")
	w.git("commit", "-q", "-m", "first")
	return w
}

// git runs git in the repository, as its user would.
func (w *world) git(args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "git", args...)
	cmd.Dir = w.top
	cmd.Env = []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (w *world) path(name string) string { return filepath.Join(w.top, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	w.must(os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
	w.must(os.WriteFile(w.path(name), []byte(text), 0o600))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// touch sets the time of a file to some hours away, so that it has to be read.
func (w *world) touch(name string) {
	w.t.Helper()
	later := time.Now().Add(3 * time.Hour)
	w.must(os.Chtimes(w.path(name), later, later))
}

// settle makes the index younger than all files, so that it can be believed.
func (w *world) settle() {
	w.t.Helper()
	past := time.Now().Add(-time.Hour)
	w.must(filepath.WalkDir(w.top, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			return os.Chtimes(path, past, past)
		}
		return err
	}))
	w.git("status")
}

func (w *world) env(name string) string {
	if name == "HOME" {
		return w.home
	}
	return ""
}

// told is what is found: yes, no, or why it is unknown.
func (w *world) told() string {
	w.t.Helper()
	r, err := repository.Open(w.top, false)
	if err != nil {
		return err.Error()
	}
	changed, err := r.HasChanges(context.Background(), repository.User{Env: w.env})
	var unknown *repository.UnknownError
	switch {
	case errors.As(err, &unknown):
		return unknown.Reason
	case err != nil:
		w.t.Fatal(err)
	case changed:
		return "yes"
	}
	return "no"
}

// truth is what git says.
func (w *world) truth() string {
	w.t.Helper()
	if w.git("--no-optional-locks", "status", "--porcelain", "--no-renames") != "" {
		return "yes"
	}
	return "no"
}
