package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// serviceWorld is a user with a home, a workspace and a folder for sockets. The desktop
// that the environment names does not exist: what is told of it is the same with the
// service and without.
type serviceWorld struct {
	t                   *testing.T
	program             string
	home, work, runtime string
	env                 []string
}

func newServiceWorld(t *testing.T) *serviceWorld {
	t.Helper()
	program, err := exec.LookPath("program")
	if err != nil {
		t.Fatal(err)
	}
	w := &serviceWorld{t: t, program: program, home: t.TempDir(), work: t.TempDir(), runtime: t.TempDir()}
	if err := os.Chmod(w.runtime, 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = []string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "DISPLAY=:4711", "LANG=C.UTF-8", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere", "SECRET_KEY=x"}
	w.env = append(w.env, "GORACE=atexit_sleep_ms=0") // a program with the race detector sleeps for a second before it ends, and there are hundreds
	w.write(w.home, ".config/pertain/strategies/always.strategy.md", "---\nname: Always\ndescription: It holds\n---\nFirst {Argument}\n")
	w.write(w.home, ".config/pertain/strategies/folder.strategy.md", "---\nname: Folder\nwhen: {extra.workspace.name: {regex: .}}\n---\n{extra.workspace.name} is {clipboard.text}\n")
	w.write(w.work, ".pertain/strategies/own.strategy.md", "---\nname: Own\nwhen: {environment.os: {equals: linux}}\n---\nOwn\n")
	return w
}

func (w *serviceWorld) write(dir, name, text string) {
	w.t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *serviceWorld) command(withService bool, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.t.Context(), w.program, args...)
	cmd.Dir, cmd.Env = w.work, slices.Clone(w.env)
	if withService {
		cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR="+w.runtime)
	}
	cmd.WaitDelay = time.Second
	return cmd
}

// said is what a command printed and how it ended.
type said struct {
	stdout, stderr string
	code           int
}

func (w *serviceWorld) run(withService bool, args ...string) said {
	w.t.Helper()
	cmd := w.command(withService, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		w.t.Fatal(err)
	}
	return said{timeless(stdout.String()), timeless(stderr.String()), cmd.ProcessState.ExitCode()}
}

// durations are what no two answers have in common.
var durations = regexp.MustCompile(`("durationMs": ?)[0-9.e-]+|[0-9.]+ ms`)

func timeless(text string) string { return durations.ReplaceAllString(text, "$1") }

// start starts the service and waits until it answers.
func (w *serviceWorld) start() *exec.Cmd {
	w.t.Helper()
	cmd := w.command(true, "service", "run")
	var log bytes.Buffer
	cmd.Stderr, cmd.Stdout = &log, &log
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGCONT)
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		if w.t.Failed() {
			w.t.Logf("the service said: %s", log.String())
		}
	})
	for w.t.Context().Err() == nil {
		if _, ok := w.status(); ok {
			return cmd
		}
		time.Sleep(10 * time.Millisecond)
	}
	w.t.Fatal("the service does not start")
	return nil
}

// status is how many questions the service has answered.
func (w *serviceWorld) status() (answered int, ok bool) {
	w.t.Helper()
	out := w.run(true, "service", "status", "--json")
	var report struct {
		Running  bool           `json:"running"`
		Answered map[string]int `json:"answered"`
	}
	if err := json.Unmarshal([]byte(out.stdout), &report); err != nil {
		w.t.Fatalf("%v in %s", err, out.stdout)
	}
	if report.Running != (out.code == 0) {
		w.t.Errorf("exit %d: %s", out.code, out.stdout)
	}
	for _, n := range report.Answered {
		answered += n
	}
	return answered, report.Running
}

// alike holds that a command says the same with the service and without it, and that the
// service was asked. A busy machine may make it miss its time, so it gets more than one.
func (w *serviceWorld) alike(args ...string) {
	w.t.Helper()
	for range 20 {
		before, _ := w.status()
		got, want := w.run(true, args...), w.run(false, args...)
		if got != want {
			w.t.Errorf("%s: with the service\n%+v\nwithout\n%+v", strings.Join(args, " "), got, want)
			return
		}
		if after, _ := w.status(); after > before {
			return
		}
	}
	w.t.Errorf("%s: the service was never asked", strings.Join(args, " "))
}

