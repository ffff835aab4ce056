package repository_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain/internal/repository"
)

// TestElsewhere: a .git that leads to another repository's folder tells nothing of that one, unless the user trusts the folder. A
// linked work tree and a submodule are themselves.
func TestElsewhere(t *testing.T) {
	w := newWorld(t)
	w.git("init", "-q", "-b", "secret", "../other")
	other := filepath.Join(w.base, "other", ".git")
	for _, dir := range []string{"file", "link", "around/inner"} {
		w.must(os.MkdirAll(filepath.Join(w.base, dir), 0o700))
	}
	w.write("../file/.git", "gitdir: "+other+"\n")
	w.must(os.Symlink(other, filepath.Join(w.base, "link", ".git")))
	w.write("../around/.git", "gitdir: "+other+"\n") // whose modules may be anything
	w.git("init", "-q", "-b", "deep", "../made")
	w.must(os.MkdirAll(filepath.Join(other, "modules"), 0o700))
	w.must(os.Rename(filepath.Join(w.base, "made", ".git"), filepath.Join(other, "modules", "inner")))
	w.write("../around/inner/.git", "gitdir: "+filepath.Join(other, "modules", "inner")+"\n")
	w.git("worktree", "add", "-q", "-b", "side", "../side")
	w.git("clone", "-q", w.top, "../source")
	w.git("submodule", "--quiet", "add", "-b", "main", filepath.Join(w.base, "source"), "module")
	w.git("init", "-q", "-b", "apart", "--separate-git-dir", filepath.Join(w.base, "kept"), "../apart")
	const elsewhere = "its .git leads to another repository's folder"
	for _, c := range []struct{ dir, want, trusted string }{
		{"top", "main", "main"},
		{"side", "side", "side"},
		{"top/module", "main", "main"},
		{"file", elsewhere, "secret"},
		{"link", elsewhere, "secret"},
		{"around/inner", elsewhere, "deep"},
		{"apart", "apart", "apart"},
	} {
		for trusted, want := range map[bool]string{false: c.want, true: c.trusted} {
			got := ""
			r, err := repository.Open(filepath.Join(w.base, filepath.FromSlash(c.dir)), trusted)
			if err == nil {
				got, err = r.Branch()
			}
			if err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s, trusted %v: %q, want %q", c.dir, trusted, got, want)
			}
		}
	}
}
