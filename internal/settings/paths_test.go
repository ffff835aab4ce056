package settings_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
)

func environment(goos string, variables map[string]string) settings.Environment {
	return settings.Environment{GOOS: goos, Lookup: func(name string) (string, bool) {
		v, ok := variables[name]
		return v, ok
	}}
}

func TestLocate(t *testing.T) {
	home := settings.Paths{
		Home: "/home/me", ConfigDir: "/home/me/.config/pertain", Config: "/home/me/.config/pertain/config.yaml",
		UserStrategies: "/home/me/.config/pertain/strategies", Plugins: "/home/me/.config/pertain/plugins",
		Skills: "/home/me/.config/pertain/skills", Trust: "/home/me/.config/pertain/trust.json", State: "/home/me/.local/state/pertain",
	}
	for _, goos := range []string{"linux", "darwin", "freebsd"} {
		for _, xdg := range []string{"", "relative/dir"} {
			got, err := settings.Locate(environment(goos, map[string]string{"HOME": "/home/me", "XDG_CONFIG_HOME": xdg, "APPDATA": "/x"}))
			if diff := cmp.Diff(home, got); err != nil || diff != "" {
				t.Errorf("%s, %q: %v\n%s", goos, xdg, err, diff)
			}
		}
	}

	got, err := settings.Locate(environment("linux", map[string]string{
		"HOME": "/home/me", "XDG_CONFIG_HOME": "/cfg/", "XDG_STATE_HOME": "/state", "PERTAIN_CONFIG": "my/../own.yaml",
	}))
	want := settings.Paths{
		Home: "/home/me", ConfigDir: "/cfg/pertain", Config: "own.yaml", Named: true, UserStrategies: "/cfg/pertain/strategies", Plugins: "/cfg/pertain/plugins",
		Skills: "/cfg/pertain/skills", Trust: "/cfg/pertain/trust.json", State: "/state/pertain",
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}

	got, err = settings.Locate(environment("windows", map[string]string{
		"USERPROFILE": `C:\Users\me`, "APPDATA": `C:\Users\me\AppData\Roaming`, "LOCALAPPDATA": `C:\Users\me\AppData\Local`, "HOME": "/home/me",
	}))
	want = settings.Paths{
		Home: `C:\Users\me`, ConfigDir: `C:\Users\me\AppData\Roaming\pertain`, Config: `C:\Users\me\AppData\Roaming\pertain\config.yaml`,
		UserStrategies: `C:\Users\me\AppData\Roaming\pertain\strategies`, Plugins: `C:\Users\me\AppData\Roaming\pertain\plugins`,
		Skills: `C:\Users\me\AppData\Roaming\pertain\skills`, Trust: `C:\Users\me\AppData\Roaming\pertain\trust.json`,
		State: `C:\Users\me\AppData\Local\pertain`,
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if again, err := settings.Locate(environment("windows", map[string]string{"USERPROFILE": `C:\Users\me`})); err != nil || again != got {
		t.Errorf("from the profile alone: %+v, %v", again, err)
	}
}

func TestLocateWithoutHome(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		got, err := settings.Locate(environment(goos, map[string]string{"HOME": "", "PERTAIN_CONFIG": "x.yaml"}))
		if err == nil || got.Config != "x.yaml" || got.ConfigDir != "" {
			t.Errorf("%s: %+v, %v", goos, got, err)
		}
	}
	got, err := settings.Locate(environment("linux", map[string]string{"XDG_CONFIG_HOME": "/cfg"}))
	if err != nil || got.State != "/cfg/pertain/state" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestLocateMadeUp: /proc/self/cwd is an absolute path, and another folder in each process, so that it names nobody's settings.
func TestLocateMadeUp(t *testing.T) {
	got, err := settings.Locate(environment("linux", map[string]string{"HOME": "/home/me", "XDG_CONFIG_HOME": "/proc/self/cwd/.x", "XDG_STATE_HOME": "/tmp/../proc/1/cwd"}))
	if err != nil || got.ConfigDir != "/home/me/.config/pertain" || got.State != "/home/me/.local/state/pertain" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := settings.Locate(environment("linux", map[string]string{"HOME": "/proc/self/cwd"})); err == nil || got.Home != "" {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = settings.Locate(environment("linux", map[string]string{"HOME": "/home/me", "PERTAIN_CONFIG": "/proc/self/cwd/cfg.yaml"}))
	if err != nil {
		t.Fatal(err)
	}
	tree := files.NewMemory(files.Unix)
	tree.WriteFile("/proc/self/cwd/cfg.yaml", "ttsr: {enabled: false}")
	if _, _, err := got.Load(tree); err == nil || !strings.Contains(err.Error(), "another file in each process") {
		t.Errorf("%v", err)
	}
}

func TestWorkspaceRoot(t *testing.T) {
	for _, c := range []struct {
		flavor    files.Flavor
		make      string
		cwd, want string // want is empty: none
	}{
		{files.Unix, "/w/.git/HEAD", "/w/a/b", "/w"},
		{files.Unix, "/w/.git", "/w", "/w"}, // a file, as in a linked work tree
		{files.Unix, "/w/a/.pertain/strategies/x", "/w/a/b", "/w/a"},
		{files.Unix, "/.pertain/x", "/w", "/"},
		{files.Unix, "/home/me/.config/pertain/config.yaml", "/home/me/.config/pertain", ""},
		{files.Windows, `C:\w\.git\HEAD`, `c:\W\a`, `c:\W`},
		{files.Windows, `D:\.git\HEAD`, `C:\w`, ``},
	} {
		m := files.NewMemory(c.flavor)
		m.WriteFile(c.make, "")
		if got, ok := settings.WorkspaceRoot(m, c.cwd); got != c.want || ok != (c.want != "") {
			t.Errorf("from %s with %s: %s, %v", c.cwd, c.make, got, ok)
		}
	}
}
