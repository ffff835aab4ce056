package hotkey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/internal/program"
)

// Session is the user's session: where its files and programs are.
type Session struct {
	Home   string // absolute
	Config string // folder of the user's settings, absolute: $XDG_CONFIG_HOME or ~/.config
	Data   string // folder of the user's data, absolute: $XDG_DATA_HOME or ~/.local/share
	Search program.Search
	Env    func(name string) string
}

// Desktop is a kind of session that a key can be bound in.
type Desktop struct {
	Name string

	here func(env func(string) string) bool
	plan func(ctx context.Context, s Session, k Key, command []string, remove bool) ([]Step, error)
	line func(k Key, command []string) string // what somebody writes by hand; nil: see hint
	hint string                               // where a binding is made by hand
}

// desktops is the table, in the order in which a session is recognized: window
// managers may run inside of a desktop.
var desktops = []Desktop{
	{Name: "sway", here: manager("SWAYSOCK", "sway"), plan: blockIn(swayFiles, i3Line, boundInI3), line: i3Line},
	{Name: "hyprland", here: manager("HYPRLAND_INSTANCE_SIGNATURE", "hyprland"), plan: blockIn(hyprlandFiles, hyprlandLine, boundInHyprland), line: hyprlandLine},
	{Name: "i3", here: manager("I3SOCK", "i3"), plan: blockIn(i3Files, i3Line, boundInI3), line: i3Line},
	{Name: "gnome", here: current("gnome", "unity", "budgie"), plan: gnome, hint: "Settings, Keyboard, View and Customize Shortcuts, Custom Shortcuts"},
	{Name: "cinnamon", here: current("cinnamon", "x-cinnamon"), plan: cinnamon, hint: "System Settings, Keyboard, Shortcuts, Custom Shortcuts"},
	{Name: "mate", here: current("mate"), plan: mate, hint: "Control Center, Keyboard Shortcuts"},
	{Name: "xfce", here: current("xfce"), plan: xfce, hint: "Settings, Keyboard, Application Shortcuts"},
	{Name: "kde", here: current("kde"), plan: kde, hint: "System Settings, Keyboard, Shortcuts"},
}

// Names are the desktops' names, in their order.
func Names() []string {
	var names []string
	for _, d := range desktops {
		names = append(names, d.Name)
	}
	return names
}

// Find is the desktop of a name, or with an empty one that of the session.
func Find(name string, env func(string) string) (Desktop, error) {
	for _, d := range desktops {
		if name == d.Name || name == "" && d.here(env) {
			return d, nil
		}
	}
	if name != "" {
		return Desktop{}, fmt.Errorf("there is no desktop `%s` known here; known are %s", clean(name), strings.Join(Names(), ", "))
	}
	return Desktop{}, fmt.Errorf("this desktop is none of %s", strings.Join(Names(), ", "))
}

// errControl is for a program that no desktop's settings can name.
var errControl = errors.New("the path of the program has control characters, such as line ends; move it to another folder")

// Plan is what has to be done to bind the key to the command, or with remove to take
// the binding back. No step means that it is so already.
func (d Desktop) Plan(ctx context.Context, s Session, k Key, command []string, remove bool) ([]Step, error) {
	if !remove && slices.ContainsFunc(command, func(word string) bool { return strings.ContainsFunc(word, unicode.IsControl) }) {
		return nil, errControl // a line end would begin another line of a desktop's file
	}
	return d.plan(ctx, s, k, command, remove)
}

// ByHand says how the binding is made without Pertain.
func (d Desktop) ByHand(k Key, command []string) string {
	if d.line != nil {
		return d.line(k, command)
	}
	return fmt.Sprintf("%s: bind %s to %s", d.hint, k, shellLine(command))
}

// Step is one thing to do.
type Step struct {
	Change *Change  // of a file; nil: a program is started
	Args   []string // of the program, its name first

	program program.Program
	env     []string
	dir     string
}

// Run does it.
func (s Step) Run(ctx context.Context) error {
	if s.Change != nil {
		return s.Change.write()
	}
	if _, err := s.program.Output(ctx, program.Call{Dir: s.dir, Env: s.env}, maxOutput, s.Args[1:]...); err != nil {
		return fmt.Errorf("%s failed: %w", s.Args[0], err)
	}
	return nil
}

// String is the step as somebody would type it; a change of a file shows itself.
func (s Step) String() string {
	if s.Change != nil {
		return s.Change.Path
	}
	return shellLine(s.Args)
}

// maxOutput bounds what a setting program may print.
const maxOutput = 1 << 20

// manager tells whether a window manager runs, by the variable that it sets for its children,
// or by the name that the login gives the session.
func manager(variable, name string) func(func(string) string) bool {
	return func(env func(string) string) bool { return env(variable) != "" || current(name)(env) }
}

// current tells whether XDG_CURRENT_DESKTOP, a list with colons, has one of the names.
func current(names ...string) func(func(string) string) bool {
	return func(env func(string) string) bool {
		list := strings.Split(strings.ToLower(env("XDG_CURRENT_DESKTOP")), ":")
		return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(list, name) })
	}
}

// shellLine quotes words for a shell.
func shellLine(words []string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = shellWord(word)
	}
	return strings.Join(out, " ")
}

func shellWord(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:,@%") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
