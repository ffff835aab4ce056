package pertain_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/revision"
	"github.com/pertain-dev/pertain/rule"
)

// fleetMachine is a home whose settings name a fleet, and what it took of it.
type fleetMachine struct {
	t      *testing.T
	home   string
	key    minisign.PrivateKey
	trust  revision.Trust
	store  revision.Store
	number int64
}

func newFleetMachine(t *testing.T) *fleetMachine {
	t.Helper()
	public, key, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &fleetMachine{t: t, home: t.TempDir(), key: key}
	m.trust, _ = revision.NewTrust("main", []string{public.String()})
	m.store = revision.In(filepath.Join(m.home, ".local", "state", "pertain"), "main")
	m.settings("url: nats://127.0.0.1:1\n  keys: " + public.String())
	return m
}

func (m *fleetMachine) settings(text string) {
	m.t.Helper()
	writeAll(m.t, m.home, map[string]string{".config/pertain/config.yaml": "fleet:\n  " + text + "\n"})
}

func (m *fleetMachine) env(dir string) pertain.Environment {
	return pertain.Environment{Dir: dir, NoBuiltin: true, Env: func(name string) string { return map[string]string{"HOME": m.home, "USERPROFILE": m.home}[name] }}
}

// take puts the next revision in force.
func (m *fleetMachine) take(texts map[string]string) {
	m.t.Helper()
	m.number++
	manifest := revision.Manifest{Namespace: "main", Revision: m.number, Author: "me", Time: time.Now()}
	contents := map[string][]byte{}
	for path, text := range texts {
		sum := revision.Sum([]byte(text))
		manifest.Files = append(manifest.Files, revision.File{Path: path, Size: len(text), Sum: sum})
		contents[sum] = []byte(text)
	}
	revision.Sorted(manifest.Files)
	data, err := manifest.Encode()
	if err != nil {
		m.t.Fatal(err)
	}
	sealed := revision.Sealed{Manifest: string(data), Signature: string(minisign.Sign(m.key, data))}
	if err := m.store.Keep(context.Background(), m.trust, sealed, contents, time.Now()); err != nil {
		m.t.Fatal(err)
	}
}

