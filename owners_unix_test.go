//go:build unix

package pertain_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestFoldersOfOtherUsers: rules, strategies and repositories that another user put
// into a folder above, as anybody may in one that everybody writes, do not count.
func TestFoldersOfOtherUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	t.Setenv("SUDO_UID", "")
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shared := filepath.Join(top, "shared")
	for path, text := range map[string]string{
		"shared/.git/HEAD": "", "shared/AGENTS.md": "Theirs.", "shared/.clinerules/c.md": "Theirs.",
		"shared/.pertain/strategies/a.strategy.md": "---\nname: A\n---\nTheirs.", "shared/me/work/AGENTS.md": "Mine.", "home/x": "",
	} {
		path = filepath.Join(top, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(shared, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string {
		if name == "HOME" {
			return filepath.Join(top, "home")
		}
		return ""
	}
	look := func(dir string) (rules []string, strategies int, codes []diag.Code) {
		at := pertain.Environment{Dir: dir, Env: env, NoBuiltin: true}
		book, err := pertain.OpenRules(context.Background(), at, pertain.RuleOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range book.Rules() {
			rules = append(rules, r.Content)
		}
		location, err := pertain.Locate(at)
		if err != nil {
			t.Fatal(err)
		}
		engine, err := pertain.Open(context.Background(), location.Options)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range append(book.Warnings(), location.Options.Diagnostics...) {
			codes = append(codes, d.Code)
		}
		return rules, len(engine.Catalog().Strategies()), codes
	}
	work := filepath.Join(shared, "me", "work")
	// Above the project a file must be one that nobody else may write.
	if err := os.Mkdir(filepath.Join(work, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	loose := filepath.Join(shared, ".clinerules", "c.md")
	for mode, want := range map[os.FileMode]int{0o644: 3, 0o666: 2} {
		if err := os.Chmod(loose, mode); err != nil {
			t.Fatal(err)
		}
		if rules, _, _ := look(work); len(rules) != want {
			t.Errorf("above the project, mode %o: %q", mode, rules)
		}
	}
	if err := os.Remove(filepath.Join(work, ".git")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(loose, 0o644); err != nil {
		t.Fatal(err)
	}
	if rules, strategies, codes := look(work); len(rules) != 3 || strategies != 1 || len(codes) > 0 {
		t.Fatalf("one's own: %q %d %v", rules, strategies, codes)
	}
	for _, name := range []string{".git", "AGENTS.md", ".clinerules", ".clinerules/c.md", ".pertain", ".pertain/strategies", ".pertain/strategies/a.strategy.md"} {
		if err := os.Lchown(filepath.Join(shared, name), 4711, 4711); err != nil {
			t.Skip(err)
		}
	}
	rules, strategies, codes := look(work)
	if !slices.Equal(rules, []string{"Mine."}) || strategies != 0 || !slices.Contains(codes, diag.RuleOutsideWorkspace) || !slices.Contains(codes, diag.StrategyUntrusted) {
		t.Errorf("another's: %q %d %v", rules, strategies, codes)
	}
	if rules, _, codes := look(shared); len(rules) > 0 || !slices.Contains(codes, diag.RuleOutsideWorkspace) {
		t.Errorf("in the shared folder itself: %q %v", rules, codes)
	}
	// A folder that belongs to its owner alone is what the user went to.
	if err := os.Chmod(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	if rules, strategies, _ := look(shared); len(rules) != 2 || strategies != 1 {
		t.Errorf("in another's folder: %q %d", rules, strategies)
	}
}

// TestStrategiesOfOtherUsers: trust in a folder that others may write is not for what they
// put into it.
func TestStrategiesOfOtherUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	t.Setenv("SUDO_UID", "")
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, home := filepath.Join(top, "work"), filepath.Join(top, "home")
	strategies := filepath.Join(root, ".pertain", "strategies")
	for _, dir := range []string{strategies, home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(strategies, name+".strategy.md"), []byte("---\nname: "+name+"\n---\nText."), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := (settings.Trust{Path: filepath.Join(home, ".config", "pertain", "trust.json")}).Add(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string { return map[string]string{"HOME": home}[name] }
	valid := func() (names []string, refused int) {
		location, err := pertain.Locate(pertain.Environment{Dir: root, Env: env, NoBuiltin: true})
		if err != nil || !location.Trusted {
			t.Fatalf("trusted %v, %v", location.Trusted, err)
		}
		engine, err := pertain.Open(t.Context(), location.Options)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range engine.Catalog().Strategies() {
			if s.Valid {
				names = append(names, s.ID)
			}
			for _, d := range s.Diagnostics {
				if d.Code == diag.RuleOutsideWorkspace {
					refused++
				}
			}
		}
		return names, refused
	}
	b := filepath.Join(strategies, "b.strategy.md")
	for _, test := range []struct {
		what    string
		open    string // the folder that others may write
		foreign string // what belongs to another user
		valid   int
	}{
		{"nothing of others", root, "", 2},
		{"a file, in a folder of the user's alone", "", b, 2},
		{"a file", root, b, 1},
		{"the folder", root, filepath.Join(root, ".pertain"), 0},
		{"a file in an open folder below", strategies, b, 1},
	} {
		if test.open != "" {
			if err := os.Chmod(test.open, 0o777|os.ModeSticky); err != nil {
				t.Fatal(err)
			}
		}
		if test.foreign != "" {
			if err := os.Lchown(test.foreign, 4711, 4711); err != nil {
				t.Skip(err)
			}
		}
		if names, refused := valid(); len(names) != test.valid || refused != 2-test.valid {
			t.Errorf("%s: %v, refused %d", test.what, names, refused)
		}
		if test.open != "" {
			if err := os.Chmod(test.open, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if test.foreign != "" {
			if err := os.Lchown(test.foreign, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
}
