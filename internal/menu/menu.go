package menu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/internal/program"
	"github.com/pertain-dev/pertain/internal/visible"
)

// Entry is a line of a list.
type Entry struct {
	Title string
	Note  string // what it is for
	Icon  string // path of a picture, absolute; empty: none
}

// ErrLeft says that the user closed the menu without a choice.
var ErrLeft = errors.New("nothing was chosen")

// Desk is where menus are opened.
type Desk struct {
	Search program.Search
	Env    func(name string) string
	Dir    string // working directory of the menus
}

// Menu is a program that shows lists.
type Menu struct {
	row     row
	program program.Program
	desk    Desk
}

// Name is the program's.
func (m Menu) Name() string { return m.row.name }

// ShowsIcons tells whether entries should have pictures.
func (m Menu) ShowsIcons() bool { return m.row.icon != nil }

// Find is the menu of a name, or with `auto` the first of the table that this
// session can show and that is installed.
func (d Desk) Find(name string) (Menu, error) {
	if name != Auto {
		r, ok := rowOf(name)
		if !ok {
			return Menu{}, fmt.Errorf("there is no menu `%s`; known are %s", visible.Show(name), strings.Join(append(Names(), Auto, "terminal"), ", "))
		}
		found, err := d.Search.Find(r.program())
		if err != nil {
			return Menu{}, fmt.Errorf("`%s` is not installed, or not in a folder of PATH", r.program())
		}
		if !r.shows(d.Env) {
			return Menu{}, fmt.Errorf("`%s` cannot be shown here: %s is not set", name, r.needs)
		}
		return Menu{r, found, d}, nil
	}
	for _, r := range table {
		if r.needs == terminal || !r.shows(d.Env) {
			continue
		}
		if found, err := d.Search.Find(r.program()); err == nil {
			return Menu{r, found, d}, nil
		}
	}
	return Menu{}, fmt.Errorf("no menu is installed for this session; install one of %s, or use `--menu terminal`", strings.Join(Names(), ", "))
}

// Choose shows the entries and returns the index of the one that was chosen.
func (m Menu) Choose(ctx context.Context, title string, entries []Entry) (int, error) {
	lines := make([]string, len(entries))
	seen := map[string]bool{}
	for i, e := range entries {
		lines[i] = distinct(plainLine(e), seen)
	}
	args, input := m.row.list(title, lines, entries)
	answer, err := m.run(ctx, args, input)
	if err != nil {
		return 0, err
	}
	if m.row.index {
		n, err := strconv.Atoi(answer)
		if err != nil || n < 0 || n >= len(lines) {
			return 0, ErrLeft // a text of their own, which is none of the list
		}
		return n, nil
	}
	for i, line := range lines {
		if answer == line || m.row.icon != nil && answer == m.row.icon(line, entries[i].Icon) || m.row.said(answer) == line {
			return i, nil
		}
	}
	return 0, ErrLeft
}

// Ask lets the user type a line; nothing typed is an empty one.
func (m Menu) Ask(ctx context.Context, title string) (string, error) {
	args, input := m.row.ask(title)
	return m.run(ctx, args, input)
}

// maxAnswer bounds what a menu may print.
const maxAnswer = 1 << 20

// run starts the menu and returns the line it printed. An empty one is an answer; all
// menus print nothing when they are left, and tofi says so by nothing else.
func (m Menu) run(ctx context.Context, args []string, input string) (string, error) {
	call := program.Call{Dir: m.desk.Dir, Env: m.desk.environment(), Stdin: strings.NewReader(input)}
	var complaint bytes.Buffer
	call.Stderr = &tail{&complaint}
	out, err := m.program.Output(ctx, call, maxAnswer, args...)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	answer, _, _ := strings.Cut(string(out), "\n")
	answer = strings.TrimSuffix(answer, "\r")
	var code interface{ ExitCode() int }
	switch {
	case err == nil && len(out) == 0:
		return "", ErrLeft
	case err == nil:
		return answer, nil
	case errors.As(err, &code) && m.row.typed(code.ExitCode()) && len(out) > 0:
		return answer, nil
	case errors.As(err, &code) && code.ExitCode() == 1 && complaint.Len() == 0 || errors.As(err, &code) && m.row.left(code.ExitCode()):
		return "", ErrLeft
	}
	said := strings.TrimSpace(visible.Show(complaint.String()))
	if said == "" || errors.As(err, &code) && code.ExitCode() < 0 { // what it said before it crashed is not why
		return "", fmt.Errorf("%s could not be shown: %w", m.row.name, err)
	}
	return "", fmt.Errorf("%s could not be shown: %s", m.row.name, said)
}

// tail keeps the last of what a program complains about.
type tail struct{ text *bytes.Buffer }

const maxComplaint = 400

func (t *tail) Write(p []byte) (int, error) {
	t.text.Write(p)
	if extra := t.text.Len() - maxComplaint; extra > 0 {
		t.text.Next(extra)
	}
	return len(p), nil
}

// plainLine is an entry as one line that no menu takes for more than text.
func plainLine(e Entry) string {
	line := oneLine(e.Title)
	if note := oneLine(e.Note); note != "" {
		line += "  ·  " + note
	}
	if line == "" {
		line = "?"
	}
	return line
}

// maxLine bounds a line of a menu, in characters.
const maxLine = 200

// oneLine makes a text fit for a line: what controls a terminal, a menu or the
// direction of writing is made visible.
func oneLine(text string) string {
	line := strings.Join(strings.Fields(visible.Show(text)), " ")
	if runes := []rune(line); len(runes) > maxLine {
		line = string(runes[:maxLine-1]) + "…"
	}
	return line
}

// distinct makes a line unlike those before it, since many menus answer with the
// line itself.
func distinct(line string, seen map[string]bool) string {
	unique := line
	for n := 2; seen[unique]; n++ {
		unique = fmt.Sprintf("%s (%d)", line, n)
	}
	seen[unique] = true
	return unique
}

// sessionVariables are what programs need to show themselves in this session.
var sessionVariables = []string{
	"HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "LANGUAGE", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
	"XDG_CURRENT_DESKTOP", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CACHE_HOME", "DBUS_SESSION_BUS_ADDRESS",
	"GDK_SCALE", "GDK_DPI_SCALE", "GTK_THEME", "QT_SCALE_FACTOR", "QT_QPA_PLATFORMTHEME", "KDE_FULL_SESSION", "KDE_SESSION_VERSION", "SWAYSOCK",
	"HYPRLAND_INSTANCE_SIGNATURE", "BEMENU_OPTS", "BEMENU_BACKEND", "FZF_DEFAULT_OPTS", "XCURSOR_THEME", "XCURSOR_SIZE", "TERM", "COLORTERM",
}

func (d Desk) environment() []string {
	env := []string{"PATH=" + d.Search.Folders()}
	for _, name := range sessionVariables {
		if value := d.Env(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}
