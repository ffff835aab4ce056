package pertain_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestWatchRulesTrust: who follows rules is told when the user trusts their workspace, and when no longer, although no rule
// is another.
func TestWatchRulesTrust(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, ".omp", "rules", "a.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("---\nalwaysApply: true\n---\nRule A.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := pertain.Environment{Dir: dir, Env: func(name string) string {
		return map[string]string{"HOME": home, "USERPROFILE": home}[name]
	}}
	paths, err := settings.Locate(settings.Environment{GOOS: runtime.GOOS, Lookup: func(name string) (string, bool) { return env.Env(name), env.Env(name) != "" }})
	if err != nil {
		t.Fatal(err)
	}
	trust := settings.Trust{Path: paths.Trust}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	books := make(chan *pertain.Rulebook)
	go func() {
		_ = pertain.WatchRules(ctx, env, pertain.RuleOptions{}, func(b *pertain.Rulebook) {
			select {
			case books <- b:
			case <-ctx.Done():
			}
		}, nil)
	}()
	next := func(want bool) {
		t.Helper()
		select {
		case b := <-books:
			for _, r := range b.Rules() {
				if b.Binding(r) != want {
					t.Errorf("binding is %v", !want)
				}
			}
		case <-ctx.Done():
			t.Fatal("nobody was told")
		}
	}
	next(false)
	if _, _, err := trust.Add(ctx, dir); err != nil {
		t.Fatal(err)
	}
	next(true)
	if _, _, err := trust.Revoke(ctx, dir); err != nil {
		t.Fatal(err)
	}
	next(false)
}
