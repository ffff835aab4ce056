//go:build desktop && linux

package collect_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// menuStrategies are two strategies that always hold: the first with an odd name, the
// second with a place for input.
func (s *session) menuStrategies() []string {
	s.t.Helper()
	dir := filepath.Join(s.home, "menu-strategies")
	write(s.t, filepath.Join(dir, "one.strategy.md"), "---\nname: \"-First: & <b>one</b> 100%\"\nicon: FileText\npriority: 9\n---\nFirst\n")
	write(s.t, filepath.Join(dir, "two.strategy.md"), "---\nname: Second\ndescription: \"with: a colon\"\nicon: Bug\npriority: 8\n---\nSecond, {Argument}.\n")
	s.readable(dir)
	return []string{"--strategies", dir, "--no-builtin", "--then", "print"}
}

// readable lets the session's user read a folder that another has made.
func (s *session) readable(dir string) {
	s.t.Helper()
	if err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, map[bool]os.FileMode{true: 0o755, false: 0o644}[entry.IsDir()])
	}); err != nil {
		s.t.Fatal(err)
	}
}

// picked is what is done in a menu, and what must come of it. keys are wtype's: first what
// is done in the list, then in the question for input.
type picked struct {
	name    string
	keys    [][]string
	printed string
	code    int
}

var pickedAll = []picked{
	{"the first", [][]string{{"-k", "Return"}}, "First\n", 0},
	{"left", [][]string{{"-k", "Escape"}}, "", 130},
	{"the second, with input", [][]string{{"-k", "Down", "-k", "Return"}, {"to German", "-k", "Return"}}, "Second, to German.\n", 0},
	{"the second, with nothing", [][]string{{"-k", "Down", "-k", "Return"}, {"-k", "Return"}}, "Second, .\n", 0},
	{"the second, left", [][]string{{"-k", "Down", "-k", "Return"}, {"-k", "Escape"}}, "", 130},
}

// TestDesktopMenusWayland: what is chosen in the menus of Wayland's compositors.
func TestDesktopMenusWayland(t *testing.T) {
	s := newWaylandSession(t)
	args := s.menuStrategies()
	for _, menu := range []string{"wofi", "fuzzel", "tofi", "bemenu"} {
		t.Run(menu, func(t *testing.T) {
			if _, err := exec.LookPath(menu); err != nil {
				t.Skipf("%s is not installed", menu)
			}
			own := *s
			own.t = t
			for _, p := range pickedAll {
				own.picksOnWayland(menu, p, args)
			}
		})
	}
}

// picksOnWayland picks with a menu. Nobody tells when it has the keyboard, so it is tried
// again with more time. The keyboard stays plugged in: without one nothing has the focus,
// and some menus take it badly when theirs goes away.
func (s *session) picksOnWayland(menu string, p picked, args []string) {
	s.t.Helper()
	pause, last := 300*time.Millisecond, ""
	defer func() {
		if s.t.Failed() {
			s.t.Log(last)
		}
	}()
	s.until(menu+": "+p.name, func() bool {
		keys := []string{"-k", "Shift_L"}
		for _, some := range p.keys {
			keys = append(append(keys, "-s", fmt.Sprint(pause.Milliseconds())), some...)
		}
		defer s.start("wtype", append(keys, "-s", "600000")...).end()
		out := filepath.Join(tempDir(s.t), "out")
		file, err := os.Create(out)
		if err != nil {
			s.t.Fatal(err)
		}
		defer file.Close()
		cmd := s.command(s.program, append([]string{"pick", "--menu", menu}, args...)...)
		cmd.Stdout = file
		a := s.run(cmd)
		defer a.end()
		select {
		case <-a.done:
		case <-time.After(pause*time.Duration(len(p.keys)) + 3*time.Second):
			pause += pause / 2
			return false
		}
		text, err := os.ReadFile(out)
		if err != nil {
			s.t.Fatal(err)
		}
		last = fmt.Sprintf("exit %d, printed %q, said %s", cmd.ProcessState.ExitCode(), text, a.output())
		if string(text) == p.printed && cmd.ProcessState.ExitCode() == p.code {
			return true
		}
		pause += pause / 2
		return false
	})
}

// TestDesktopMenusX11: the same in kdialog, which is shown here by X, and in fzf, in a
// terminal.
func TestDesktopMenusX11(t *testing.T) {
	s := newSession(t)
	args := s.menuStrategies()
	keys := func(wtype []string) {
		for i := 0; i < len(wtype); i++ {
			if wtype[i] == "-k" {
				i++
				s.keys(wtype[i])
				continue
			}
			s.output("xdotool", "type", wtype[i])
		}
	}
	for _, menu := range []string{"kdialog", "fzf"} {
		t.Run(menu, func(t *testing.T) {
			if _, err := exec.LookPath(menu); err != nil {
				t.Skipf("%s is not installed", menu)
			}
			for _, p := range pickedAll {
				own := *s
				own.t = t
				own.until(menu+": "+p.name, func() bool { // a key may come before the menu takes any
					wrong := own.picksOnX11(menu, p, args, keys)
					if wrong != "" {
						t.Log(wrong)
					}
					return wrong == ""
				})
			}
		})
	}
}

// picksOnX11 picks with a menu, and says what was not as it must be. fzf has no window of
// its own, but a terminal.
func (s *session) picksOnX11(menu string, p picked, args []string, keys func([]string)) string {
	s.t.Helper()
	dir := tempDir(s.t)
	out, ended, said := filepath.Join(dir, "out"), filepath.Join(dir, "ended"), filepath.Join(dir, "said")
	words := append([]string{s.program, "pick", "--menu", menu}, args...)
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			s.t.Fatal(err)
		}
		return string(text)
	}
	var show []string
	if menu == "fzf" {
		show = []string{"xterm", "-title", "picking", "-e"}
	}
	shell := append(show, "sh", "-c", `"$@" >"$OUT" 2>"$SAID"; echo $? >"$ENDED"`, "sh")
	if menu == "fzf" { // it draws on standard error
		shell = append(show, "sh", "-c", `"$@" >"$OUT"; echo $? >"$ENDED"`, "sh")
	}
	a := s.start("env", append(append([]string{"OUT=" + out, "SAID=" + said, "ENDED=" + ended}, shell...), words...)...)
	defer a.end()
	before := ""
	for i, some := range p.keys {
		// Each step is another process of the menu.
		s.until(fmt.Sprintf("%s: %s, step %d", menu, p.name, i+1), func() bool {
			now := strings.TrimSpace(s.output("pgrep", "-n", "-x", menu))
			if read(ended) != "" {
				return true
			}
			window := menu == "fzf" && s.front() == "picking" || menu != "fzf" && strings.TrimSpace(s.output("xdotool", "getactivewindow", "getwindowpid")) == now
			if now == "" || now == before || !window {
				return false
			}
			before = now
			return true
		})
		s.until(fmt.Sprintf("%s: %s, after step %d", menu, p.name, i+1), func() bool {
			keys(some)
			for range 40 {
				if now := strings.TrimSpace(s.output("pgrep", "-n", "-x", menu)); now != before || read(ended) != "" {
					return true
				}
				time.Sleep(50 * time.Millisecond)
			}
			some = some[len(some)-2:] // the text is there
			return false
		})
	}
	s.until(menu+": the end of pick", func() bool { return read(ended) != "" })
	if got, code := read(out), strings.TrimSpace(read(ended)); got != p.printed || code != fmt.Sprint(p.code) {
		return fmt.Sprintf("exit %s, printed %q, said %s%s", code, got, read(said), a.output())
	}
	return ""
}
