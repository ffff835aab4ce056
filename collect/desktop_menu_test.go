//go:build desktop && linux

package collect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// picking is a pick with a menu over the window in front.
type picking struct {
	*app
	out   string // file of its standard output
	class string // of the menu's window
}

// picks starts pick with a menu and waits until the menu has the keyboard.
func (s *session) picks(menu, class string, args ...string) picking {
	s.t.Helper()
	p := picking{out: filepath.Join(tempDir(s.t), "out"), class: class}
	file, err := os.Create(p.out)
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := s.command(s.program, append([]string{"pick", "--menu", menu}, args...)...)
	cmd.Stdout = file
	p.app = s.run(cmd)
	file.Close()
	s.until("the menu "+menu, func() bool {
		if class != "zenity" {
			return s.shows(class)
		} // others take the keyboard themselves, this one waits for the window manager
		return slices.Contains(strings.Fields(s.visible(class)), fmt.Sprint(s.input.front()))
	})
	return p
}

// presses sends keys to the menu, and gives what pick printed when it has ended. Keys
// that come too often would go to the window below, so they are sent only while the menu
// is there, and seldom.
func (s *session) presses(p picking, keys ...string) (printed string, code int) {
	s.t.Helper()
	press := seldom(func() { s.keys(keys...) })
	s.until("the end of pick with "+p.class, func() bool {
		if s.shows(p.class) {
			press()
		}
		select {
		case <-p.done:
			return true
		case <-time.After(50 * time.Millisecond):
			return false
		}
	})
	text, err := os.ReadFile(p.out)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text), p.cmd.ProcessState.ExitCode()
}

// shows tells whether a window of a program is on the screen; menus hide from the
// window manager.
func (s *session) shows(class string) bool { return s.visible(class) != "" }

// visible are the numbers of a program's windows on the screen.
func (s *session) visible(class string) string {
	return strings.TrimSpace(s.output("xdotool", "search", "--onlyvisible", "--class", class))
}

// selectAll selects the editor's text and waits until it is told.
func (s *session) selectAll(notes string) {
	s.t.Helper()
	s.until("the selection", func() bool {
		s.keys("ctrl+a")
		text, _ := s.selectionNow()
		return strings.Contains(text, "TODO")
	})
}

// menus: the list is shown over the window in front, by the real programs, and what
// was selected there is in the prompt.
func menus(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	strategies := filepath.Join(s.home, "menu-strategies")
	write(s.t, filepath.Join(strategies, "one.strategy.md"), "---\nname: -First & <b>one</b>\nicon: FileText\npriority: 9\nwhen: {attachments.selection.text: {contains: TODO}}\n---\nFirst: {attachments.selection.text}\n")
	write(s.t, filepath.Join(strategies, "two.strategy.md"), "---\nname: Second\nicon: Bug\npriority: 8\nwhen: {attachments.selection.text: {contains: TODO}}\n---\nSecond, {Argument}: {attachments.selection.text}\n")
	args := []string{"--strategies", strategies, "--no-builtin"}
	for _, menu := range []struct {
		name, class string
		choose      []string
	}{
		{"rofi", "rofi", []string{"Return"}},
		{"dmenu", "dmenu", []string{"Return"}},
		{"zenity", "zenity", []string{"Home", "Return"}},
		{"auto", "rofi", []string{"Return"}},
	} {
		need(s.t, menu.class)
		s.selectAll(notes)
		p := s.picks(menu.name, menu.class, append(args, "--then", "print")...)
		printed, code := s.presses(p, menu.choose...)
		if code != 0 || !strings.HasPrefix(printed, "First: first line\nTODO") {
			s.t.Errorf("%s: exit %d, printed %q, said %s", menu.name, code, printed, p.log)
		}
		s.selectAll(notes)
		p = s.picks(menu.name, menu.class, args...)
		if printed, code = s.presses(p, "Escape"); code != 130 || printed != "" {
			s.t.Errorf("%s: leaving is exit %d, printed %q, said %s", menu.name, code, printed, p.log)
		}
	}
	menuInput(s, notes, args)
	menuCopy(s, notes, args)
	menuType(s, notes, args)
}

// menuInput: a prompt with a place for input asks for it.
func menuInput(s *session, notes string, args []string) {
	s.selectAll(notes)
	p := s.picks("rofi", "rofi", append(args, "--then", "print")...)
	list := s.running("rofi") // its window may have the number of the next one's
	s.output("xdotool", "type", "Second")
	s.keys("Return")
	s.until("the question", func() bool {
		return !slices.Equal(s.running("rofi"), list) && s.shows("rofi")
	})
	s.output("xdotool", "type", "to German")
	printed, code := s.presses(p, "Return")
	if code != 0 || !strings.HasPrefix(printed, "Second, to German: ") || !strings.Contains(printed, "TODO") {
		s.t.Errorf("exit %d, printed %q, said %s", code, printed, p.log)
	}
}

// menuCopy: the prompt is on the clipboard, and a message says so without a word
// of it.
func menuCopy(s *session, notes string, args []string) {
	told := s.notifications()
	s.selectAll(notes)
	p := s.picks("rofi", "rofi", args...)
	if printed, code := s.presses(p, "Return"); code != 0 || printed != "" {
		s.t.Fatalf("exit %d, printed %q, said %s", code, printed, p.log)
	}
	s.until("the clipboard", func() bool {
		return strings.HasPrefix(s.output("xclip", "-selection", "clipboard", "-o"), "First: first line")
	})
	s.until("the message", func() bool {
		select {
		case body := <-told:
			if strings.Contains(body, "TODO") || !strings.Contains(body, "clipboard") {
				s.t.Errorf("the message is %q", body)
			}
			return true
		default:
			return false
		}
	})
}

