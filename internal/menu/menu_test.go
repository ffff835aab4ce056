package menu

import (
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/program"
)

// scripted is a desk on which a menu is a shell script.
func scripted(t *testing.T, name, script string) (desk Desk, seen func() (args, input string)) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("menus are programs of Linux")
	}
	dir := t.TempDir()
	head := "#!/bin/sh\nfor a in \"$@\"; do echo \"[$a]\"; done > " + dir + "/args\ncat > " + dir + "/input\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(head+script), 0o700); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"DISPLAY": ":9", "WAYLAND_DISPLAY": "wayland-9", "TERM": "xterm", "SECRET": "s3"}
	desk = Desk{Search: program.Search{Path: dir + ":/usr/bin:/bin"}, Env: func(name string) string { return env[name] }, Dir: dir}
	return desk, func() (string, string) {
		read := func(name string) string {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		return read("args"), read("input")
	}
}

var entries = []Entry{
	{Title: "Explain", Note: "what it means", Icon: "/icons/bug.svg"},
	{Title: "Explain", Note: "what it means"},
	{Title: "--evil\x00icon\x1f/etc/passwd\nsecond\x1b]0;x\a", Note: "<b>&amp;"},
}

// answers is a script that gives back the nth of what it was shown.
func answers(name string, n int) string {
	switch {
	case rowIndexed(name):
		return "echo " + string(rune('0'+n)) + "\n"
	default:
		return "sed -n " + string(rune('1'+n)) + "p input\n"
	}
}

func rowIndexed(name string) bool { r, _ := rowOf(name); return r.index }

func TestChoose(t *testing.T) {
	for _, name := range Names() {
		for n := range entries {
			desk, seen := scripted(t, name, answers(name, n))
			m, err := desk.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Choose(t.Context(), "Title", entries)
			if err != nil || got != n {
				args, input := seen()
				t.Errorf("%s: got %d, %v, want %d\n%s\n%q", name, got, err, n, args, input)
			}
			args, input := seen()
			for _, text := range []string{args, input} {
				if strings.Contains(text, "\x1b") || strings.Contains(text, "icon\x1f/etc/passwd") || strings.Contains(text, "[--evil") {
					t.Errorf("%s: a title reaches the menu as more than text: %q", name, text)
				}
			}
		}
	}
}

func TestChooseNothing(t *testing.T) {
	for _, name := range Names() {
		for script, want := range map[string]string{
			"exit 1\n":                ErrLeft.Error(),
			"echo a text of my own\n": ErrLeft.Error(),
			"echo 99\n":               ErrLeft.Error(),
			"echo -1\n":               ErrLeft.Error(),
			"echo cannot open display >&2; exit 77\n":     name + " could not be shown: cannot open display",
			"echo info: all is well >&2; kill -SEGV $$\n": name + " could not be shown: signal: segmentation fault",
		} {
			desk, _ := scripted(t, name, script)
			m, err := desk.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := m.Choose(t.Context(), "Title", entries); err == nil || err.Error() != want {
				t.Errorf("%s, %q: got %d, %v, want %s", name, script, n, err, want)
			}
		}
	}
}

