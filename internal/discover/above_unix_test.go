//go:build unix

package discover_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// TestAboveImports: what a file above the project imports must be one that nobody else may write, as that file itself.
func TestAboveImports(t *testing.T) {
	top := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	write("p/CLAUDE.md", "Mine. @shared.md @own.md", 0o644)
	write("p/shared.md", "EVIL @own.md", 0o666)
	write("p/own.md", "GOOD", 0o644)
	write("p/r/.git/HEAD", "", 0o644)
	claude, _ := agent.Lookup("claude")
	roots := discover.RuleRoots{Dir: filepath.Join(top, "p", "r"), Home: filepath.Join(top, "home")}
	for name, providers := range map[string][]rule.Provider{
		"claude": {discover.AgentRules(files.OS(), roots, claude)},
		"all":    discover.Rules(files.OS(), roots),
	} {
		set, err := rule.Load(context.Background(), providers, rule.Options{})
		if err != nil {
			t.Fatal(err)
		}
		prompt := set.Prompt(rule.PromptOptions{})
		if strings.Contains(prompt, "EVIL") || !strings.Contains(prompt, "GOOD") || !strings.Contains(prompt, "Mine.") {
			t.Errorf("%s: %s", name, prompt)
		}
		told := false
		for _, d := range set.Warnings() {
			told = told || d.Code == diag.RuleOutsideWorkspace && strings.Contains(d.Message, "others may write it")
		}
		if !told {
			t.Errorf("%s: it is not told: %v", name, set.Warnings())
		}
	}
}
