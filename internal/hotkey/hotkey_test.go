package hotkey

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/program"
)

func TestParseKey(t *testing.T) {
	for text, want := range map[string][6]string{
		"Super+Shift+P":  {"Super+Shift+P", "Mod4+Shift+p", "SUPER SHIFT, p", "<Super><Shift>p", "<Super><Shift>p", "Meta+Shift+P"},
		"ctrl+alt+space": {"Ctrl+Alt+Space", "Ctrl+Mod1+space", "CTRL ALT, space", "<Control><Alt>space", "<Primary><Alt>space", "Ctrl+Alt+Space"},
		"F9":             {"F9", "F9", ", F9", "F9", "F9", "F9"},
		"win+pageup":     {"Super+Prior", "Mod4+Prior", "SUPER, Prior", "<Super>Prior", "<Super>Prior", "Meta+PgUp"},
	} {
		k, err := ParseKey(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, [6]string{k.String(), k.i3(), k.hyprland(), k.gtk(), k.xfce(), k.qt()}); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	for _, text := range []string{
		"", "p", "Shift+P", "Super", "Super+", "Super+Super+P", "Super+P\nexec rm", "Super+`", "Hyper+P", "Super+p exec x", "F25", "F1x", "a+b", "Super+é",
	} {
		if k, err := ParseKey(text); err == nil {
			t.Errorf("%q is taken as %s", text, k)
		} else if strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%q: the message is %q", text, err)
		}
	}
}

func TestBlock(t *testing.T) {
	for _, before := range []string{"", "a\n", "a", "\n\n", "a\n\n\n", "# comment"} {
		with, err := withBlock(before, "x\n")
		if err != nil || !strings.Contains(with, "\n"+markBegin+"x\n"+markEnd) {
			t.Fatalf("%q: %q, %v", before, with, err)
		}
		again, err := withBlock(with, "x\n")
		if err != nil || again != with {
			t.Errorf("%q: a second time gives %q, %v", before, again, err)
		}
		other, err := withBlock(with+"more\n", "y\n")
		if err != nil || strings.Contains(other, "x\n") || !strings.HasSuffix(other, "more\n") {
			t.Errorf("%q: another key gives %q, %v", before, other, err)
		}
		back, err := withBlock(with, "")
		if err != nil || back != before {
			t.Errorf("%q comes back as %q, %v", before, back, err)
		}
	}
	if _, err := withBlock("a\n"+markBegin+"x\n", "y\n"); err == nil {
		t.Error("a mark without an end is taken")
	}
	if _, err := withBlock(markBegin+markEnd+markBegin+markEnd, ""); err == nil {
		t.Error("two blocks are taken")
	}
}

func TestLines(t *testing.T) {
	k, err := ParseKey("Super+P")
	if err != nil {
		t.Fatal(err)
	}
	odd := []string{`/home/a b'"c\$(x),;#%/pertain`, "pick"}
	for _, line := range []string{i3Line(k, odd), hyprlandLine(k, odd), execLine(odd)} {
		if strings.Contains(line, "\n") {
			t.Errorf("a line has two: %q", line)
		}
	}
	if got := i3Line(k, []string{"/usr/bin/pertain", "pick", "--menu", "auto"}); got != `bindsym Mod4+p exec "/usr/bin/pertain pick --menu auto"` {
		t.Errorf("got %s", got)
	}
	if runtime.GOOS != "windows" {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf '%s|' "+shellLine(odd)).Output()
		if err != nil || string(out) != strings.Join(odd, "|")+"|" {
			t.Errorf("a shell reads %q, %v", out, err)
		}
	}
}

