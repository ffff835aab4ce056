package discover_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/discover/skillfolder"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

// TestSwaps: a program that may write the workspace, and swaps what it holds for
// links while rules, imports, skills and strategies are read, never brings text
// from outside into them.
func TestSwaps(t *testing.T) {
	const rounds = 300
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws, out := filepath.Join(top, "home/w"), filepath.Join(top, "out")
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for dir, text := range map[string]string{filepath.Join(ws, "good"): "inside", out: "OUTSIDE"} {
		write(filepath.Join(dir, "AGENTS.md"), text)
		write(filepath.Join(dir, "rules/r.md"), "---\ndescription: "+text+"\n---\n"+text)
		write(filepath.Join(dir, "s/SKILL.md"), "---\nname: s\ndescription: "+text+"\n---\n"+text)
		write(filepath.Join(dir, "a.strategy.md"), "---\nname: "+text+"\n---\n"+text)
	}
	write(filepath.Join(ws, ".git/HEAD"), "")
	write(filepath.Join(ws, "CLAUDE.md"), "@swap/AGENTS.md\n")
	for target, path := range map[string]string{
		"swap/AGENTS.md": "AGENTS.md", "../swap/rules": ".cursor/rules", "../swap": ".pertain/strategies", "../../swap/s": ".claude/skills/s",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(ws, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(ws, path)); err != nil {
			t.Skip("needs symbolic links: ", err)
		}
	}
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		at, next := filepath.Join(ws, "swap"), filepath.Join(ws, "next")
		for i := 0; ; i++ {
			_ = os.Symlink([]string{"good", out}[i%2], next)
			_ = os.Rename(next, at)
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	defer swapping.Wait()
	defer close(stop)

	tree := files.OS()
	paths := settings.Paths{Home: filepath.Join(top, "home")}
	ctx := context.Background()
	seen := map[string]bool{}
	see := func(what, text string) {
		if strings.Contains(text, "OUTSIDE") {
			t.Fatalf("%s: %q", what, text)
		}
		seen[what] = seen[what] || strings.Contains(text, "inside")
	}
	for range rounds {
		set, err := rule.Load(ctx, discover.Rules(tree, discover.RuleRoots{Dir: ws, Home: paths.Home}), rule.Options{Root: ws})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range set.All() {
			see("rule "+r.Name, r.Content)
		}
		library := skill.Library{Tree: tree, Roots: skillfolder.Roots(tree, paths, ws, false)}
		registry, err := library.Load(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range registry.Skills() {
			see("skill", s.Body+s.Description)
		}
		for _, p := range strategyfile.Providers(tree, strategyfile.Roots{Workspace: ws}) {
			entries, err := p.List(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				data, _ := p.Read(ctx, e)
				see("strategy", string(data))
			}
		}
	}
	for _, what := range []string{"rule AGENTS", "rule CLAUDE", "rule r", "skill", "strategy"} {
		if !seen[what] {
			t.Errorf("%s: not read once", what)
		}
	}
}
