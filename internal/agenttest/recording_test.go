//go:build agents && linux

package agenttest_test

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/agenttest"
	"github.com/pertain-dev/pertain/internal/modeltest"
)

const columns, lines = 92, 26

// TestRecordings drives Claude Code on a pseudo-terminal against a scripted model, and writes what is seen as animated pictures for
// the README: a call that a hook denies, and an answer that the gateway breaks off. It does so only when UPDATE_RECORDING is set:
// `.ci/agents recordings`.
func TestRecordings(t *testing.T) {
	if os.Getenv("UPDATE_RECORDING") == "" {
		t.Skip("UPDATE_RECORDING is not set")
	}
	found := agents(t)
	at := slices.IndexFunc(found, func(a agenttest.Agent) bool { return a.Name == "claude" })
	if at < 0 {
		t.Fatal("Claude Code is not installed")
	}
	t.Run("hook", func(t *testing.T) { recordHook(t, found[at]) })
	t.Run("gateway", func(t *testing.T) { recordGateway(t, found[at]) })
}

// The file that the model is asked for, as it must not be and as it may be.
const (
	unwrapped = "pub fn port(text: &str) -> u16 {\n    text.trim().parse().unwrap()\n}\n"
	handled   = "use std::num::ParseIntError;\n\npub fn port(text: &str) -> Result<u16, ParseIntError> {\n    text.trim().parse()\n}\n"
	request   = "Write src/port.rs: a function that parses a port"
)

var recordedRule = map[string]string{
	".omp/rules/no-unwrap.md": "---\nttsr_trigger: \"\\\\.unwrap\\\\(\\\\)\"\n---\nNo unwrap in this code base: handle the error.\n",
	"Cargo.toml":              "[package]\nname = \"listen\"\nversion = \"0.1.0\"\n",
}

func recordHook(t *testing.T, agent agenttest.Agent) {
	w := newWorld(t, agent, builtProgram(t), recordedRule)
	rule := recordedRule[".omp/rules/no-unwrap.md"]
	frames := []string{printed("$ cat .omp/rules/no-unwrap.md", rule, "$ pertain setup claude --hooks", w.pertain("setup", "claude", "--hooks"), "$ claude")}
	file := filepath.Join(w.dir, "src", "port.rs")
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		switch {
		case len(r.Tools) == 0:
			return modeltest.Answer{Text: "port"}
		case r.Ran == 0:
			return modeltest.Answer{Text: "I'll write the function.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, unwrapped)}}
		case r.Ran == 1:
			return modeltest.Answer{Text: "The rule no-unwrap forbids that here. I return the error instead.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, handled)}, Pause: 20 * time.Millisecond}
		}
		return modeltest.Answer{Text: "Done: port() returns a Result, and the caller handles the error."}
	})
	defer model.Close()
	p := w.claude(model.URL, "claude")
	take := func(texts ...string) {
		p.see(texts...)
		frames = append(frames, p.frame())
	}
	p.ready()
	p.keys(request)
	take(request)
	p.keys("\r")
	take("This call was not made")
	take("I return the error instead")
	take("Done: port() returns a Result", "!esc to interrupt")
	p.end()
	frames = append(frames, printed("$ pertain journal", w.pertain("journal")))
	if text, _ := os.ReadFile(file); string(text) != handled {
		t.Fatalf("the file holds %q", text)
	}
	animate(t, "../../docs/hook.svg", "Claude Code tries to break a rule, is denied by a hook, and mends it", frames)
}

func recordGateway(t *testing.T, agent agenttest.Agent) {
	w := newWorld(t, agent, builtProgram(t), recordedRule)
	file := filepath.Join(w.dir, "src", "port.rs")
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		switch {
		case len(r.Tools) == 0:
			return modeltest.Answer{Text: "port"}
		case r.Ran > 0:
			return modeltest.Answer{Text: "Done: port() returns a Result, and the caller handles the error."}
		case told(r) == 0:
			return modeltest.Answer{Text: "I'll write the function.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, unwrapped)}, Pause: 30 * time.Millisecond}
		}
		return modeltest.Answer{Text: "No unwrap in this code base, so I return the error.", Calls: []modeltest.Call{agenttest.WriteFile(r, file, handled)}, Pause: 30 * time.Millisecond}
	})
	defer model.Close()
	p := w.claude(model.URL, filepath.Join(w.bin, "pertain"), "with", "claude")
	var frames []string
	take := func(texts ...string) {
		p.see(texts...)
		frames = append(frames, p.frame())
	}
	frames = append(frames, printed("$ cat .omp/rules/no-unwrap.md", recordedRule[".omp/rules/no-unwrap.md"], "$ pertain with claude"))
	p.ready()
	p.keys(request)
	take(request)
	p.keys("\r")
	take("I'll write the function.")
	take("so I return the error")
	take("Done: port() returns a Result", "!esc to interrupt")
	if strings.Contains(p.text(), "unwrap()") {
		t.Error("the violation is on the screen")
	}
	p.end()
	frames = append(frames, printed("$ pertain journal", w.pertain("journal")))
	if text, _ := os.ReadFile(file); string(text) != handled {
		t.Fatalf("the file holds %q", text)
	}
	animate(t, "../../docs/with.svg", "pertain with claude: an answer is broken off before it breaks a rule, and goes on", frames)
}