func TestAsk(t *testing.T) {
	for _, name := range Names() {
		desk, _ := scripted(t, name, "echo 'to German; $(x)'\n")
		m, err := desk.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.Ask(t.Context(), "Title"); err != nil || got != "to German; $(x)" {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// TestAskNothing: an empty line is an answer, for a prompt that does without, and leaving
// is none. fzf's list is empty, which it tells by its exit code.
func TestAskNothing(t *testing.T) {
	for _, name := range Names() {
		for script, want := range map[string]error{
			"echo\n":                  nil,
			"exit 1\n":                ErrLeft,
			"exit 0\n":                ErrLeft, // tofi's way
			"echo info >&2; exit 1\n": ErrLeft, // fuzzel's and wofi's
		} {
			desk, _ := scripted(t, name, script)
			m, err := desk.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := m.Ask(t.Context(), "Title"); got != "" || !errors.Is(err, want) {
				t.Errorf("%s, %q: got %q, %v", name, script, got, err)
			}
		}
	}
	for script, want := range map[string]error{"echo; exit 1\n": nil, "echo typed; exit 1\n": nil, "exit 130\n": ErrLeft} {
		desk, _ := scripted(t, "fzf", script)
		m, err := desk.Find("fzf")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.Ask(t.Context(), "Title"); got != map[bool]string{true: "typed"}[strings.Contains(script, "typed")] || !errors.Is(err, want) {
			t.Errorf("fzf, %q: got %q, %v", script, got, err)
		}
	}
}

func TestFind(t *testing.T) {
	desk, _ := scripted(t, "dmenu", "")
	desk.Search.Path = desk.Dir
	if m, err := desk.Find(Auto); err != nil || m.Name() != "dmenu" {
		t.Errorf("auto is %q, %v", m.Name(), err)
	}
	for name, want := range map[string]string{
		"rofi":       "`rofi` is not installed, or not in a folder of PATH",
		"no\x1bsuch": "there is no menu `no^[such`",
	} {
		if _, err := desk.Find(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	desk.Search.Without = []string{desk.Dir}
	if _, err := desk.Find(Auto); err == nil || !strings.Contains(err.Error(), "no menu is installed") {
		t.Errorf("a menu in the workspace is found: %v", err)
	}
	desk.Search.Without, desk.Env = nil, func(string) string { return "" }
	if _, err := desk.Find("dmenu"); err == nil || !strings.Contains(err.Error(), "DISPLAY is not set") {
		t.Errorf("without a session: %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	desk, _ := scripted(t, "rofi", "env > env; echo 0\n")
	m, err := desk.Find("rofi")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Choose(t.Context(), "Title", entries); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(desk.Dir, "env")); err != nil || strings.Contains(string(text), "s3") {
		t.Errorf("the menu's environment is %s, %v", text, err)
	}
}

func TestPictures(t *testing.T) {
	got := Pictures([]string{"FileText", "Bug", "Bug", "NoSuchIcon", "", "AlignLeft"})
	if len(got) != 3 {
		t.Errorf("got %d pictures", len(got))
	}
	for name, text := range got {
		if err := xml.Unmarshal([]byte(text), new(struct{ XMLName xml.Name })); err != nil || strings.Contains(text, "currentColor") {
			t.Errorf("%s: %v in %s", name, err, text)
		}
	}
	if diff := cmp.Diff([]string{"filetext.svg", "etcpasswd.svg", ".svg"}, []string{FileName("FileText"), FileName("../etc/passwd"), FileName("")}); diff != "" {
		t.Error(diff)
	}
}

func TestTyped(t *testing.T) {
	for text, want := range map[string]string{
		"one\ntwo\r\n\r\nthree\n": "one two three",
		"a\x1b[31mb\x00\u202ec\t": "a[31mbc",
		"\n\n":                    "",
		"größe 🙂":                 "größe 🙂",
		"a\u2028b\u0085c":         "a b c",
	} {
		if got := Typed(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestType(t *testing.T) {
	desk, seen := scripted(t, "wtype", "")
	here := func(context.Context) bool { return true }
	if n, err := desk.Type(t.Context(), "one\n-two\n", here); err != nil || n != 8 {
		t.Fatal(n, err)
	}
	if _, input := seen(); input != "one -two" {
		t.Errorf("typed %q", input)
	}
	if _, err := desk.Type(t.Context(), strings.Repeat("x", maxTyped+1), here); err == nil {
		t.Error("a long text is typed")
	}
	desk.Search.Path = "/nonexistent"
	if _, err := desk.Type(t.Context(), "x", here); err == nil || !strings.Contains(err.Error(), "install wtype") {
		t.Errorf("without a program: %v", err)
	}
}

// TestTypeElsewhere: typing ends when another window comes to the front.
func TestTypeElsewhere(t *testing.T) {
	desk, seen := scripted(t, "wtype", "")
	looked := 0
	first := func(context.Context) bool {
		looked++
		return looked == 1
	}
	text := strings.Repeat("ä", pieceTyped+1)
	if n, err := desk.Type(t.Context(), text, first); n != pieceTyped || !errors.Is(err, ErrElsewhere) {
		t.Errorf("typed %d, %v", n, err)
	}
	if _, input := seen(); input != strings.Repeat("ä", pieceTyped) {
		t.Errorf("typed %q", input)
	}
	if n, err := desk.Type(t.Context(), text, func(context.Context) bool { return false }); n != 0 || !errors.Is(err, ErrElsewhere) {
		t.Errorf("typed %d, %v", n, err)
	}
}

func TestIsTerminal(t *testing.T) {
	for name, want := range map[string]bool{
		"xterm": true, "XTerm": true, "gnome-terminal-server": true, "st": true, "konsole": true, "foot": true, "wezterm-gui": true, "weston-terminal": true, "cosmic-term": true,
		"mousepad": false, "steam": false, "footnote": false, "chromium": false, "": false,
	} {
		if got := IsTerminal(name); got != want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