// TestServiceAnswersAlike: what the service says is what the command would have said
// itself, byte for byte: with the caller's folder, settings, trust and environment.
func TestServiceAnswersAlike(t *testing.T) {
	w := newServiceWorld(t)
	w.start()
	commands := [][]string{
		{"match"},
		{"match", "--json", "--all"},
		{"match", "--cwd", w.home},
		{"match", "--no-builtin", "--strategies", filepath.Join(w.work, ".pertain/strategies")},
		{"match", "--attach", ".pertain/strategies/own.strategy.md", "--selection", "a text that is selected"},
		{"context", "--show-values", "--json", "--only", "environment", "--only", "extra"},
		{"context"},
		{"query", "//Button", "--json"},
		{"query", "//Button["},
		{"pick", "--no-stdin"},
		{"--cwd", w.home, "match", "--json"},
	}
	for _, args := range commands {
		w.alike(args...)
	}
	t.Run("what the user decides counts at once", func(t *testing.T) {
		w.t = t
		w.write(w.home, ".config/pertain/strategies/new.strategy.md", "---\nname: New\n---\nx\n")
		w.alike("match", "--json")
		w.write(w.home, ".config/pertain/config.yaml", "version: 1\ndisabled: [user.new]\n")
		w.alike("match", "--json", "--all")
		w.run(false, "trust")
		w.alike("match")
		if out := w.run(true, "match"); !strings.Contains(out.stdout, "workspace.own") {
			t.Errorf("a workspace that is trusted now: %+v", out)
		}
		w.run(false, "trust", "--revoke")
		w.alike("match")
		if out := w.run(true, "match"); strings.Contains(out.stdout, "workspace.own") {
			t.Errorf("a workspace that is not trusted any more: %+v", out)
		}
		w.write(w.home, ".config/pertain/config.yaml", "version: 1\nprivate: {titles: 7}\n")
		w.alike("match", "--json")
	})
	t.Run("the environment is the caller's", func(t *testing.T) {
		w.t = t
		named := filepath.Join(w.home, "named.yaml")
		w.write(w.home, "named.yaml", "version: 1\nassistant: {id: mine}\n")
		w.write(w.work, "theirs.yaml", "fleet: {url: \"nats://127.0.0.1:9\"}\nassistant: {id: theirs}\n")
		before := w.env
		for _, more := range [][]string{{"LANG=de_DE.UTF-8"}, {"LC_ALL=C"}, {"TZ=Asia/Tokyo"}, {"PERTAIN_CONFIG=" + named}, {"PERTAIN_CONFIG=" + filepath.Join(w.work, "theirs.yaml")}, {"HOME=" + w.work}, {"XDG_CONFIG_HOME=" + w.work}, {"NO_COLOR=1"}} {
			w.env = append(slices.Clone(before), more...)
			w.alike("context", "--json", "--show-values")
			w.alike("match", "--all")
		}
		w.env = before
	})
}

// TestServiceOnTerminals: colours are those of the terminal of the caller.
func TestServiceOnTerminals(t *testing.T) {
	w := newServiceWorld(t)
	w.start()
	show := func(withService bool) string {
		master, slave := openPTY(t, 80, 24)
		cmd := w.command(withService, "match", "--all")
		cmd.Env = append(cmd.Env, "TERM=xterm-256color")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = slave.Close()
		var text bytes.Buffer
		_, _ = text.ReadFrom(master) // it ends with an error, as terminals do
		_ = cmd.Wait()
		return timeless(text.String())
	}
	want := show(false)
	if !strings.Contains(want, "\x1b[") {
		t.Fatalf("a terminal gets no colours: %q", want)
	}
	for range 20 {
		before, _ := w.status()
		if got := show(true); got != want {
			t.Fatalf("with the service\n%q\nwithout\n%q", got, want)
		}
		if after, _ := w.status(); after > before {
			return
		}
	}
	t.Error("the service was never asked")
}

