//go:build unix

package settings_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/pertain-dev/pertain/internal/settings"
)

// TestPreparedState: a folder for state that somebody has prepared with links, or that is another user's, is not used; the account's is.
func TestPreparedState(t *testing.T) {
	for name, c := range map[string]struct {
		prepare  func(t *testing.T, folder string)
		believed bool
	}{
		"none": {func(*testing.T, string) {}, true},
		"own": {func(t *testing.T, folder string) {
			t.Helper()
			file(t, folder, "journal.jsonl")
			file(t, folder, "hooks/a")
		}, true},
		"a linked file":   {func(t *testing.T, folder string) { t.Helper(); link(t, folder, "journal.jsonl") }, false},
		"a linked folder": {func(t *testing.T, folder string) { t.Helper(); link(t, folder, "hooks") }, false},
		"one in a folder": {func(t *testing.T, folder string) { t.Helper(); file(t, folder, "cache/a"); link(t, folder, "cache/b") }, false},
		"a link itself":   {func(t *testing.T, folder string) { t.Helper(); link(t, filepath.Dir(folder), filepath.Base(folder)) }, false},
		"somebody else's": {func(t *testing.T, folder string) {
			t.Helper()
			file(t, folder, "a")
			if err := os.Chown(filepath.Dir(folder), 12345, -1); err != nil {
				t.Skip("only root can give a folder away")
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			base, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			account, named := filepath.Join(base, "home"), filepath.Join(base, "archive")
			for _, dir := range []string{account, named} {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			c.prepare(t, filepath.Join(named, "pertain"))
			for variable, state := range map[string]string{"XDG_STATE_HOME": filepath.Join(named, "pertain"), "": filepath.Join(account, ".local", "state", "pertain")} {
				paths, err := settings.Locate(settings.Environment{GOOS: runtime.GOOS, Caller: settings.Caller{Account: account}, Lookup: func(name string) (string, bool) {
					value := map[string]string{"HOME": account, variable: named}[name]
					return value, value != ""
				}})
				if !c.believed {
					state = filepath.Join(account, ".local", "state", "pertain")
				}
				if err != nil || paths.State != state {
					t.Errorf("%s: %s, want %s (%v)", variable, paths.State, state, err)
				}
			}
		})
	}
}

func file(t *testing.T, folder, name string) {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, folder, name string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
}