func writeAll(t *testing.T, root string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var fleetFiles = map[string]string{
	"rules/style.md":               "---\ndescription: how we write\nglobs: '*.go'\n---\nof the fleet",
	"rules/shared.md":              "---\ndescription: d\n---\nof the fleet",
	"rules/tool.md":                "---\ndescription: d\n---\nof the fleet",
	"rules/sub/no-eval.md":         "---\ncondition: 'eval\\('\n---\nno eval",
	"strategies/hi.strategy.md":    "---\nname: Hi\nfrom: skill://fleet.review\n---\nSay hi.",
	"strategies/out.strategy.md":   "---\nname: Out\nfrom: ../../../../../../secret.md\n---\nx",
	"skills/review/SKILL.md":       "---\nname: review\ndescription: how we review\n---\nReview.",
	"skills/review/scripts/run.py": "print(1)",
}

func TestFleetProvider(t *testing.T) {
	m := newFleetMachine(t)
	work := filepath.Join(m.home, "work")
	writeAll(t, work, map[string]string{
		".git/HEAD": "ref: refs/heads/main", "a.go": "", ".pertain/rules/shared.md": "---\ndescription: d\n---\nof the project", ".cursor/rules/tool.mdc": "---\ndescription: d\n---\nof a tool",
	})
	writeAll(t, m.home, map[string]string{"secret.md": "secret"})
	m.take(fleetFiles)

	book, err := pertain.OpenRules(t.Context(), m.env(work), pertain.RuleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	provider := map[string]string{}
	for _, r := range book.Rules() {
		provider[r.Name] = r.Provider
		if r.Provider == "fleet" && r.Level != rule.User {
			t.Errorf("%s is of the level %s", r.Name, r.Level)
		}
	}
	want := map[string]string{"style": "fleet", "shared": "pertain", "tool": "fleet", "sub/no-eval": "fleet"}
	for name, from := range want {
		if provider[name] != from {
			t.Errorf("%s is of %q, want %q", name, provider[name], from)
		}
	}
	verdicts := book.ForPaths([]string{filepath.Join(work, "a.go")}, false)[0]
	if !slices.ContainsFunc(verdicts, func(v rule.Verdict) bool { return v.Rule.Name == "style" && v.Applies }) {
		t.Error("a rule of the fleet does not apply to its files")
	}
	for name, options := range map[string]pertain.RuleOptions{"documented": {Documented: true}, "an agent": {Agent: "claude"}} {
		book, err := pertain.OpenRules(t.Context(), m.env(work), options)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(book.Rules(), func(r *rule.Rule) bool { return r.Provider == "fleet" }) {
			t.Errorf("the view of %s has rules of the fleet", name)
		}
	}

	location, err := pertain.Locate(m.env(work))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := pertain.Open(t.Context(), location.Options)
	if err != nil {
		t.Fatal(err)
	}
	valid := map[string]bool{}
	for _, s := range engine.Catalog().Strategies() {
		valid[s.ID] = s.Valid && s.Trusted
	}
	if ok, there := valid["plugin.fleet.hi"]; !ok || !there {
		t.Errorf("strategies: %v", valid)
	}
	if ok, there := valid["plugin.fleet.out"]; ok || !there {
		t.Errorf("a strategy of the fleet reached a file of this machine: %v", valid)
	}

	registry, err := pertain.Skills(m.env(work)).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s, err := registry.Find("fleet.review"); err != nil || !s.Enabled {
		t.Errorf("the skill: %+v, %v", s, err)
	}
}

// TestFleetUnused: without keys, with a changed file, or without an address, nothing of the copy is used, and it is told once.
func TestFleetUnused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*fleetMachine)
		told   bool
	}{
		"no address": {func(m *fleetMachine) { m.settings("keys: " + m.trust.Keys[0].String()) }, false},
		"no keys":    {func(m *fleetMachine) { m.settings("url: nats://127.0.0.1:1") }, true},
		"another key": {func(m *fleetMachine) {
			m.settings("url: nats://127.0.0.1:1\n  keys: RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3")
		}, true},
		"another namespace": {func(m *fleetMachine) {
			m.settings("url: nats://127.0.0.1:1\n  namespace: other\n  keys: " + m.trust.Keys[0].String())
		}, false},
		"a file changed": {func(m *fleetMachine) {
			c, err := m.store.Open(context.Background(), files.OS(), m.trust)
			if err != nil {
				m.t.Fatal(err)
			}
			writeAll(m.t, c.Dir, map[string]string{"rules/style.md": "---\ndescription: x\n---\nanother text"})
		}, true},
		"a file added": {func(m *fleetMachine) {
			c, err := m.store.Open(context.Background(), files.OS(), m.trust)
			if err != nil {
				m.t.Fatal(err)
			}
			writeAll(m.t, c.Dir, map[string]string{"rules/more.md": "---\ndescription: x\n---\nmore"})
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			m := newFleetMachine(t)
			m.take(fleetFiles)
			test.change(m)
			work := filepath.Join(m.home, "work")
			writeAll(t, work, map[string]string{"a": ""})
			book, err := pertain.OpenRules(t.Context(), m.env(work), pertain.RuleOptions{})
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			for _, d := range book.Warnings() {
				if d.Code == diag.StrategyUntrusted && strings.Contains(d.Message, "nothing of the fleet is used") {
					told++
				}
			}
			if len(book.Rules()) > 0 || (told == 1) != test.told {
				t.Errorf("%d rules, told %d times: %v", len(book.Rules()), told, book.Warnings())
			}
			location, err := pertain.Locate(m.env(work))
			if err != nil {
				t.Fatal(err)
			}
			engine, err := pertain.Open(t.Context(), location.Options)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(engine.Catalog().Strategies()); n > 0 {
				t.Errorf("%d strategies", n)
			}
			registry, err := pertain.Skills(m.env(work)).Load(t.Context())
			if err != nil || len(registry.Skills()) > 0 {
				t.Errorf("skills: %v", err)
			}
		})
	}
}

// TestFleetWatched: who follows rules and strategies sees the next revision.
func TestFleetWatched(t *testing.T) {
	m := newFleetMachine(t)
	work := filepath.Join(m.home, "work")
	writeAll(t, work, map[string]string{"a": ""})
	m.take(map[string]string{"rules/first.md": "---\ndescription: x\n---\n1", "strategies/first.strategy.md": "---\nname: F\n---\nx"})
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	rules := make(chan string, 10)
	go func() {
		_ = pertain.WatchRules(ctx, m.env(work), pertain.RuleOptions{}, func(b *pertain.Rulebook) {
			for _, r := range b.Rules() {
				rules <- r.Name
			}
		}, nil)
	}()
	location, err := pertain.Locate(m.env(work))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := pertain.Open(t.Context(), location.Options)
	if err != nil {
		t.Fatal(err)
	}
	strategies := make(chan string, 10)
	go func() {
		_ = engine.Watch(ctx, func(c *pertain.Catalog) {
			for _, s := range c.Strategies() {
				strategies <- s.ID
			}
		})
	}()
	wait := func(from chan string, want string) {
		t.Helper()
		for {
			select {
			case got := <-from:
				if got == want {
					return
				}
			case <-ctx.Done():
				t.Fatalf("%s did not come", want)
			}
		}
	}
	wait(rules, "first")
	m.take(map[string]string{"rules/second.md": "---\ndescription: x\n---\n2", "strategies/second.strategy.md": "---\nname: S\n---\nx"})
	wait(rules, "second")
	wait(strategies, "plugin.fleet.second")
}
