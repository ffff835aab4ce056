package pertain_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
)

// ruleProject writes files below a fresh folder and returns it.
func ruleProject(t *testing.T, texts map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestRulesOfAFolder(t *testing.T) {
	root := ruleProject(t, map[string]string{
		"p/.git/HEAD":            "",
		"p/.cursor/rules/ts.mdc": "---\nglobs: src/**/*.ts\n---\nStrict.",
		"p/lib/AGENTS.md":        "Lib.",
		"p/src/a.ts":             "",
		"p/lib/b.ts":             "",
		"home/.claude/CLAUDE.md": "Mine.",
		"team/x.instructions.md": "Team.",
	})
	env := func(name string) string {
		return map[string]string{
			"HOME": filepath.Join(root, "home"), "USERPROFILE": filepath.Join(root, "home"),
			"COPILOT_CUSTOM_INSTRUCTIONS_DIRS": "../team, ",
		}[name]
	}
	applied := func(t *testing.T, dir string, file string) string {
		t.Helper()
		paths := []string{file}
		book, err := pertain.OpenRules(t.Context(), pertain.Environment{Dir: dir, Env: env}, pertain.RuleOptions{Files: paths})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, v := range book.ForPaths(paths, false)[0] {
			names = append(names, v.Rule.Name)
		}
		return strings.Join(names, " ")
	}
	project := filepath.Join(root, "p")
	if got := applied(t, project, filepath.Join(project, "src", "a.ts")); got != "ts ~/CLAUDE x" {
		t.Errorf("src/a.ts: %s", got)
	}
	if got := applied(t, project, filepath.Join(project, "lib", "b.ts")); got != "~/CLAUDE lib/AGENTS x" {
		t.Errorf("lib/b.ts: %s", got)
	}

	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	if err := os.Symlink(project, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../src/a.ts", filepath.Join(project, "lib", "alias.ts")); err != nil {
		t.Fatal(err)
	}
	if got := applied(t, project, filepath.Join(project, "lib", "alias.ts")); got != "ts ~/CLAUDE lib/AGENTS x" {
		t.Errorf("a link to src/a.ts: %s", got)
	}
	if got := applied(t, filepath.Join(root, "link"), filepath.Join(project, "src", "a.ts")); got != "ts ~/CLAUDE x" {
		t.Errorf("through a linked project: %s", got)
	}

	book, err := pertain.OpenRules(t.Context(), pertain.Environment{Dir: project, Env: env}, pertain.RuleOptions{Nested: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(book.Names(), " "); got != "ts ~/CLAUDE lib/AGENTS x" {
		t.Errorf("nested: %s", got)
	}
}
