//go:build desktop && linux

package collect_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// session is a desktop of its own: an X server without a screen, a window
// manager, the session bus and the accessibility bus, with a home of its own.
type session struct {
	t       *testing.T
	home    string
	display string
	bus     string
	program string // pertain
	env     []string
	part    string  // of the test
	checked checked // shared by all parts
	input   *input  // shared by all parts; nil without X

	credential *syscall.Credential // whose programs run here; nil: our own
}

// patience is how long anything may take to show up, and looks how often it is looked for
// at least: with twenty programs for each processor, slow ones need more than half a
// minute to start, and a look takes a second and may be cut short.
const (
	patience = time.Minute
	looks    = 200
)

// newSession starts a desktop. Where the programs are missing, the test is
// skipped; .ci/desktop installs them and sets PERTAIN_DESKTOP, with which a
// missing program is a failure.
func newSession(t *testing.T) *session {
	t.Helper()
	return newSessionWith(t, func(*session) []string { return []string{"openbox"} })
}

// newSessionWith starts a desktop with a window manager, by its command.
func newSessionWith(t *testing.T, manager func(s *session) []string) *session {
	t.Helper()
	return newSessionOn(t, "1280x800x24", manager)
}

// newSessionOn starts a desktop with a screen of this size.
func newSessionOn(t *testing.T, screen string, manager func(s *session) []string) *session {
	t.Helper()
	for _, name := range []string{"Xvfb", "openbox", "dbus-daemon", "xdotool", "xclip", "mousepad"} {
		need(t, name)
	}
	s := &session{t: t, home: filepath.Join(tempDir(t), "home")}
	runtime := filepath.Join(tempDir(t), "run")
	for _, dir := range []string{s.home, runtime} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.env = []string{
		"HOME=" + s.home, "XDG_RUNTIME_DIR=" + runtime, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"GIO_USE_VFS=local", "GSETTINGS_BACKEND=memory", "GSK_RENDERER=cairo", "NO_AT_BRIDGE=0", "TMPDIR=" + runtime,
	}
	write(t, s.settings(), timeEnough)
	s.program = filepath.Join(tempDir(t), "pertain")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", s.program, "../cmd/pertain").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	s.display = ":" + s.startAndRead("Xvfb", []string{"-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp"})
	s.env = append(s.env, "DISPLAY="+s.display)
	s.input = newInput(t, s.display)
	s.bus = s.startAndRead("dbus-daemon", []string{"--session", "--nofork", "--nopidfile", "--print-address=3"})
	s.env = append(s.env, "DBUS_SESSION_BUS_ADDRESS="+s.bus)
	command := manager(s)
	s.start(command[0], command[1:]...)
	s.until("the window manager", func() bool { return strings.Contains(s.output("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), "0x") })
	s.accessible()
	return s
}

// settings is the file of the user's settings.
func (s *session) settings() string {
	return filepath.Join(s.home, ".config", "pertain", "config.yaml")
}

// need skips the test where a program is not installed.
func need(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("PERTAIN_DESKTOP") != "" {
			t.Fatalf("%s is not installed", name)
		}
		t.Skipf("%s is not installed; .ci/desktop installs what these tests need", name)
	}
}

// startAndRead starts a program that writes a line to its third file when it is
// ready.
func (s *session) startAndRead(name string, args []string) string {
	s.t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	defer in.Close()
	cmd := s.command(name, args...)
	cmd.ExtraFiles = []*os.File{out}
	s.run(cmd)
	out.Close()
	if err := in.SetReadDeadline(time.Now().Add(patience)); err != nil {
		s.t.Fatal(err)
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		s.t.Fatalf("%s did not say that it is ready: %v", name, err)
	}
	return strings.TrimSpace(line)
}

func (s *session) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.WithoutCancel(s.t.Context()), name, args...)
	cmd.Env = s.env
	cmd.Dir = s.home
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, Credential: s.credential}
	return cmd
}

// app is a program on the desktop.
type app struct {
	cmd  *exec.Cmd
	log  *lockedBuffer
	done chan struct{}
}

// output is what the program has said so far.
func (a *app) output() string { return a.log.String() }

// last is the end of what the program has said.
func (a *app) last() string {
	said := a.output()
	return said[max(0, len(said)-4000):]
}

// lockedBuffer may be read while a program writes to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start starts a program that ends with the test, at the latest.
func (s *session) start(name string, args ...string) *app {
	s.t.Helper()
	return s.run(s.command(name, args...))
}

func (s *session) run(cmd *exec.Cmd) *app {
	s.t.Helper()
	a := &app{cmd: cmd, log: &lockedBuffer{}, done: make(chan struct{})}
	cmd.Stderr = a.log
	if cmd.Stdout == nil {
		cmd.Stdout = a.log
	}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		_ = cmd.Wait()
		close(a.done)
	}()
	s.t.Cleanup(a.end)
	t := s.t
	t.Cleanup(func() { // before its end
		if !t.Failed() {
			return
		}
		select {
		case <-a.done:
			t.Logf("%s has ended: %v, and said: %s", filepath.Base(cmd.Path), cmd.ProcessState, a.last())
		default:
		}
	})
	return a
}

func (a *app) signal(sig syscall.Signal) { _ = syscall.Kill(-a.cmd.Process.Pid, sig) }

// end ends the program and all that it started.
func (a *app) end() {
	select {
	case <-a.done:
	default:
		a.signal(syscall.SIGCONT)
		a.signal(syscall.SIGTERM)
	}
	select {
	case <-a.done:
	case <-time.After(2 * time.Second):
	}
	a.signal(syscall.SIGKILL)
	<-a.done
}

