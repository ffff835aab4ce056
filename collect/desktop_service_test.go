//go:build desktop && linux

package collect_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// TestDesktopService acts as a user whose commands ask the service: what other tests
// hold of the program holds through it, and it does what it is for.
func TestDesktopService(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	project := filepath.Join(s.home, "My Projects")
	for name, text := range map[string]string{"a.txt": "hello\n", "b.pdf": "%PDF\n", "c d.md": "# x\n", "sub/x": ""} {
		write(t, filepath.Join(project, name), text)
	}
	notes := filepath.Join(s.home, "notes.txt")
	write(t, notes, "first line\nTODO: second line\n")
	write(t, s.settings(), settingsFile)
	service := s.startService()
	for _, part := range []struct {
		name string
		run  func(s *session, project, notes string)
	}{
		{"same answers", sameAnswers},
		{"editor", editor},
		{"attachments", attachments},
		{"private window", privateWindow},
		{"privacy", privacy},
		{"other window", otherWindow},
		{"terminal selection", terminalSelection},
		{"clipboard", clipboards},
		{"thunar", thunar},
		{"incognito", incognito},
		{"password manager", passwordManager},
		{"menus", menus},
		{"before the terminal", beforeTerminal},
		{"private before the terminal", privateBeforeTerminal},
		{"named window", namedWindow},
		{"late settings", lateSettings},
		{"idle", idle(service.cmd.Process.Pid)},
	} {
		t.Run(part.name, func(t *testing.T) {
			own := *s
			own.t, own.part, own.checked = t, part.name, checked{}
			before := own.answered()
			part.run(&own, project, notes)
			if after := own.answered(); after == before {
				t.Error("the service was never asked")
			}
		})
	}
	if out := service.output(); out != "" {
		t.Errorf("it said: %s", out)
	}
}

// startService starts the service and waits until it answers.
func (s *session) startService() *app {
	s.t.Helper()
	a := s.start(s.program, "service", "run")
	s.until("the service", func() bool { return s.command(s.program, "service", "status").Run() == nil })
	return a
}

// answered is how many questions the service has answered.
func (s *session) answered() int {
	s.t.Helper()
	var status struct {
		Answered map[string]int `json:"answered"`
	}
	if err := json.Unmarshal([]byte(s.pertain("service", "status", "--json")), &status); err != nil {
		s.t.Fatal(err)
	}
	n := 0
	for _, one := range status.Answered {
		n += one
	}
	return n
}

// took is what no two answers have in common: how long they took.
var took = regexp.MustCompile(`"durationMs": [0-9.e-]+|[0-9.]+ ms`)

// sameAnswers: with the service and without it commands print the same, byte for byte.
func sameAnswers(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	s.selectAll(notes)
	s.feed("copied text", "xclip", "-selection", "clipboard")
	alone := *s
	alone.env = slices.DeleteFunc(slices.Clone(s.env), func(entry string) bool { return strings.HasPrefix(entry, "XDG_RUNTIME_DIR=") })
	say := func(who *session, args []string) string {
		cmd := who.command(who.program, args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		_ = cmd.Run()
		return took.ReplaceAllString(out.String(), "")
	}
	for _, args := range [][]string{
		{"match"},
		{"match", "--json"},
		{"match", "--all", "--json"},
		{"context"},
		{"context", "--json", "--show-values"},
		{"query", "//TextEdit"},
		{"query", "//TopLevel/@name", "--show-values", "--json"},
		{"pick", "--no-stdin", "--json"},
	} {
		s.until(strings.Join(args, " ")+", the same both ways", func() bool { // a busy machine may cut one of them short
			before := s.answered()
			with, without := say(s, args), say(&alone, args)
			if with != without {
				s.t.Logf("with the service:\n%s\nwithout:\n%s", with, without)
			}
			return with == without && s.answered() > before
		})
	}
}

// pickInTerminal opens a terminal to pick in, as a key may be bound to, chooses the
// first, and gives what was printed.
func (s *session) pickInTerminal(args ...string) (printed string) {
	s.t.Helper()
	dir := tempDir(s.t)
	out, ended := filepath.Join(dir, "out"), filepath.Join(dir, "ended")
	shell := `"$@" >"$OUT"; echo $? >"$ENDED"`
	words := append([]string{"OUT=" + out, "ENDED=" + ended, "xterm", "-title", "picking", "-e", "sh", "-c", shell, "sh", s.program, "pick", "--menu", "terminal"}, args...)
	a := s.start("env", words...)
	defer a.end()
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			return ""
		}
		return string(text)
	}
	s.until("the terminal", func() bool { return s.front() == "picking" || read(ended) != "" })
	s.until("the end of pick", func() bool {
		if read(ended) == "" {
			s.keys("Return")
		}
		return read(ended) != ""
	})
	return read(out)
}

// beforeTerminal: a terminal that is opened to pick takes the window away that the pick
// is about; the service knows it.
func beforeTerminal(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	s.selectAll(notes)
	strategies := s.selectionStrategy()
	s.until("the prompt", func() bool {
		s.selectAll(notes)
		printed := s.pickInTerminal("--strategies", strategies, "--no-builtin")
		if !strings.Contains(printed, "About: first line\nTODO: second line") {
			s.t.Logf("printed %q", printed)
			return false
		}
		return true
	})
}