// TestServiceAway: a service that hangs, is another version, speaks nonsense, or whose
// socket others could have made, is done without, and the latter is not even spoken to.
func TestServiceAway(t *testing.T) {
	w := newServiceWorld(t)
	want := w.run(false, "match", "--json")
	socket := filepath.Join(w.runtime, "pertain/service.socket")
	if err := os.Mkdir(filepath.Dir(socket), 0o700); err != nil {
		t.Fatal(err)
	}
	frame := func(text string) string {
		return string([]byte{0, 0, 0, byte(len(text))}) + text
	}
	for _, test := range []struct {
		name    string
		says    string // "": nothing
		socket  os.FileMode
		folder  os.FileMode
		runtime os.FileMode
		heard   bool
	}{
		{"hangs", "", 0o600, 0o700, 0o700, true},
		{"another version", frame(`{"kind":"refused","body":"another version"}`), 0o600, 0o700, 0o700, true},
		{"takes it and says nothing", frame(`{"kind":"taken"}`), 0o600, 0o700, 0o700, true},
		{"nonsense", "nonsense, and more of it", 0o600, 0o700, 0o700, true},
		{"an endless frame", "\xff\xff\xff\xff", 0o600, 0o700, 0o700, true},
		{"no answer", frame(`{"kind":"taken"}`) + frame(`{"kind":"answer","body":[1]}`), 0o600, 0o700, 0o700, true},
		{"socket of others", "", 0o666, 0o700, 0o700, false},
		{"folder of others", "", 0o600, 0o755, 0o700, false},
		{"runtime folder of others", "", 0o600, 0o700, 0o755, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", socket)
			if err != nil {
				t.Fatal(err)
			}
			for path, mode := range map[string]os.FileMode{socket: test.socket, filepath.Dir(socket): test.folder, w.runtime: test.runtime} {
				if err := os.Chmod(path, mode); err != nil {
					t.Fatal(err)
				}
			}
			defer func() { _ = os.Chmod(w.runtime, 0o700) }()
			heard := make(chan bool, 1)
			go func() {
				defer close(heard)
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				heard <- true
				_, _ = conn.Write([]byte(test.says))
				_, _ = conn.Read(make([]byte, 1<<16))
				<-t.Context().Done()
				_ = conn.Close()
			}()
			if got := w.run(true, "match", "--json"); got != want {
				t.Errorf("said %+v, want %+v", got, want)
			}
			_ = listener.Close()
			if got := <-heard; got != test.heard {
				t.Errorf("spoken to: %v", got)
			}
		})
	}
	t.Run("folder of a workspace", func(t *testing.T) {
		inside := filepath.Join(w.work, "run")
		w.write(inside, "pertain/x", "")
		w.runtime = inside
		if out := w.run(true, "service", "run"); out.code != 1 || !strings.Contains(out.stderr, "workspace") {
			t.Errorf("it listens there: %+v", out)
		}
	})
	t.Run("no folder", func(t *testing.T) {
		if out := w.run(false, "service", "run"); out.code != 1 || !strings.Contains(out.stderr, "XDG_RUNTIME_DIR") {
			t.Errorf("%+v", out)
		}
		if out := w.run(false, "service", "status"); out.code != 1 || !strings.Contains(out.stdout, "XDG_RUNTIME_DIR") {
			t.Errorf("%+v", out)
		}
	})
}

// TestServiceOnce: there is one service, a killed one leaves nothing that is in the way,
// and one that ends takes its socket along.
func TestServiceOnce(t *testing.T) {
	w := newServiceWorld(t)
	first := w.start()
	if out := w.run(true, "service", "run"); out.code != 1 || !strings.Contains(out.stderr, "runs already") {
		t.Errorf("a second one: %+v", out)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	if out := w.run(true, "service", "status"); out.code != 1 || !strings.Contains(out.stdout, "not started") {
		t.Errorf("a killed one: %+v", out)
	}
	w.alikeWithout("match", "--json")
	second := w.start()
	if err := second.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = second.Wait()
	if _, err := os.Lstat(filepath.Join(w.runtime, "pertain/service.socket")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket stays: %v", err)
	}
}

func (w *serviceWorld) alikeWithout(args ...string) {
	w.t.Helper()
	if got, want := w.run(true, args...), w.run(false, args...); got != want {
		w.t.Errorf("%s: with a socket that nobody listens at\n%+v\nwithout\n%+v", strings.Join(args, " "), got, want)
	}
}

// TestServiceOtherFiles: a command that sees other files than the service, as in a
// container, is not answered with those of the service.
func TestServiceOtherFiles(t *testing.T) {
	w := newServiceWorld(t)
	w.start()
	for range 3 {
		cmd := w.command(true, "match", "--json")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		if os.Geteuid() != 0 {
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		}
		if err := cmd.Run(); errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
			t.Skip("this system does not let us make a namespace")
		}
	}
	if answered, _ := w.status(); answered != 0 {
		t.Errorf("%d were answered", answered)
	}
}

// TestServiceTogether: many commands at once are each answered as if they were alone.
func TestServiceTogether(t *testing.T) {
	w := newServiceWorld(t)
	w.start()
	folders := []string{w.home, w.work, t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()} // more than are kept
	want := make([]said, len(folders))
	for i, dir := range folders {
		want[i] = w.run(false, "match", "--json", "--cwd", dir)
	}
	var all sync.WaitGroup
	for range 3 {
		for i, dir := range folders {
			all.Go(func() {
				if got := w.run(true, "match", "--json", "--cwd", dir); got != want[i] {
					t.Errorf("%s: %+v, want %+v", dir, got, want[i])
				}
			})
		}
	}
	all.Wait()
}

