package hotkey

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/program"
)

// ownName is what the binding is called in a desktop's settings.
const ownName = "Pertain"

// setter is a program of a desktop by which settings are made.
type setter struct {
	session Session
	program program.Program
	name    string
}

// setting finds such a program by the first of its names that is installed.
func (s Session) setting(names ...string) (setter, error) {
	for _, name := range names {
		if found, err := s.Search.Find(name); err == nil {
			return setter{s, found, name}, nil
		}
	}
	return setter{}, fmt.Errorf("`%s` is not installed", names[0])
}

func (s setter) step(args ...string) Step {
	return Step{Args: append([]string{s.name}, args...), program: s.program, env: s.session.environment(), dir: s.session.Home}
}

// ask runs the program and gives what it printed.
func (s setter) ask(ctx context.Context, args ...string) (string, error) {
	step := s.step(args...)
	out, err := s.program.Output(ctx, program.Call{Dir: step.dir, Env: step.env}, maxOutput, args...)
	return strings.TrimSpace(string(out)), err
}

// environment is what setting programs need.
func (s Session) environment() []string {
	env := []string{"PATH=" + s.Search.Folders(), "HOME=" + s.Home}
	for _, name := range []string{
		"LANG", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS",
		"XDG_CACHE_HOME", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS", "GSETTINGS_BACKEND", "GSETTINGS_SCHEMA_DIR", "KDE_SESSION_VERSION",
	} {
		if value := s.Env(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// gsettingsKey is a binding in a list of bindings, as GNOME and its relatives have it.
type gsettingsKey struct {
	schema, list string // where the list is
	entry        string // of the list: a path, or a name below the folder
	item         string // schema of one binding
	path         string // of this binding; always ends with a slash
	array        bool   // the key is an array of keys
}

func gnome(ctx context.Context, s Session, k Key, command []string, remove bool) ([]Step, error) {
	const folder = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/pertain/"
	return s.gsettings(ctx, gsettingsKey{
		schema: "org.gnome.settings-daemon.plugins.media-keys", list: "custom-keybindings", entry: folder,
		item: "org.gnome.settings-daemon.plugins.media-keys.custom-keybinding", path: folder,
	}, k, command, remove)
}

func cinnamon(ctx context.Context, s Session, k Key, command []string, remove bool) ([]Step, error) {
	return s.gsettings(ctx, gsettingsKey{
		schema: "org.cinnamon.desktop.keybindings", list: "custom-list", entry: "pertain",
		item: "org.cinnamon.desktop.keybindings.custom-keybinding", path: "/org/cinnamon/desktop/keybindings/custom-keybindings/pertain/", array: true,
	}, k, command, remove)
}

// mate finds bindings by their folders and has no list.
func mate(ctx context.Context, s Session, k Key, command []string, remove bool) ([]Step, error) {
	set, err := s.setting("gsettings")
	if err != nil {
		return nil, err
	}
	const item = "org.mate.control-center.keybinding:/org/mate/desktop/keybindings/pertain/"
	now, err := set.ask(ctx, "get", item, "binding")
	if err != nil {
		return nil, noSchema(item)
	}
	if remove {
		if now == "''" {
			return nil, nil
		}
		return []Step{set.step("reset-recursively", item)}, nil
	}
	return set.differing(ctx, item, [][2]string{{"name", quoted(ownName)}, {"action", quoted(shellLine(command))}, {"binding", quoted(k.gtk())}})
}

func (s Session) gsettings(ctx context.Context, g gsettingsKey, k Key, command []string, remove bool) ([]Step, error) {
	set, err := s.setting("gsettings")
	if err != nil {
		return nil, err
	}
	list, err := set.ask(ctx, "get", g.schema, g.list)
	if err != nil {
		return nil, noSchema(g.schema)
	}
	entries, err := parseList(list)
	if err != nil {
		return nil, fmt.Errorf("the list of bindings cannot be read: %w", err)
	}
	item := g.item + ":" + g.path
	if remove {
		if !slices.Contains(entries, g.entry) {
			return nil, nil
		}
		rest := slices.DeleteFunc(entries, func(e string) bool { return e == g.entry })
		return []Step{set.step("set", g.schema, g.list, writeList(rest)), set.step("reset-recursively", item)}, nil
	}
	binding := quoted(k.gtk())
	if g.array {
		binding = writeList([]string{k.gtk()})
	}
	steps, err := set.differing(ctx, item, [][2]string{{"name", quoted(ownName)}, {"command", quoted(shellLine(command))}, {"binding", binding}})
	if err != nil {
		return nil, err
	}
	if !slices.Contains(entries, g.entry) {
		steps = append(steps, set.step("set", g.schema, g.list, writeList(append(entries, g.entry))))
	}
	return steps, nil
}

// differing are the steps for settings that are not so yet.
func (s setter) differing(ctx context.Context, item string, pairs [][2]string) ([]Step, error) {
	var steps []Step
	for _, pair := range pairs {
		now, err := s.ask(ctx, "get", item, pair[0])
		if err != nil {
			return nil, noSchema(item)
		}
		if now != pair[1] {
			steps = append(steps, s.step("set", item, pair[0], pair[1]))
		}
	}
	return steps, nil
}

func noSchema(schema string) error {
	name, _, _ := strings.Cut(schema, ":")
	return fmt.Errorf("this desktop's settings `%s` are not installed", name)
}

// xfce keeps each command under its key.
func xfce(ctx context.Context, s Session, k Key, command []string, remove bool) ([]Step, error) {
	set, err := s.setting("xfconf-query")
	if err != nil {
		return nil, err
	}
	const channel, folder = "xfce4-keyboard-shortcuts", "/commands/custom/"
	listed, err := set.ask(ctx, "-c", channel, "-l", "-v")
	if err != nil {
		listed = "" // the channel is made by its first value
	}
	line := shellLine(command)
	var steps []Step
	bound := false
	for row := range strings.Lines(listed) {
		property, value, _ := strings.Cut(strings.TrimSpace(row), " ")
		if !strings.HasPrefix(property, folder) {
			continue
		}
		value = strings.TrimSpace(value)
		own := value == line || ownLine(value)
		switch {
		case property == folder+k.xfce() && !remove && own && value == line:
			bound = true
		case property == folder+k.xfce() && !remove && !own:
			return nil, fmt.Errorf("%s is bound to `%s`; choose another with --key", k, clean(value))
		case own:
			steps = append(steps, set.step("-c", channel, "-p", property, "-r"))
		}
	}
	if !remove && !bound {
		steps = append(steps, set.step("-c", channel, "-p", folder+k.xfce(), "-n", "-t", "string", "-s", line))
	}
	return steps, nil
}

// ownLine tells a command that an earlier binding wrote, of a Pertain that may have been
// elsewhere, with whatever it does with the prompt.
func ownLine(value string) bool {
	const mark = "pick --menu auto"
	before, after, found := strings.Cut(value, mark)
	after, then := strings.CutPrefix(after, " --then ")
	before = strings.TrimRight(before, " ")
	return found && then == (after != "") && !strings.ContainsAny(after, " \t") &&
		(strings.HasSuffix(before, "pertain") || strings.HasSuffix(before, "pertain'"))
}

// kde starts programs by desktop files, and has their keys in one file. It reads both
// when the session begins.
func kde(ctx context.Context, s Session, k Key, command []string, remove bool) ([]Step, error) {
	set, err := s.setting("kwriteconfig6", "kwriteconfig5")
	if err != nil {
		return nil, err
	}
	const file = "pertain-pick.desktop"
	change, err := newChange(filepath.Join(s.Data, "applications", file))
	if err != nil {
		return nil, err
	}
	group := []string{"--file", "kglobalshortcutsrc", "--group", file}
	value := k.qt() + ",none," + ownName
	if set.name == "kwriteconfig6" {
		group, value = []string{"--file", "kglobalshortcutsrc", "--group", "services", "--group", file}, k.qt()
	}
	if remove {
		if change.Before == "" {
			return nil, nil
		}
		change.After, change.Gone = "", true
		return []Step{{Change: change}, set.step(append(group, "--key", "_launch", "--delete")...), set.step(append(group, "--key", "_k_friendly_name", "--delete")...)}, nil
	}
	change.After = "[Desktop Entry]\nType=Application\nName=" + ownName + "\nComment=Prompts for what is in front\nNoDisplay=true\nStartupNotify=false\nExec=" +
		execLine(command) + "\nX-KDE-GlobalAccel-CommandShortcut=true\n"
	var steps []Step
	if change.After != change.Before {
		steps = append(steps, Step{Change: change})
	}
	if reader, err := s.setting(strings.Replace(set.name, "kwrite", "kread", 1)); err == nil {
		if now, err := reader.ask(ctx, append(group, "--key", "_launch")...); err == nil && now == value {
			return steps, nil
		}
	}
	return append(steps, set.step(append(group, "--key", "_k_friendly_name", ownName)...), set.step(append(group, "--key", "_launch", value)...)), nil
}

// execLine quotes words for a desktop file's Exec.
func execLine(words []string) string {
	out := make([]string, len(words))
	for i, word := range words {
		word = strings.ReplaceAll(word, "%", "%%")
		if strings.ContainsAny(word, " \t\n\"'\\><~|&;$*?#()`") {
			word = `"` + strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`).Replace(word) + `"`
		}
		out[i] = word
	}
	return strings.Join(out, " ")
}
