//go:build desktop && linux

package collect_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestDesktopServiceWayland: under a Wayland compositor, too, commands ask the service, get
// what they would see themselves, and see for themselves where it is away or hangs.
func TestDesktopServiceWayland(t *testing.T) {
	s := newWaylandSession(t)
	sockets, _ := filepath.Glob(filepath.Join(s.lookup("XDG_RUNTIME_DIR"), "sway-ipc.*.sock"))
	if len(sockets) != 1 {
		t.Fatalf("sway listens at %v", sockets)
	}
	s.env = append(s.env, "SWAYSOCK="+sockets[0])
	s.until("the accessibility bus", func() bool {
		return strings.Contains(s.send("--session", "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress"), "unix:")
	})
	notes := filepath.Join(s.home, "notes.txt")
	write(t, notes, "first line\nTODO: second line\n")
	if s.credential != nil {
		if err := os.Chown(notes, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	strategies := s.selectionStrategy()
	s.config("options: {extraTimeout: 2s}\n")
	s.readable(strategies)
	s.readable(filepath.Join(s.home, ".config"))
	// A menu that takes the first of its list: what menus do is tested elsewhere.
	menus := filepath.Join(s.home, "menus")
	write(t, filepath.Join(menus, "wofi"), "#!/bin/sh\nhead -n 1\n")
	for _, path := range []string{menus, filepath.Join(menus, "wofi")} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path := s.lookup("PATH")
	s.env = append(slices.DeleteFunc(s.env, func(entry string) bool { return strings.HasPrefix(entry, "PATH=") }), "PATH="+menus+":"+path)
	defer s.start("wtype", "-k", "Shift_L", "-s", "600000").end() // without a keyboard no window has the focus
	service := s.startService()
	defer s.openEditor(notes).end()

	arguments := []string{"--strategies", strategies, "--no-builtin"}
	selected := func(what string) {
		t.Helper()
		s.until("the selected text, "+what, func() bool {
			s.mark(s.look("visual").text("attachments", "visual", "primary"), 0, 16)
			return strings.Contains(s.pertain(append([]string{"match", "--json"}, arguments...)...), `"name": "A"`)
		})
	}
	pick := func(what string) {
		t.Helper()
		s.until("the prompt, "+what, func() bool {
			s.mark(s.look("visual").text("attachments", "visual", "primary"), 0, 16)
			return s.pertain(append([]string{"pick", "--menu", "wofi", "--then", "print"}, arguments...)...) == "About: first line\nTODO:\n"
		})
	}
	before := s.answered()
	selected("by the service")
	pick("by the service")
	if s.answered() < before+2 {
		t.Error("the service was not asked")
	}
	alone := *s
	alone.env = append(slices.Clone(s.env), "XDG_RUNTIME_DIR=") // also where the compositor's socket is
	alone.env = append(alone.env, "WAYLAND_DISPLAY="+filepath.Join(s.lookup("XDG_RUNTIME_DIR"), s.lookup("WAYLAND_DISPLAY")))
	for _, args := range [][]string{{"match", "--json"}, {"context", "--json", "--show-values"}, {"query", "//TopLevel/@name", "--show-values", "--json"}} {
		with, without := "", ""
		s.until(strings.Join(args, " ")+", the same both ways", func() bool { // a busy machine may cut one of them short
			with, without = took.ReplaceAllString(s.pertain(args...), ""), took.ReplaceAllString(alone.pertain(args...), "")
			if with != without {
				t.Logf("with the service:\n%s\nwithout:\n%s", with, without)
			}
			return with == without
		})
	}
	service.signal(syscall.SIGSTOP)
	selected("while the service hangs")
	pick("while the service hangs")
	service.end()
	if s.command(s.program, "service", "status").Run() == nil {
		t.Error("the service is said to run")
	}
	selected("without the service")
	pick("without the service")
}
