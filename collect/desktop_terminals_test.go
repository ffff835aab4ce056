//go:build desktop && linux

package collect_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// terminalProgram is a terminal with several tabs and windows in one process.
type terminalProgram struct {
	command  []string
	tab      string // opens another tab
	previous string // goes back to the tab before
	window   string // opens another window
	asked    bool   // it tells itself which tab is in front
}

var terminalPrograms = []terminalProgram{
	{[]string{"xfce4-terminal", "--disable-server"}, "ctrl+shift+t", "ctrl+Prior", "ctrl+shift+n", false},
	{[]string{"gnome-terminal", "--wait"}, "ctrl+shift+t", "ctrl+Prior", "ctrl+shift+n", false},
	{[]string{"konsole"}, "ctrl+shift+t", "shift+Left", "ctrl+shift+n", true},
	{[]string{"kitty", "-o", "allow_remote_control=socket-only", "--listen-on", "unix:kitty"}, "ctrl+shift+t", "ctrl+shift+Left", "ctrl+shift+n", true},
}

// terminalTabs: the workspace is that of the tab in front, or unknown.
func terminalTabs(s *session, _, _ string) {
	settings := filepath.Join(s.home, ".bashrc")
	kitty := filepath.Join(s.home, ".config", "kitty", "kitty.conf")
	write(s.t, kitty, "shell_integration disabled\n")
	defer os.Remove(kitty)
	defer os.Remove(settings)
	for _, p := range terminalPrograms {
		s.within(p.command[0], func(s *session) {
			write(s.t, settings, `PS1='\[\e]0;\u@\h: \w\a\]\w\$ '`+"\n")
			p.titled(s)
		})
		s.within(p.command[0]+" silent", func(s *session) {
			write(s.t, settings, "PS1='> '\n")
			p.silent(s)
		})
	}
}

// within runs a part of a part.
func (s *session) within(name string, run func(s *session)) {
	s.t.Run(name, func(t *testing.T) {
		own := *s
		own.t = t
		run(&own)
	})
}

// open starts the terminal in a folder; other tabs begin wherever the program likes.
// What it has started ends with the test.
func (p terminalProgram) open(s *session, folder string) *app {
	s.t.Helper()
	need(s.t, p.command[0])
	args := slices.Clone(p.command)
	for i, a := range args {
		args[i] = strings.Replace(a, "unix:kitty", "unix:"+filepath.Join(tempDir(s.t), "kitty"), 1)
	}
	cmd := s.command(args[0], args[1:]...)
	cmd.Dir = folder
	cmd.Env = append(slices.Clone(s.env), "SHELL=/bin/bash")
	s.t.Cleanup(func() {
		for _, pid := range s.running("gnome-terminal-server") { // the session's bus has started it
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		s.until("no window", func() bool { return s.front() == "" })
	})
	return s.run(cmd)
}

// titled: the shells write their folders into the titles.
func (p terminalProgram) titled(s *session) {
	first, second := s.repositories()
	third := repository(s.t)
	defer p.open(s, first).end()
	s.until("the first tab", func() bool { return s.workspaceRoot() == first })
	s.another(p.tab)
	s.goTo(second)
	s.back(p.previous, first)
	s.another(p.window)
	s.goTo(third)
}

// silent: neither title nor prompt tell anything.
func (p terminalProgram) silent(s *session) {
	first, second := s.repositories()
	defer p.open(s, first).end()
	s.until("the first tab", func() bool { return s.workspaceRoot() == first })
	s.another(p.tab)
	if p.asked {
		s.goTo(second)
		s.back(p.previous, first)
		return
	}
	var v seen
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s", v.raw)
		}
	}()
	s.until("that the tab is unknown", func() bool {
		s.types("cd " + second)
		v = s.look("extra.workspace")
		if root := v.text("extra", "workspace", "root"); root == second {
			s.t.Fatalf("the workspace is said to be %s", root)
		}
		return strings.Contains(v.raw, "several terminals")
	})
}

func (s *session) workspaceRoot() string {
	return s.look("extra.workspace").text("extra", "workspace", "root")
}

// another opens a tab or a window by a key, and waits until what is typed comes to its shell: that is there before its tab is in front. A key that
// is pressed before the program has the keyboard is lost.
func (s *session) another(key string) {
	s.t.Helper()
	before := s.running("bash")
	old := func(pid int) bool { return slices.Contains(before, pid) }
	s.until("another shell by "+key, func() bool {
		s.keys(key)
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if len(s.running("bash")) > len(before) {
				return true
			}
		}
		return false
	})
	typed := filepath.Join(tempDir(s.t), "pid")
	s.until("the other shell in front", func() bool {
		s.types("echo $$ >" + typed)
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			text, _ := os.ReadFile(typed)
			if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
				return !old(pid)
			}
		}
		return false
	})
}

// goTo goes to a folder in the terminal in front, and waits until it is told.
func (s *session) goTo(folder string) {
	s.t.Helper()
	s.until(folder, func() bool {
		s.types("cd " + folder)
		for range 5 {
			if s.workspaceRoot() == folder {
				return true
			}
		}
		return false
	})
}

// back goes back by a key until a tab in a folder is in front.
func (s *session) back(key, folder string) {
	s.t.Helper()
	s.until("the tab in "+folder, func() bool {
		s.keys(key)
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); { // the next key would lead away again
			if s.workspaceRoot() == folder {
				return true
			}
		}
		return false
	})
}