// output runs a small program to its end.
func (s *session) output(name string, args ...string) string {
	out, _ := s.command(name, args...).Output()
	return string(out)
}

// feed runs a program with an input, such as xclip, which stays in the
// background and keeps its output open.
func (s *session) feed(input, name string, args ...string) {
	s.t.Helper()
	cmd := s.command(name, args...)
	cmd.Stdin = strings.NewReader(input)
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
}

// keys presses keys and waits until the window in front has taken them.
func (s *session) keys(keys ...string) {
	s.user(append([]string{"key", "--clearmodifiers"}, keys...)...)
}

// user does what a user does with keyboard and mouse, and waits until the window in
// front has taken it.
func (s *session) user(acts ...string) {
	s.output("xdotool", acts...)
	s.input.taken()
}

// seldom does something when it is first called, and again after a while: keys that
// were sent before a window had the keyboard are lost, and those that were not must not
// be sent twice.
func seldom(act func()) func() {
	var last time.Time
	return func() {
		if time.Since(last) > 10*time.Second {
			act()
			last = time.Now()
		}
	}
}

// until asks until something is so; keys that were sent before a window had the
// keyboard are lost, so what is asked may send them again.
func (s *session) until(what string, ok func() bool) {
	s.t.Helper()
	began := time.Now()
	for n := 0; n < looks || time.Since(began) < patience; n++ {
		if ok() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatalf("never seen: %s", what)
}

// accessible waits for the accessibility bus. Browsers look at its state when
// they start, and a bus that was started again has forgotten it.
func (s *session) accessible() {
	s.t.Helper()
	s.until("the accessibility bus", func() bool { return s.enableAccessibility() == nil })
}

// enableAccessibility says that somebody reads the screen, as a desktop's
// settings do, and checks that the bus is there: for a moment after its end the
// session still gives the address of the old one.
func (s *session) enableAccessibility() error {
	bus, err := s.accessibilityBus()
	if err != nil {
		return err
	}
	defer bus.Close()
	if err := bus.Object("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root").Call("org.a11y.atspi.Accessible.GetRole", 0).Err; err != nil {
		return err
	}
	conn, err := dbus.Connect(s.bus)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Object("org.a11y.Bus", "/org/a11y/bus").Call("org.freedesktop.DBus.Properties.Set", 0, "org.a11y.Status", "IsEnabled", dbus.MakeVariant(true)).Err
}

// accessibilityBus connects to the accessibility bus.
func (s *session) accessibilityBus() (*dbus.Conn, error) {
	conn, err := dbus.Connect(s.bus)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var address string
	if err := conn.Object("org.a11y.Bus", "/org/a11y/bus").Call("org.a11y.Bus.GetAddress", 0).Store(&address); err != nil {
		return nil, err
	}
	return dbus.Connect(address)
}

// seen is the answer of pertain context --json --show-values.
type seen struct {
	Parts []struct {
		Path        string  `json:"path"`
		Provider    string  `json:"provider"`
		DurationMs  float64 `json:"durationMs"`
		Available   bool    `json:"available"`
		Summary     string  `json:"summary"`
		Diagnostics []struct {
			Code    string `json:"code"`
			Message string `json:"message"`
			Hint    string `json:"hint"`
		} `json:"diagnostics"`
	} `json:"parts"`
	Snapshot map[string]any `json:"snapshot"`
	raw      string
	again    func() seen // the same question; nil: it cannot be put again
}

// look runs pertain context.
func (s *session) look(only string, args ...string) seen {
	s.t.Helper()
	out := s.pertain(append([]string{"context", "--json", "--show-values", "--only", only}, args...)...)
	var v seen
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		s.t.Fatalf("%v in %s", err, out)
	}
	v.raw = out
	v.again = func() seen { return s.look(only, args...) }
	return v
}

// sees looks until what is told is as it must be. What must be told is waited for: a
// single look may come too late on a busy machine, and says so. What must never be told
// is not for this.
func (s *session) sees(what, only string, ok func(v seen) bool) seen {
	s.t.Helper()
	var v seen
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s", v.raw)
		}
	}()
	s.until(what, func() bool {
		v = s.look(only)
		return ok(v)
	})
	return v
}

func (s *session) pertain(args ...string) string {
	s.t.Helper()
	cmd := s.command(s.program, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("pertain %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// at walks into the snapshot; numbers are indices of arrays.
func (v seen) at(path ...any) any {
	var at any = v.Snapshot
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := at.(map[string]any)
			at = object[step]
		case int:
			list, _ := at.([]any)
			if step >= len(list) {
				return nil
			}
			at = list[step]
		}
	}
	return at
}

func (v seen) text(path ...any) string {
	if at := v.at(path...); at != nil {
		return fmt.Sprint(at)
	}
	return ""
}

// names are the names of what is selected in the file manager.
func (v seen) names() string {
	items, _ := v.at("extra", "file_manager", "selection", "items").([]any)
	var names []string
	for _, item := range items {
		object, _ := item.(map[string]any)
		names = append(names, fmt.Sprint(object["displayName"]))
	}
	return strings.Join(names, ",")
}

func (v seen) folder() string { return v.text("extra", "file_manager", "current_folder", "path") }

// each calls visit for every element of the tree.
func (v seen) each(visit func(e map[string]any)) {
	var walk func(list any)
	walk = func(list any) {
		elements, _ := list.([]any)
		for _, e := range elements {
			object, _ := e.(map[string]any)
			visit(object)
			walk(object["children"])
		}
	}
	walk(v.at("visual", "roots"))
}