// selectionStrategy is a folder with a strategy for selected text, and one that always
// holds.
func (s *session) selectionStrategy() string {
	dir := filepath.Join(s.home, "selection-strategy")
	write(s.t, filepath.Join(dir, "a.strategy.md"), "---\nname: A\npriority: 9\nwhen: {attachments.selection.text: {contains: TODO}}\n---\nAbout: {attachments.selection.text}\n")
	write(s.t, filepath.Join(dir, "b.strategy.md"), "---\nname: B\n---\nNothing is selected\n")
	return dir
}

// privateBeforeTerminal: of a private window nothing is told from the terminal either,
// nor of the one that was in front before it.
func privateBeforeTerminal(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	s.selectAll(notes)
	secret := filepath.Join(s.home, "secret plans.txt")
	write(s.t, secret, "TODO: tell nobody\n")
	s.config("private:\n  titles: ['*secret plans*']\n")
	defer s.start("mousepad", "--disable-server", secret).end()
	s.until("the private window", func() bool { return strings.Contains(s.front(), "secret plans") })
	s.keys("ctrl+a")
	for range 3 {
		printed := s.pickInTerminal("--strategies", s.selectionStrategy(), "--no-builtin")
		if printed != "Nothing is selected\n" {
			s.t.Fatalf("printed %q", printed)
		}
		s.until("the private window", func() bool { return strings.Contains(s.front(), "secret plans") })
	}
}

// namedWindow: --context-from names the window, by its number or that of its process,
// and a number of nothing tells nothing.
func namedWindow(s *session, _, notes string) {
	e := s.openEditor(notes)
	defer e.end()
	window := strings.TrimSpace(s.output("xdotool", "getactivewindow"))
	for _, number := range []string{window, s.output("sh", "-c", "printf 0x%x "+window), strings.TrimSpace(s.output("xdotool", "getactivewindow", "getwindowpid"))} {
		s.until("the prompt of "+number, func() bool {
			s.selectAll(notes)
			printed := s.pickInTerminal("--context-from", number, "--strategies", s.selectionStrategy(), "--no-builtin")
			if !strings.Contains(printed, "About: first line\nTODO: second line") {
				s.t.Logf("printed %q", printed)
				return false
			}
			return true
		})
	}
	if printed := s.pickInTerminal("--context-from", "1", "--strategies", s.selectionStrategy(), "--no-builtin"); printed != "Nothing is selected\n" {
		s.t.Errorf("a number of nothing: printed %q", printed)
	}
}

// lateSettings: what is called private while the service runs is private at once.
func lateSettings(s *session, _, notes string) {
	defer s.openEditor(notes).end()
	s.selectAll(notes)
	s.config("private:\n  applications: [mousepad]\n")
	for range 10 {
		if out := s.pertain("context", "--json", "--show-values"); strings.Contains(out, "TODO") {
			s.t.Fatalf("it was told: %s", out)
		}
	}
}

// quietTime is how long nothing may be heard.
const quietTime = 2 * time.Second

// idle: while nothing changes, the service asks no program anything, and has nothing to
// do.
func idle(pid int) func(s *session, _, notes string) {
	return func(s *session, _, notes string) {
		defer s.openEditor(notes).end()
		s.selectAll(notes)
		s.pertain("context")
		heard := s.busMessages(pid)
		s.until("silence on the accessibility bus", func() bool {
			before := s.used()
			for end := time.After(quietTime); ; {
				select {
				case m := <-heard:
					s.t.Logf("it said %v", m)
					return false
				case <-end:
					used := s.used() - before
					s.t.Logf("%v of a processor in %v", used, quietTime)
					return used <= quietTime/100 // telling it takes some of that
				}
			}
		})
	}
}

// busMessages are what a process sends on the accessibility bus from now on.
func (s *session) busMessages(pid int) <-chan *dbus.Message {
	s.t.Helper()
	bus, err := s.accessibilityBus()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = bus.Close() })
	var names []string
	if err := bus.BusObject().Call("org.freedesktop.DBus.ListNames", 0).Store(&names); err != nil {
		s.t.Fatal(err)
	}
	var rules []string
	for _, name := range names {
		var owner uint32
		if strings.HasPrefix(name, ":") && bus.BusObject().Call("org.freedesktop.DBus.GetConnectionUnixProcessID", 0, name).Store(&owner) == nil && int(owner) == pid {
			rules = append(rules, "sender='"+name+"'")
		}
	}
	if len(rules) == 0 {
		s.t.Fatal("the service is not on the accessibility bus")
	}
	heard := make(chan *dbus.Message, 4096)
	if err := bus.BusObject().Call("org.freedesktop.DBus.Monitoring.BecomeMonitor", 0, rules, uint32(0)).Err; err != nil {
		s.t.Fatal(err)
	}
	bus.Eavesdrop(heard) // which takes answers away, too
	return heard
}

// used is what the service says that it has had of the processors.
func (s *session) used() time.Duration {
	s.t.Helper()
	var status struct {
		CPU float64 `json:"cpuSeconds"`
	}
	if err := json.Unmarshal([]byte(s.pertain("service", "status", "--json")), &status); err != nil {
		s.t.Fatal(err)
	}
	return time.Duration(status.CPU * float64(time.Second))
}