// session is a program on a pseudo-terminal.
type session struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	mu     sync.Mutex
	screen *screen
}

// claude starts Claude Code as a user does who has been here before.
func (w *world) claude(url string, command ...string) *session {
	w.t.Helper()
	const key = "sk-ant-scripted-0123456789abcdefghij"
	settings := fmt.Sprintf(`{"hasCompletedOnboarding":true,"theme":"dark","autoUpdates":false,"numStartups":5,"customApiKeyResponses":{"approved":[%q],"rejected":[]},"projects":{%q:{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true}}}`, key[len(key)-20:], w.dir)
	if err := os.WriteFile(filepath.Join(w.home, ".claude.json"), []byte(settings), 0o600); err != nil {
		w.t.Fatal(err)
	}
	master, slave := openTerminal(w.t)
	s := &session{t: w.t, master: master, screen: newScreen(columns, lines)}
	program := command[0]
	if program == "claude" {
		program = w.agent.Program
	}
	s.cmd = exec.CommandContext(w.t.Context(), program, append(command[1:], "--permission-mode", "acceptEdits", "--model", "sonnet")...)
	s.cmd.Dir = w.dir
	s.cmd.Env = append([]string{
		"HOME=" + w.home, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=" + key,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "IS_SANDBOX=1", "CLAUDE_CODE_DISABLE_TERMINAL_TITLE=1",
	}, w.env...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = slave, slave, slave
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	_ = slave.Close()
	go s.follow()
	w.t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		_ = master.Close()
	})
	return s
}

// follow draws what the program writes, and answers what it asks.
func (s *session) follow() {
	buffer := make([]byte, 16<<10)
	for {
		n, err := s.master.Read(buffer)
		s.mu.Lock()
		_, _ = s.screen.Write(buffer[:n])
		answers := s.screen.answers
		s.screen.answers = nil
		s.mu.Unlock()
		if len(answers) > 0 {
			_, _ = s.master.Write(answers)
		}
		if err != nil {
			return
		}
	}
}

func (s *session) keys(text string) {
	s.t.Helper()
	if _, err := s.master.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.String()
}

func (s *session) frame() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.screen.frame(), s.cmd.Dir, "~/listen")
}

// see waits until all of some texts are on the screen, and none of those that begin with `!`.
func (s *session) see(texts ...string) {
	s.t.Helper()
	deadline := time.Now().Add(60 * time.Second)
	for ; ; time.Sleep(10 * time.Millisecond) {
		now := strings.Join(strings.Fields(s.text()), " ")
		missing := slices.ContainsFunc(texts, func(text string) bool {
			wanted, not := strings.CutPrefix(text, "!")
			return strings.Contains(now, wanted) == not
		})
		if !missing {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%q is not on the screen:\n%s", texts, s.text())
		}
	}
}

// ready waits until something can be typed.
func (s *session) ready() {
	s.t.Helper()
	s.see("accept edits on", "▝▝ ▝▝") // its picture moves at first
}

// end leaves the program.
func (s *session) end() {
	s.keys("\x03")
	time.Sleep(200 * time.Millisecond) // it asks for the key again, and shows nothing that can be waited for on every screen
	s.keys("\x03")
}

// openTerminal makes a pseudo-terminal.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: lines, Col: columns})
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// printed is a frame of commands, which begin with a dollar sign, and what they print.
func printed(texts ...string) string {
	var b strings.Builder
	y := 18
	for _, text := range texts {
		for line := range strings.Lines(text) {
			line = html.EscapeString(strings.TrimRight(line, "\n"))
			if strings.HasPrefix(line, "$ ") {
				line = `<tspan font-weight="bold">` + line + "</tspan>"
			}
			if y <= lines*18 {
				fmt.Fprintf(&b, `<text y="%d">%s</text>`+"\n", y, line)
			}
			y += 18
		}
		y += 9
	}
	return b.String()
}

// animate writes a picture that shows one frame after the other.
func animate(t *testing.T, path, label string, frames []string) {
	t.Helper()
	const seconds = 3.0
	width, height := columns*8+32, lines*18+28
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="%s">
<style>
text { font: 13.3px/18px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre }
g.frame { visibility: hidden; animation: show %.1fs infinite }
@keyframes show { 0%% { visibility: visible } %.3f%% { visibility: hidden } 100%% { visibility: hidden } }
</style>
<rect width="100%%" height="100%%" rx="8" fill="#20242c"/>
`, width, height, width, height, html.EscapeString(label), seconds*float64(len(frames)), 100/float64(len(frames)))
	for i, frame := range frames {
		fmt.Fprintf(&b, "<g class=\"frame\" style=\"animation-delay: %.1fs\" transform=\"translate(16 8)\">\n%s</g>\n", seconds*float64(i), frame)
	}
	b.WriteString("</svg>\n")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
