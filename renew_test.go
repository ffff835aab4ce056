package pertain_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestRenew holds that an engine which is kept says, after Renew, what one that is
// opened now says: files, settings, trust and the time of a match.
func TestRenew(t *testing.T) {
	home, work := t.TempDir(), t.TempDir()
	config := filepath.Join(home, "config.yaml")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	environment := pertain.Environment{Dir: work, NoBuiltin: true, Env: func(name string) string {
		return map[string]string{"HOME": home, "PERTAIN_CONFIG": config}[name]
	}}
	fresh := func() *pertain.Engine {
		t.Helper()
		location, err := pertain.Locate(environment)
		if err != nil {
			t.Fatal(err)
		}
		return open(t, location.Options)
	}
	user := filepath.Join(home, ".config/pertain/strategies")
	write(config, "version: 1\n")
	write(filepath.Join(user, "a.strategy.md"), named("A"))
	write(filepath.Join(user, "slow.strategy.md"), "---\nname: Slow\nwhen: {clipboard.text: {regex: 'a|b'}}\n---\nx\n")
	write(filepath.Join(work, ".pertain/strategies/w.strategy.md"), named("W"))
	kept := fresh()
	for _, step := range []struct {
		name   string
		change func()
	}{
		{"nothing", func() {}},
		{"a file", func() { write(filepath.Join(user, "b.strategy.md"), named("B")) }},
		{"the same file", func() { write(filepath.Join(user, "b.strategy.md"), named("B2")) }},
		{"a setting", func() { write(config, "version: 1\ndisabled: [user.a]\n") }},
		{"trust", func() {
			paths, err := settings.Locate(settings.Environment{GOOS: "linux", Lookup: func(name string) (string, bool) {
				return environment.Env(name), environment.Env(name) != ""
			}})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := (settings.Trust{Path: paths.Trust}).Add(t.Context(), work); err != nil {
				t.Fatal(err)
			}
		}},
		{"the time of a match", func() { write(config, "version: 1\noptions: {matchBudget: 0.000001ms}\n") }},
	} {
		step.change()
		if _, err := kept.Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
		now := fresh()
		if got, want := contents(kept.Catalog()), contents(now.Catalog()); got != want {
			t.Errorf("%s: renewed\n%s\nnew\n%s", step.name, got, want)
		}
		if got, want := outOfTime(t, kept), outOfTime(t, now); got != want {
			t.Errorf("%s: %d strategies are out of time, of a new engine %d", step.name, got, want)
		}
	}
	if outOfTime(t, kept) == 0 {
		t.Error("the time of a match has not changed anything")
	}
}

// outOfTime counts what a match has no time for.
func outOfTime(t *testing.T, engine *pertain.Engine) int {
	t.Helper()
	snapshot := facts.NewSnapshot(facts.Parts{}).With("clipboard.text", facts.Text("aaa"))
	m, err := engine.Match(t.Context(), snapshot, pertain.MatchOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	late := 0
	for _, d := range m.Diagnostics {
		if d.Code == diag.MatchBudget {
			late++
		}
	}
	return late
}
