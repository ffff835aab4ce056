package menu

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/internal/markup"
)

// Auto stands for the first menu that this session can show.
const Auto = "auto"

// needs is what a menu must find in its environment.
type needs string

const (
	wayland  needs = "WAYLAND_DISPLAY"
	x        needs = "DISPLAY"
	either   needs = "WAYLAND_DISPLAY or DISPLAY"
	terminal needs = "TERM"
)

// row is how one program is called.
type row struct {
	name  string
	file  string // of the program; empty: its name
	needs needs

	index bool // it answers with the number of the line, from 0

	list func(title string, lines []string, entries []Entry) (args []string, input string)
	ask  func(title string) (args []string, input string)
	icon func(line, path string) string // a line with its picture; nil: it shows none
	// window are the arguments to show a text from standard input; nil: it has lists alone.
	window func(title string) []string
}

// table is all menus, in the order in which auto tries them: those made for the
// session first, dialogs last.
var table = []row{
	{
		name: "fuzzel", needs: wayland, index: true, icon: nulIcon,
		list: func(title string, lines []string, entries []Entry) ([]string, string) {
			return []string{"--dmenu", "--index", "--prompt", title + ": ", "--width", "80", "--lines", height(lines)}, pictured(nulIcon, lines, entries)
		},
		ask: func(title string) ([]string, string) {
			return []string{"--dmenu", "--lines", "0", "--width", "80", "--prompt", title + ": "}, ""
		},
	},
	{
		name: "wofi", needs: wayland, icon: wofiIcon,
		list: func(title string, lines []string, entries []Entry) ([]string, string) {
			return []string{"--dmenu", "--insensitive", "--allow-images", "--prompt", title, "--lines", height(lines), "--cache-file", "/dev/null"}, pictured(wofiIcon, lines, entries)
		},
		ask: func(title string) ([]string, string) {
			return []string{"--dmenu", "--lines", "1", "--prompt", title, "--cache-file", "/dev/null"}, ""
		},
	},
	{
		name: "rofi", needs: either, index: true, icon: nulIcon,
		list: func(title string, lines []string, entries []Entry) ([]string, string) {
			return []string{"-dmenu", "-i", "-no-custom", "-show-icons", "-format", "i", "-p", title, "-l", height(lines)}, pictured(nulIcon, lines, entries)
		},
		ask: func(title string) ([]string, string) {
			return []string{"-dmenu", "-format", "s", "-l", "0", "-p", title}, ""
		},
	},
	{
		name: "tofi", needs: wayland,
		list: func(title string, lines []string, _ []Entry) ([]string, string) {
			return []string{"--prompt-text", title + ": ", "--require-match", "true"}, plain(lines)
		},
		ask: func(title string) ([]string, string) {
			return []string{"--prompt-text", title + ": ", "--require-match", "false"}, "\n"
		},
	},
	{
		name: "walker", needs: wayland,
		list: func(title string, lines []string, _ []Entry) ([]string, string) {
			return []string{"--dmenu", "--placeholder", title}, plain(lines)
		},
		ask: func(title string) ([]string, string) {
			return []string{"--dmenu", "--inputonly", "--placeholder", title}, ""
		},
	},
	{
		name: "bemenu", needs: either,
		list: func(title string, lines []string, _ []Entry) ([]string, string) {
			return []string{"--ignorecase", "--list", height(lines), "--prompt", title}, plain(lines)
		},
		ask: func(title string) ([]string, string) { return []string{"--prompt", title}, "" },
	},
	{
		name: "dmenu", needs: x,
		list: func(title string, lines []string, _ []Entry) ([]string, string) {
			return []string{"-i", "-l", height(lines), "-p", title}, plain(lines)
		},
		ask: func(title string) ([]string, string) { return []string{"-p", title}, "" },
	},
	{
		name: "kdialog", needs: either, index: true,
		list: func(title string, lines []string, _ []Entry) ([]string, string) {
			args := []string{"--title", title, "--menu", title}
			for i, line := range lines {
				args = append(args, strconv.Itoa(i), undashed(line))
			}
			return args, ""
		},
		ask: func(title string) ([]string, string) {
			return []string{"--title", title, "--inputbox", markup.Text(title)}, ""
		},
		window: func(title string) []string { return []string{"--title", title, "--textbox", "-", "720", "480"} },
	},
	{
		name: "zenity", needs: either, index: true,
		list: func(title string, lines []string, _ []Entry) ([]string, string) {
			var rows strings.Builder
			for i, line := range lines {
				rows.WriteString(strconv.Itoa(i) + "\n" + line + "\n")
			}
			return []string{
				"--list", "--title", title, "--text", "", "--hide-header", "--column", "n", "--column", "name", "--hide-column", "1", "--print-column", "1",
				"--width", "720", "--height", "480",
			}, rows.String()
		},
		ask: func(title string) ([]string, string) {
			return []string{"--entry", "--width", "560", "--title", title, "--text", markup.Text(title)}, ""
		},
		window: func(title string) []string {
			return []string{"--text-info", "--title", title, "--width", "720", "--height", "480"}
		},
	},
	{
		name: "fzf", needs: terminal,
		list: func(title string, lines []string, _ []Entry) ([]string, string) {
			return []string{"--no-multi", "--layout", "reverse", "--prompt", title + "> "}, plain(lines)
		},
		ask: func(title string) ([]string, string) {
			return []string{"--print-query", "--no-info", "--layout", "reverse", "--prompt", title + "> "}, ""
		},
	},
}