// menuType: the prompt is typed into the window that was in front, without a line
// end, and never into a terminal.
func menuType(s *session, notes string, args []string) {
	s.selectAll(notes)
	p := s.picks("rofi", "rofi", append(args, "--then", "type")...)
	if printed, code := s.presses(p, "Return"); code != 0 || printed != "" {
		s.t.Fatalf("exit %d, printed %q, said %s", code, printed, p.log)
	}
	s.until("what was typed", func() bool {
		s.keys("ctrl+a")
		text, _ := s.selectionNow()
		return text == "First: first line TODO: second line"
	})
	s.keys("ctrl+z", "ctrl+z", "ctrl+z")
	defer s.start("xterm", "-title", "shell").end()
	s.until("the terminal", func() bool { return s.front() == "shell" })
	p = s.picks("rofi", "rofi", "--no-builtin", "--strategies", s.always(), "--then", "type")
	if _, code := s.presses(p, "Return"); code != 1 || !strings.Contains(p.log.String(), "terminal") {
		s.t.Errorf("into a terminal: exit %d, said %s", code, p.log)
	}
}

// always is a folder with a strategy that always holds.
func (s *session) always() string {
	dir := filepath.Join(s.home, "always")
	write(s.t, filepath.Join(dir, "a.strategy.md"), "---\nname: Always\n---\nrm -rf everything\n")
	return dir
}

// notifications stands in for the desktop's message service, which needs a screen of
// its own, and passes on the bodies.
func (s *session) notifications() <-chan string {
	s.t.Helper()
	bus, err := dbus.Connect(s.bus)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = bus.Close() })
	n := notifier(make(chan string, 8))
	if err := bus.Export(n, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		s.t.Fatal(err)
	}
	// Where a real one is installed, the bus has started it for an earlier message.
	s.until("the name of the message service", func() bool {
		reply, err := bus.RequestName(notificationsName, dbus.NameFlagDoNotQueue)
		if err != nil {
			s.t.Fatal(err)
		}
		if reply == dbus.RequestNameReplyPrimaryOwner {
			return true
		}
		var pid uint32
		if bus.BusObject().Call("org.freedesktop.DBus.GetConnectionUnixProcessID", 0, notificationsName).Store(&pid) == nil {
			_ = syscall.Kill(int(pid), syscall.SIGTERM)
		}
		return false
	})
	return n
}

const notificationsName = "org.freedesktop.Notifications"

type notifier chan string

func (n notifier) Notify(_ string, _ uint32, _, _, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	n <- body
	return 1, nil
}

// TestDesktopHotkey binds a key in i3's own file and presses it over an editor: the
// menu opens, and the prompt of what is selected there is on the clipboard.
func TestDesktopHotkey(t *testing.T) {
	t.Parallel()
	need(t, "i3")
	need(t, "rofi")
	s := newSessionWith(t, func(s *session) []string {
		config := filepath.Join(s.home, ".config/i3/config")
		write(s.t, config, i3Config)
		s.env = append(s.env, "XDG_CURRENT_DESKTOP=i3")
		s.pertain("hotkey", "install", "--key", "Super+F5")
		if out := s.output("i3", "-C", "-c", config); strings.Contains(out, "ERROR") {
			s.t.Fatalf("i3 does not take its file: %s", out)
		}
		return []string{"i3", "-c", config}
	})
	notes := filepath.Join(s.home, "notes.txt")
	write(t, notes, "TODO: press a key over this text, and see what can be done with it\n")
	defer s.openEditor(notes).end()
	s.selectAll(notes)
	s.until("the menu", func() bool {
		if !s.shows("rofi") {
			s.keys("super+F5")
		}
		return s.shows("rofi")
	})
	s.until("the prompt", func() bool {
		if s.shows("rofi") {
			s.keys("Return")
		}
		return strings.Contains(s.output("xclip", "-selection", "clipboard", "-o"), "TODO: press a key")
	})
	s.pertain("hotkey", "remove")
	if text, err := os.ReadFile(filepath.Join(s.home, ".config/i3/config")); err != nil || string(text) != i3Config {
		t.Errorf("left: %q, %v", text, err)
	}
}

// hotkeys: Xfce's own program binds and frees the key.
func hotkeys(s *session, _, _ string) {
	need(s.t, "xfconf-query")
	s.env = append(s.env, "XDG_CURRENT_DESKTOP=XFCE")
	list := func() string { return s.output("xfconf-query", "-c", "xfce4-keyboard-shortcuts", "-l", "-v") }
	// Before the first login nothing is bound: Xfce would take it out.
	if out, err := s.command(s.program, "hotkey", "install").CombinedOutput(); err == nil || !strings.Contains(string(out), "log in to it once") {
		s.t.Errorf("%v: %s", err, out)
	}
	s.output("xfconf-query", "-c", "xfce4-keyboard-shortcuts", "-p", "/commands/custom/override", "-n", "-t", "bool", "-s", "true")
	s.pertain("hotkey", "install")
	s.pertain("hotkey", "install", "--key", "Ctrl+Alt+P")
	if got := list(); strings.Count(got, "pick --menu auto") != 1 || !strings.Contains(got, "<Primary><Alt>p") {
		s.t.Errorf("bound: %s", got)
	}
	s.pertain("hotkey", "remove")
	if got := list(); strings.Contains(got, "pick --menu auto") {
		s.t.Errorf("left: %s", got)
	}
}

// i3Config is the user's file before a key is bound; i3 knows its version by the
// first line.
const i3Config = "# i3 config file (v4)\nfont pango:monospace 8\n"
