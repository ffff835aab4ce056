//go:build desktop && linux

package collect_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// nobody is the user that programs run as which refuse to be root's.
const nobody = 65534

// newWaylandSession starts a compositor without a screen, and buses of its own.
func newWaylandSession(t *testing.T) *session {
	t.Helper()
	for _, name := range []string{"sway", "wl-copy", "wtype", "dbus-daemon", "mousepad"} {
		need(t, name)
	}
	// A folder that another user can get into, unlike that of the test.
	dir, err := os.MkdirTemp("", "pertain-wayland") //nolint:usetesting // nobody else can get into that of the test
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &session{t: t, home: filepath.Join(dir, "home"), checked: checked{}, part: "wayland"}
	if os.Getuid() == 0 {
		s.credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	runtime := filepath.Join(dir, "run")
	s.program = filepath.Join(dir, "pertain")
	s.env = []string{
		"HOME=" + s.home, "XDG_RUNTIME_DIR=" + runtime, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TMPDIR=" + runtime,
		"GIO_USE_VFS=local", "GSETTINGS_BACKEND=memory", "GDK_BACKEND=wayland", "NO_AT_BRIDGE=0",
		"WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman",
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", s.program, "../cmd/pertain").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	config := filepath.Join(dir, "sway.conf")
	write(t, config, "xwayland disable\n")
	if err := os.Chmod(config, 0o644); err != nil {
		t.Fatal(err)
	}
	folders := filepath.Dir(s.settings())
	for _, path := range []string{folders, runtime} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s.settings(), timeEnough)
	for _, path := range []string{s.home, filepath.Dir(folders), folders, s.settings(), runtime} {
		if s.credential != nil {
			if err := os.Chown(path, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.bus = s.startAndRead("dbus-daemon", []string{"--session", "--nofork", "--nopidfile", "--print-address=3"})
	s.env = append(s.env, "DBUS_SESSION_BUS_ADDRESS="+s.bus)
	compositor := s.start("sway", "--config", config)
	display := ""
	s.until("the compositor", func() bool {
		sockets, _ := filepath.Glob(filepath.Join(runtime, "wayland-*"))
		for _, socket := range sockets {
			if !strings.HasSuffix(socket, ".lock") {
				display = filepath.Base(socket)
			}
		}
		if display == "" {
			select {
			case <-compositor.done:
				t.Fatalf("sway has ended: %s", compositor.output())
			default:
			}
		}
		return display != ""
	})
	s.env = append(s.env, "WAYLAND_DISPLAY="+display)
	return s
}

// TestDesktopWayland is what can be seen under a compositor: clipboard and
// primary selection over data-control, the window over accessibility.
func TestDesktopWayland(t *testing.T) {
	t.Parallel()
	s := newWaylandSession(t)
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

	s.until("no window, and why", func() bool {
		v := s.look("visual")
		return !v.Parts[0].Available && strings.Contains(v.raw, "the compositor does not tell which window is in front")
	})

	s.feed("grüße", "wl-copy")
	s.until("the clipboard", func() bool {
		v := s.look("clipboard")
		return v.text("clipboard", "text") == "grüße" && v.text("clipboard", "hasImage") == "false"
	})
	s.feed("file:///tmp/a%20b.png\r\n", "wl-copy", "--type", "text/uri-list")
	s.until("a copied file", func() bool {
		return fmt.Sprint(s.look("clipboard").at("clipboard", "files")) == "[map[extension:.png path:/tmp/a b.png]]"
	})
	s.feed("marked", "wl-copy", "--primary")
	// Nobody tells whose primary selection it is: it may be a password.
	s.until("no selection, and why", func() bool {
		v := s.look("attachments.selection.text")
		if v.Parts[0].Available {
			t.Fatalf("a selection was told that may be anybody's: %s", v.raw)
		}
		return strings.Contains(v.raw, "the compositor does not tell which window is in front")
	})

	// Without a keyboard no window has the focus: this keeps one plugged in.
	defer s.start("wtype", "-s", "600000").end()
	swayFront(s)
	editor := s.openEditor(notes)
	s.sees("the editor's window", "visual", func(v seen) bool {
		root, _ := v.at("visual", "roots", 0).(map[string]any)
		return root["process"] == "mousepad" && strings.Contains(fmt.Sprint(root["name"]), "notes.txt")
	})
	// In a window that tells its own selection, that of another does not count.
	s.until("no selection in the editor", func() bool { return !s.look("attachments.selection.text").Parts[0].Available })
	s.until("the selected text", func() bool {
		s.mark(s.look("visual").text("attachments", "visual", "primary"), 0, 10)
		return s.look("attachments.selection.text").text("attachments", "selection", "text") == "first line"
	})
	editor.end()
	s.until("the empty desktop", func() bool { return !s.look("visual").Parts[0].Available })
	for _, accessible := range []string{"false", "true"} {
		s.waylandPassword(accessible)
	}
}

// waylandPassword: Chromium puts a password that is selected where everybody can
// read it.
func (s *session) waylandPassword(accessible string) {
	s.t.Helper()
	need(s.t, "chromium")
	s.send("--session", "org.a11y.Bus", "/org/a11y/bus", "org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", "string:IsEnabled", "variant:boolean:"+accessible)
	page := filepath.Join(s.home, "login.html")
	write(s.t, page, "<!doctype html><title>Login</title><input type=password value=webpass77 autofocus>")
	if err := os.Chmod(page, 0o644); err != nil {
		s.t.Fatal(err)
	}
	defer s.start("chromium", "--no-sandbox", "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--ozone-platform=wayland",
		"--user-data-dir="+filepath.Join(s.home, "chromium-"+accessible), "file://"+page).end()
	s.until("the password in the primary selection", func() bool {
		s.output("wtype", "-M", "ctrl", "a", "-m", "ctrl")
		return s.output("timeout", "1", "wl-paste", "--primary", "-n") == "webpass77"
	})
	s.never("a password that is selected, accessible "+accessible, "webpass77")
	s.feed("", "wl-copy", "--primary", "--clear")
}

// mark selects text in an element, as a screen reader does: keys of a virtual
// keyboard do not reach programs of a compositor without a screen. Another
// user's bus takes nobody else, so a program of that user does it.
func (s *session) mark(id string, from, to int) {
	const atspi = "org.a11y.atspi."
	address := strings.TrimSpace(s.send("--session", "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress"))
	programs := s.send("--bus="+address, atspi+"Registry", "/org/a11y/atspi/accessible/root", atspi+"Accessible.GetChildren")
	for _, name := range regexp.MustCompile(`:\d+\.\d+`).FindAllString(programs, -1) { // those that do not have the element say so
		s.send("--bus="+address, name, "/org/a11y/atspi/accessible/"+strings.TrimPrefix(id, "e"), atspi+"Text.AddSelection", fmt.Sprint("int32:", from), fmt.Sprint("int32:", to))
	}
}

// send makes one call on a bus, as a program of the session.
func (s *session) send(bus, name, object, method string, args ...string) string {
	return s.output("dbus-send", append([]string{bus, "--print-reply=literal", "--dest=" + name, object, method}, args...)...)
}

// TestDesktopWaylandWithoutDataControl: of a compositor that does not have the
// protocol, the clipboard is unknown, and it is said why.
func TestDesktopWaylandWithoutDataControl(t *testing.T) {
	t.Parallel()
	need(t, "weston")
	dir := tempDir(t)
	s := &session{t: t, home: filepath.Join(dir, "home"), checked: checked{}, part: "weston"}
	runtime := filepath.Join(dir, "run")
	for _, path := range []string{s.home, runtime} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.program = filepath.Join(dir, "pertain")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", s.program, "../cmd/pertain").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	s.env = []string{"HOME=" + s.home, "XDG_RUNTIME_DIR=" + runtime, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	s.start("weston", "--backend=headless-backend.so", "--socket=wayland-7", "--idle-time=0")
	s.env = append(s.env, "WAYLAND_DISPLAY=wayland-7")
	s.until("the compositor", func() bool { _, err := os.Stat(filepath.Join(runtime, "wayland-7")); return err == nil })
	s.until("a clipboard that nobody tells", func() bool {
		v := s.look("clipboard")
		for _, p := range v.Parts {
			if p.Available || len(p.Diagnostics) == 0 || p.Diagnostics[0].Code != "extra.provider_unavailable" {
				t.Logf("%+v", p)
				return false
			}
		}
		return len(v.Parts) == 4
	})
}

// swayFront: sway itself tells which window is in front, also of a program that is not on
// the accessibility bus, and that none is.
func swayFront(s *session) {
	s.t.Helper()
	need(s.t, "weston-terminal")
	own := *s
	s = &own
	sockets, _ := filepath.Glob(filepath.Join(s.lookup("XDG_RUNTIME_DIR"), "sway-ipc.*.sock"))
	if len(sockets) != 1 {
		s.t.Fatalf("sway listens at %v", sockets)
	}
	s.env = append(s.env[:len(s.env):len(s.env)], "SWAYSOCK="+sockets[0], "SHELL=/bin/sh")
	s.sees("no window", "visual", func(v seen) bool { return !v.Parts[0].Available && len(v.Parts[0].Diagnostics) == 0 })
	project := filepath.Join(s.home, "project")
	if err := os.MkdirAll(filepath.Join(project, ".pertain"), 0o755); err != nil {
		s.t.Fatal(err)
	}
	cmd := s.command("weston-terminal")
	cmd.Dir = project
	terminal := s.run(cmd)
	last := ""
	defer func() {
		if s.t.Failed() {
			s.t.Logf("last seen: %s\nit said: %s", last, terminal.output())
		}
	}()
	s.until("the terminal in front, and its workspace", func() bool {
		v := s.everything()
		last = v.raw
		return v.text("activeProcess", "name") == "weston-terminal" && v.text("extra", "workspace", "root") == project
	})
	terminal.end()
	s.until("no window again", func() bool { return s.everything().at("activeProcess") == nil })
}
