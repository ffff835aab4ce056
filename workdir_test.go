package pertain_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain"
)

// TestLinkedWorkingDir: behind a link of a repository the real folder counts, for strategies, rules and skills alike.
func TestLinkedWorkingDir(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repository, out := filepath.Join(top, "repository"), filepath.Join(top, "out")
	for _, dir := range []string{filepath.Join(repository, ".git"), out} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(repository, "esc")
	if err := os.Symlink(out, link); err != nil {
		t.Skip(err)
	}
	env := pertain.Environment{Dir: link, NoBuiltin: true}
	location, err := pertain.Locate(env)
	if err != nil || location.Workspace != "" {
		t.Errorf("workspace %q, %v", location.Workspace, err)
	}
	book, err := pertain.OpenRules(t.Context(), env, pertain.RuleOptions{})
	if err != nil || book.Root != out {
		t.Errorf("project %q, %v", book.Root, err)
	}
	if roots := pertain.Skills(env).Roots; len(roots) != 0 {
		t.Errorf("skills of %v", roots)
	}
}
