package pertain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestCloneInTrustedProject: that the user trusts a project says nothing about somebody's clone in it, also for who works in the clone.
func TestCloneInTrustedProject(t *testing.T) {
	for _, marker := range []string{".git", ".hg", ".jj", ".svn"} {
		base, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		home, project := filepath.Join(base, "home"), filepath.Join(base, "w")
		for name, text := range map[string]string{
			"home/private.md": "PRIVATE", "w/.git/HEAD": "ref: refs/heads/main\n", "w/AGENTS.md": "mine",
			"w/clone/" + marker + "/HEAD": "", "w/clone/AGENTS.md": "@~/private.md\n", "w/clone/CLAUDE.md": "Theirs. @~/private.md\n",
		} {
			path := filepath.Join(base, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := (settings.Trust{Path: filepath.Join(home, ".config", "pertain", "trust.json")}).Add(t.Context(), project); err != nil {
			t.Fatal(err)
		}
		for dir, binding := range map[string]bool{project: true, filepath.Join(project, "clone"): false} {
			env := pertain.Environment{Dir: dir, Env: func(name string) string {
				return map[string]string{"HOME": home, "USERPROFILE": home}[name]
			}}
			book, err := pertain.OpenRules(t.Context(), env, pertain.RuleOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(book.All()) == 0 || book.Root != dir {
				t.Fatalf("%s: %d rules of %s", marker, len(book.All()), book.Root)
			}
			for _, r := range book.All() {
				if book.Binding(r) != binding || !binding && strings.Contains(r.Content, "PRIVATE") {
					t.Errorf("%s, %s: %s binds %v: %q", marker, dir, r.Name, !binding, r.Content)
				}
			}
		}
	}
}
