//go:build desktop && linux

package collect_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDesktopTypeElsewhere: what is typed goes into the window that the pick is about, and
// into no other: not of the same program, and not into a terminal that is in front of it.
func TestDesktopTypeElsewhere(t *testing.T) {
	t.Parallel()
	need(t, "rofi")
	need(t, "xterm")
	s := newSession(t)
	notes := filepath.Join(s.home, "notes.txt")
	write(t, notes, "TODO: type below\n")
	defer s.openEditor(notes).end()
	first := fmt.Sprint(s.input.front())
	more := seldom(func() { s.keys("ctrl+shift+n") })
	second := ""
	s.until("another window of the editor", func() bool {
		more()
		second = fmt.Sprint(s.input.front())
		return second != first && slices.Contains(strings.Fields(s.visible("mousepad")), second)
	})
	raise := func(id string) {
		t.Helper()
		s.until("the window in front", func() bool {
			s.output("xdotool", "windowactivate", id)
			return fmt.Sprint(s.input.front()) == id
		})
	}
	refused := func(what, over string, args ...string) {
		t.Helper()
		p := s.picks("rofi", "rofi", append([]string{"--no-builtin", "--strategies", s.always(), "--then", "type"}, args...)...)
		raise(over) // the menu keeps the keyboard
		if printed, code := s.presses(p, "Return"); code != 1 || printed != "" || !strings.Contains(p.output(), "another window is in front") {
			t.Errorf("%s: exit %d, printed %q, said %s", what, code, printed, p.output())
		}
	}
	raise(first)
	refused("another window of the program", second)

	defer s.start("xterm", "-title", "shell").end()
	s.until("the terminal", func() bool { return s.front() == "shell" })
	terminal := fmt.Sprint(s.input.front())
	refused("a terminal over the window that is named", terminal, "--context-from", first)

	raise(first)
	p := s.picks("rofi", "rofi", "--no-builtin", "--strategies", s.always(), "--then", "type", "--context-from", first)
	if printed, code := s.presses(p, "Return"); code != 0 || printed != "" {
		t.Errorf("the window that is named is in front: exit %d, printed %q, said %s", code, printed, p.output())
	}
	s.until("what was typed", func() bool {
		s.keys("ctrl+a")
		text, _ := s.selectionNow()
		return strings.Contains(text, "rm -rf everything") && strings.Contains(text, "TODO: type below")
	})
}

// TestDesktopTypeWayland: the window is told apart under a compositor too, by the
// accessibility bus and, where that does not know it, by the compositor.
func TestDesktopTypeWayland(t *testing.T) {
	if _, err := exec.LookPath("wofi"); err != nil {
		t.Skip("wofi is not installed")
	}
	t.Parallel()
	s := newWaylandSession(t)
	dir := s.always()
	s.readable(dir)
	notes := filepath.Join(s.home, "notes.txt")
	write(t, notes, "TODO: type here\n")
	s.readable(s.home)
	defer s.start("wtype", "-s", "600000").end() // without a keyboard no window has the focus
	defer s.openEditor(notes).end()
	sockets, _ := filepath.Glob(filepath.Join(s.lookup("XDG_RUNTIME_DIR"), "sway-ipc.*.sock"))
	if len(sockets) != 1 {
		t.Fatalf("sway listens at %v", sockets)
	}
	typed := []string{"--strategies", dir, "--no-builtin", "--then", "type"}
	enter := [][]string{{"-k", "Return"}}
	s.picksOnWayland("wofi", picked{"into the editor", enter, "", 0}, typed)
	s.env = append(s.env, "SWAYSOCK="+sockets[0])
	s.picksOnWayland("wofi", picked{"into the editor, as sway tells it", enter, "", 0}, typed)
	defer s.start("weston-terminal").end()
	s.until("the terminal", func() bool { return s.look("activeProcess").text("activeProcess", "name") == "weston-terminal" })
	s.picksOnWayland("wofi", picked{"not into a terminal", enter, "", 1}, typed)
}