// TestOwnLine: a binding of before is known whatever it does with the prompt, and
// nobody else's is taken for one.
func TestOwnLine(t *testing.T) {
	for line, want := range map[string]bool{
		"/usr/bin/pertain pick --menu auto":                   true,
		"'/opt/my tools/pertain' pick --menu auto":            true,
		"/usr/bin/pertain pick --menu auto --then ask":        true,
		"'/opt/my tools/pertain' pick --menu auto --then ask": true,
		"/usr/bin/pertain pick --menu auto --then":            false,
		"/usr/bin/pertain pick --menu auto --to menu":         false,
		"/usr/bin/pertain pick --menu auto --then run -- llm": false,
		"/usr/bin/other pick --menu auto":                     false,
		"/usr/bin/pertain match":                              false,
		"":                                                    false,
	} {
		if got := ownLine(line); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}

func TestList(t *testing.T) {
	for _, texts := range [][]string{nil, {"a"}, {"a b", `it's`, `q"q`, `back\slash`, `both'"`}} {
		got, err := parseList(writeList(texts))
		if err != nil || !cmp.Equal(got, texts) {
			t.Errorf("%q comes back as %q, %v", texts, got, err)
		}
	}
	for _, text := range []string{"", "5", "['a", "[a]", "['a' 'b'"} {
		if got, err := parseList(text); err == nil && text != "['a' 'b'" {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

func TestFind(t *testing.T) {
	for variable, want := range map[string]string{
		"SWAYSOCK=/x": "sway", "HYPRLAND_INSTANCE_SIGNATURE=x": "hyprland", "I3SOCK=/x": "i3", "XDG_CURRENT_DESKTOP=ubuntu:GNOME": "gnome",
		"XDG_CURRENT_DESKTOP=X-Cinnamon": "cinnamon", "XDG_CURRENT_DESKTOP=MATE": "mate", "XDG_CURRENT_DESKTOP=XFCE": "xfce", "XDG_CURRENT_DESKTOP=KDE": "kde",
		"XDG_CURRENT_DESKTOP=i3": "i3", "XDG_CURRENT_DESKTOP=sway": "sway", "XDG_CURRENT_DESKTOP=Hyprland": "hyprland", "XDG_CURRENT_DESKTOP=other": "",
	} {
		name, value, _ := strings.Cut(variable, "=")
		d, err := Find("", func(n string) string {
			if n == name {
				return value
			}
			return ""
		})
		if d.Name != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v", variable, d.Name, err)
		}
	}
}

// session is one with files and settings of its own, and the real setting programs.
func session(t *testing.T, env map[string]string) Session {
	t.Helper()
	home := t.TempDir()
	return Session{
		Home: home, Config: filepath.Join(home, ".config"), Data: filepath.Join(home, ".local/share"),
		Search: program.Search{Path: os.Getenv("PATH")}, Env: func(name string) string { return env[name] },
	}
}

// bound does what is planned until nothing is left, which must be at once.
func bound(t *testing.T, d Desktop, s Session, key string, remove bool) int {
	t.Helper()
	k, err := ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	command := []string{"/opt/my tools/pertain", "pick", "--menu", "auto"}
	steps, err := d.Plan(t.Context(), s, k, command, remove)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		if err := step.Run(t.Context()); err != nil {
			t.Fatalf("%s: %v", step, err)
		}
	}
	again, err := d.Plan(t.Context(), s, k, command, remove)
	if err != nil || len(again) != 0 {
		t.Errorf("%s: a second run would do %v, %v", d.Name, again, err)
	}
	return len(steps)
}

func TestWindowManagers(t *testing.T) {
	for name, file := range map[string]string{"sway": "sway/config", "i3": "i3/config", "hyprland": "hypr/hyprland.conf"} {
		s := session(t, nil)
		d, err := Find(name, s.Env)
		if err != nil {
			t.Fatal(err)
		}
		k, err := ParseKey(DefaultKey)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Plan(t.Context(), s, k, []string{"x"}, false); err == nil {
			t.Errorf("%s: a file that is not there is written", name)
		}
		path := filepath.Join(s.Config, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		const before = "set $mod Mod4\n# mine"
		if err := os.WriteFile(path, []byte(before), 0o640); err != nil {
			t.Fatal(err)
		}
		bound(t, d, s, DefaultKey, false)
		bound(t, d, s, "Super+F5", false)
		text, err := os.ReadFile(path)
		if err != nil || strings.Count(string(text), "pertain' pick") != 1 || !strings.Contains(string(text), "F5") || !strings.HasPrefix(string(text), before) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
		bound(t, d, s, DefaultKey, true)
		if text, err = os.ReadFile(path); err != nil || string(text) != before {
			t.Errorf("%s: %q is left, %v", name, text, err)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
			t.Errorf("%s: the mode has changed: %v %v", name, info.Mode(), err)
		}
	}
}

// TestDesktopSettings binds keys by the real gsettings with the schemas that are
// installed, in a store of its own.
func TestDesktopSettings(t *testing.T) {
	if _, err := exec.LookPath("gsettings"); err != nil {
		t.Skip("gsettings is not installed")
	}
	for name, schema := range map[string]string{
		"gnome": "org.gnome.settings-daemon.plugins.media-keys", "cinnamon": "org.cinnamon.desktop.keybindings", "mate": "org.mate.control-center.keybinding",
	} {
		t.Run(name, func(t *testing.T) {
			s := session(t, map[string]string{"GSETTINGS_BACKEND": "keyfile"})
			known, _ := exec.CommandContext(t.Context(), "gsettings", "list-schemas").Output()
			relocatable, _ := exec.CommandContext(t.Context(), "gsettings", "list-relocatable-schemas").Output()
			if !strings.Contains(string(known)+string(relocatable), schema+"\n") {
				t.Skipf("the settings of %s are not installed", name)
			}
			d, err := Find(name, s.Env)
			if err != nil {
				t.Fatal(err)
			}
			if bound(t, d, s, DefaultKey, false) == 0 {
				t.Error("nothing is done")
			}
			store := filepath.Join(s.Config, "glib-2.0/settings/keyfile")
			text, err := os.ReadFile(store)
			if err != nil || !strings.Contains(string(text), "<Super><Shift>p") || !strings.Contains(string(text), "/opt/my tools/pertain") {
				t.Errorf("%s, %v", text, err)
			}
			if bound(t, d, s, "Ctrl+F5", false) != 1 {
				t.Error("another key is not one step")
			}
			if bound(t, d, s, DefaultKey, true) == 0 {
				t.Error("nothing is undone")
			}
			if text, err = os.ReadFile(store); err == nil && (strings.Contains(string(text), "pertain pick") || strings.Contains(string(text), "Control>F5")) {
				t.Errorf("left: %s", text)
			}
		})
	}
}

func TestKDE(t *testing.T) {
	s := session(t, nil)
	if _, err := s.setting("kwriteconfig6", "kwriteconfig5"); err != nil {
		t.Skip("kwriteconfig is not installed")
	}
	d, err := Find("kde", s.Env)
	if err != nil {
		t.Fatal(err)
	}
	bound(t, d, s, DefaultKey, false)
	file := filepath.Join(s.Data, "applications/pertain-pick.desktop")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `Exec="/opt/my tools/pertain" pick`) {
		t.Errorf("%s, %v", text, err)
	}
	keys, err := os.ReadFile(filepath.Join(s.Config, "kglobalshortcutsrc"))
	if err != nil || !strings.Contains(string(keys), "Meta+Shift+P") {
		t.Errorf("%s, %v", keys, err)
	}
	bound(t, d, s, DefaultKey, true)
	if _, err := os.Stat(file); err == nil {
		t.Error("the desktop file is left")
	}
	if keys, err = os.ReadFile(filepath.Join(s.Config, "kglobalshortcutsrc")); err == nil && strings.Contains(string(keys), "Meta+Shift+P") {
		t.Errorf("left: %s", keys)
	}
}

// TestForeignEntry: a desktop file of that name that somebody else wrote stays as it is.
func TestForeignEntry(t *testing.T) {
	s := session(t, nil)
	if _, err := s.setting("kwriteconfig6", "kwriteconfig5"); err != nil {
		t.Skip("kwriteconfig is not installed")
	}
	d, err := Find("kde", s.Env)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.Data, "applications/pertain-pick.desktop")
	const text = "[Desktop Entry]\nExec=/usr/bin/other\n"
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	k, err := ParseKey(DefaultKey)
	if err != nil {
		t.Fatal(err)
	}
	if steps, err := d.Plan(t.Context(), s, k, []string{"/usr/bin/pertain", "pick", "--menu", "auto"}, false); err == nil {
		t.Errorf("it is written over: %v", steps)
	}
	if steps, err := d.Plan(t.Context(), s, k, nil, true); err != nil || len(steps) != 0 {
		t.Errorf("it is removed: %v, %v", steps, err)
	}
	for line, want := range map[string]bool{
		`Exec=/usr/bin/pertain pick --menu auto`:                   true,
		`Exec="/opt/my tools/pertain" pick --menu auto --then ask`: true,
		`Exec=/usr/bin/other pick --menu auto`:                     false,
		``:                                                         false,
	} {
		if got := ownEntry("[Desktop Entry]\n" + line + "\n"); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}

// TestTaken: a key that the user has bound to something else is not bound twice.
func TestTaken(t *testing.T) {
	k, err := ParseKey("Super+Shift+P")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"": "",
		"set $mod Mod4\nbindsym $mod+Shift+p exec foo --bar\n":                       "exec foo --bar",
		"set $mod Mod4\nset $modish Mod1\n bindsym --release Shift+$mod+P kill\n":    "kill",
		"set $mod Mod1\nbindsym $mod+Shift+p exec foo\n":                             "",
		"set $mod Mod1\nset $mod Mod4\nbindsym $mod+Shift+p exec foo\n":              "exec foo",
		"mode \"x\" {\n bindsym Mod4+Shift+p exec foo\n}\nbindsym Mod4+p exec bar\n": "",
		"# bindsym Mod4+Shift+p exec foo\nbindsym Mod4+Shift+Ctrl+p exec foo\n":      "",
		"bindsym Mod4+Shift+p\nbindsym\n}\nset\n":                                    "",
	} {
		if got := boundInI3(text, k); got != want {
			t.Errorf("i3 %q: %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"$mainMod = SUPER\nbind = $mainMod SHIFT, P, exec, foo\n":              "exec, foo",
		"bindl=SHIFT_SUPER,p,killactive,\n":                                    "killactive,",
		"bind = SUPER, P, exec, foo\n# bind = SUPER SHIFT, P, exec, foo\n":     "",
		"submap = x\nbind = SUPER SHIFT, P, exec, foo\nsubmap = reset\nbind\n": "",
		"binds { x = SUPER SHIFT, P, exec, foo }\nbind = SUPER SHIFT, P\n":     "",
	} {
		if got := boundInHyprland(text, k); got != want {
			t.Errorf("hyprland %q: %q", text, got)
		}
	}
	for name, want := range map[string]bool{
		"<Super><Shift>p": true, "<Shift><Super>P": true, "<Super>p": false, "<Primary><Shift>p": false, "p": false, "<Super><Shift>p/startup-notify": false,
	} {
		if got := sameKey(name, k.xfce()); got != want {
			t.Errorf("xfce %s: %t", name, got)
		}
	}
	s := session(t, nil)
	path := filepath.Join(s.Config, "i3/config")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("bindsym Mod4+Shift+p exec mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Find("i3", s.Env)
	if err != nil {
		t.Fatal(err)
	}
	if steps, err := d.Plan(t.Context(), s, k, []string{"x"}, false); err == nil || !strings.Contains(err.Error(), "is bound to `exec mine`") {
		t.Errorf("%v, %v", steps, err)
	}
	bound(t, d, s, "Super+F5", false)
	bound(t, d, s, DefaultKey, true)
}

// TestControlCharacters: a line end in the program's path would begin a line of its own in a desktop's file.
func TestControlCharacters(t *testing.T) {
	for _, name := range Names() {
		s := session(t, nil)
		d, err := Find(name, s.Env)
		if err != nil {
			t.Fatal(err)
		}
		k, err := ParseKey(DefaultKey)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = d.Plan(t.Context(), s, k, []string{"/opt/we\nexec evil/pertain", "pick"}, false); err == nil || !strings.Contains(err.Error(), "control characters") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