// Names are the menus' names, sorted.
func Names() []string {
	var names []string
	for _, r := range table {
		names = append(names, r.name)
	}
	slices.Sort(names)
	return names
}

func rowOf(name string) (row, bool) {
	i := slices.IndexFunc(table, func(r row) bool { return r.name == name })
	if i < 0 {
		return row{}, false
	}
	return table[i], true
}

func (r row) program() string {
	if r.file != "" {
		return r.file
	}
	return r.name
}

// shows tells whether the session has what the menu needs.
func (r row) shows(env func(string) string) bool {
	if r.needs == either {
		return env(string(wayland)) != "" || env(string(x)) != ""
	}
	return env(string(r.needs)) != ""
}

// left tells exit codes by which a menu says that it was closed. fzf has 130 for
// that, and 1 for a filter that nothing fits; zenity 5 for its time limit.
func (r row) left(code int) bool {
	switch r.name {
	case "fzf":
		return code == 130 || code == 1
	case "zenity", "kdialog":
		return code == 1 || code == 5
	case "wofi", "fuzzel", "rofi", "dmenu", "bemenu", "tofi", "walker":
		return code == 1 || code == 2 && r.name == "fuzzel"
	}
	return code == 1
}

// typed tells an exit code that comes with what was typed: fzf's where no line of
// its empty list fits.
func (r row) typed(code int) bool { return r.name == "fzf" && code == 1 }

// said is the text of an answer in a form that some versions of a program give
// back: wofi without the picture.
func (r row) said(answer string) string {
	if r.name == "wofi" {
		if _, text, ok := strings.Cut(answer, ":text:"); ok {
			return text
		}
	}
	return answer
}

// maxHeight is how many lines a menu shows at once.
const maxHeight = 12

func height(lines []string) string { return strconv.Itoa(max(1, min(len(lines), maxHeight))) }

func plain(lines []string) string { return strings.Join(lines, "\n") + "\n" }

func pictured(icon func(line, path string) string, lines []string, entries []Entry) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(icon(line, entries[i].Icon) + "\n")
	}
	return b.String()
}

// nulIcon is rofi's form, which fuzzel has taken over.
func nulIcon(line, path string) string {
	if path == "" {
		return line
	}
	return line + "\x00icon\x1f" + path
}

// wofiIcon is wofi's form, in which a colon ends a part of a line.
func wofiIcon(line, path string) string {
	if path == "" || strings.ContainsAny(path, ":") {
		return line
	}
	return "img:" + path + ":text:" + line
}

// undashed keeps a text from being taken for an option.
func undashed(line string) string {
	if strings.HasPrefix(line, "-") {
		return "\u200a" + line
	}
	return line
}
