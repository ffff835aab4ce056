package hotkey

import (
	"context"
	"fmt"
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
		without := set.step("set", g.schema, g.list, writeList(rest))
		if len(rest) == 0 { // as it was before anything was bound
			without = set.step("reset", g.schema, g.list)
		}
		return []Step{without, set.step("reset-recursively", item)}, nil
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