// TestServiceReplaced: a service whose program has been replaced ends, so that the new
// one is started in its place.
func TestServiceReplaced(t *testing.T) {
	w := newServiceWorld(t)
	data, err := os.ReadFile(w.program)
	if err != nil {
		t.Fatal(err)
	}
	put := func() {
		w.program = filepath.Join(w.home, "program")
		next := w.program + ".new"
		if err := os.WriteFile(next, data, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, w.program); err != nil {
			t.Fatal(err)
		}
	}
	put()
	running := w.start()
	put()
	want := w.run(false, "match", "--json")
	if got := w.run(true, "match", "--json"); got != want {
		t.Errorf("said %+v, want %+v", got, want)
	}
	ended := make(chan error, 1)
	go func() { ended <- running.Wait() }()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	select {
	case <-ended:
		if code := running.ProcessState.ExitCode(); code != 75 {
			t.Errorf("exit %d", code)
		}
	case <-ctx.Done():
		t.Error("it goes on")
	}
}

// TestServiceUnit: the unit is written and taken back, systemd is told where it is
// there, and what is somebody else's stays.
func TestServiceUnit(t *testing.T) {
	w := newServiceWorld(t)
	tools := t.TempDir()
	log := filepath.Join(tools, "log")
	w.write(tools, "systemctl", "#!/bin/sh\necho \"$@\" >>"+log+"\n")
	if err := os.Chmod(filepath.Join(tools, "systemctl"), 0o700); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(tools, "own tools/program") // its name decides that the test binary is the program
	data, err := os.ReadFile(w.program)
	if err != nil {
		t.Fatal(err)
	}
	w.write(tools, "own tools/program", string(data))
	if err := os.Chmod(own, 0o700); err != nil {
		t.Fatal(err)
	}
	w.program = own
	unit := filepath.Join(w.home, ".config/systemd/user/pertain.service")
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			return ""
		}
		return string(text)
	}
	w.env = append(w.env, "PATH=/nowhere")
	out := w.run(false, "service", "install", "--dry-run")
	if out.code != 0 || !strings.Contains(out.stdout, "+[Service]") || !strings.Contains(out.stdout, "systemctl --user enable pertain.service") || read(unit) != "" {
		t.Errorf("dry run: %+v, file %q", out, read(unit))
	}
	if out := w.run(false, "service", "install"); out.code != 1 || !strings.Contains(out.stderr, "systemctl is not installed") {
		t.Errorf("without systemd: %+v", out)
	}
	if text := read(unit); !strings.Contains(text, fmt.Sprintf("ExecStart=\"%s\" service run\n", own)) {
		t.Errorf("the unit is %q", text)
	}
	w.env = append(w.env, "PATH="+tools+":/bin:/usr/bin")
	for range 2 {
		if out := w.run(false, "service", "install"); out.code != 0 {
			t.Errorf("with systemd: %+v", out)
		}
	}
	if verify, err := exec.LookPath("systemd-analyze"); err == nil {
		cmd := exec.CommandContext(t.Context(), verify, "verify", "--user", "--man=no", unit)
		cmd.Env = append(slices.Clone(w.env), "XDG_RUNTIME_DIR="+w.runtime)
		if out, err := cmd.CombinedOutput(); strings.Contains(string(out), "pertain.service") {
			t.Errorf("systemd-analyze: %v, %s", err, out)
		}
	}
	if out := w.run(false, "service", "remove", "--dry-run"); out.code != 0 || !strings.Contains(out.stdout, "-[Service]") || read(unit) == "" {
		t.Errorf("dry run: %+v", out)
	}
	for range 2 {
		if out := w.run(false, "service", "remove"); out.code != 0 || read(unit) != "" {
			t.Errorf("remove: %+v, left %q", out, read(unit))
		}
	}
	want := strings.Repeat("--user daemon-reload\n--user enable pertain.service\n--user restart pertain.service\n", 2) + "--user disable --now pertain.service\n--user daemon-reload\n"
	if got := read(log); got != want {
		t.Errorf("systemd was told\n%s\nwant\n%s", got, want)
	}
	w.write(w.home, ".config/systemd/user/pertain.service", "[Unit]\n")
	for _, command := range []string{"install", "remove"} {
		if out := w.run(false, "service", command); out.code != 1 || read(unit) != "[Unit]\n" {
			t.Errorf("%s over a stranger's unit: %+v, %q", command, out, read(unit))
		}
	}
	w.write(tools, "systemctl", "#!/bin/sh\necho Failed to connect to bus >&2; exit 1\n")
	if err := os.Remove(unit); err != nil {
		t.Fatal(err)
	}
	if out := w.run(false, "service", "install"); out.code != 1 || !strings.Contains(out.stderr, "Failed to connect to bus") || read(unit) == "" {
		t.Errorf("without a user manager: %+v", out)
	}
	if out := w.run(false, "service", "remove"); out.code != 0 || read(unit) != "" {
		t.Errorf("remove without a user manager: %+v", out)
	}
}
