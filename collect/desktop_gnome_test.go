//go:build desktop && linux

package collect_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// TestDesktopGNOME: GNOME Shell tells programs nothing about windows, unless it was started
// in its unsafe mode. Programs on the accessibility bus are seen nevertheless, and of others
// it is said why they are not.
func TestDesktopGNOME(t *testing.T) {
	if _, err := exec.LookPath("gnome-shell"); err != nil {
		t.Skip("gnome-shell is not installed")
	}
	t.Run("usual", func(t *testing.T) {
		s := newGNOMESession(t)
		keyboard := s.gnomeKeyboard()
		notes := filepath.Join(s.home, "notes.txt")
		write(t, notes, "first line\nTODO: second line\n")
		defer s.openEditor(notes).end()
		s.sees("the editor in front", "activeProcess", func(v seen) bool { return v.text("activeProcess", "name") == "mousepad" })
		s.sees("the selected text", "attachments.selection.text", func(v seen) bool {
			keyboard(control, 'a')
			return v.text("attachments", "selection", "text") == "first line\nTODO: second line\n"
		})
		s.sees("why the clipboard is not told", "clipboard.text", func(v seen) bool {
			return !v.Parts[0].Available && strings.Contains(v.raw, "the compositor does not let other programs read the clipboard")
		})
		terminal := s.start("weston-terminal")
		s.sees("why the terminal is not seen", "activeProcess", func(v seen) bool {
			return !v.Parts[0].Available && strings.Contains(v.raw, "GNOME Shell does not tell other programs which window is in front")
		})
		terminal.end()
		s.sees("the editor again", "activeProcess", func(v seen) bool { return v.text("activeProcess", "name") == "mousepad" })
	})
	t.Run("unsafe mode", func(t *testing.T) {
		s := newGNOMESession(t, "--unsafe-mode")
		s.gnomeKeyboard()
		s.sees("no window", "visual", func(v seen) bool { return !v.Parts[0].Available && len(v.Parts[0].Diagnostics) == 0 })
		project := filepath.Join(s.home, "project")
		if err := os.MkdirAll(filepath.Join(project, ".pertain"), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := s.command("weston-terminal")
		cmd.Dir = project
		s.run(cmd)
		s.sees("the terminal in front", "activeProcess", func(v seen) bool { return v.text("activeProcess", "name") == "weston-terminal" })
		s.sees("its workspace", "extra.workspace", func(v seen) bool { return v.text("extra", "workspace", "root") == project })
	})
}

// newGNOMESession starts GNOME Shell with a screen that nobody sees, and buses of its own:
// it wants one of the system, too, and takes any.
func newGNOMESession(t *testing.T, args ...string) *session {
	t.Helper()
	need(t, "weston-terminal")
	s := &session{t: t, home: filepath.Join(tempDir(t), "home"), checked: checked{}, part: "gnome"}
	runtime := filepath.Join(tempDir(t), "run")
	for _, dir := range []string{s.home, runtime} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.program = filepath.Join(tempDir(t), "pertain")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", s.program, "../cmd/pertain").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	s.env = []string{
		"HOME=" + s.home, "XDG_RUNTIME_DIR=" + runtime, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TMPDIR=" + runtime, "SHELL=/bin/sh",
		"GIO_USE_VFS=local", "GSETTINGS_BACKEND=memory", "GDK_BACKEND=wayland", "NO_AT_BRIDGE=0", "LIBGL_ALWAYS_SOFTWARE=1",
	}
	bus := []string{"--session", "--nofork", "--nopidfile", "--print-address=3"}
	s.bus = s.startAndRead("dbus-daemon", bus)
	s.env = append(s.env, "DBUS_SESSION_BUS_ADDRESS="+s.bus, "DBUS_SYSTEM_BUS_ADDRESS="+s.startAndRead("dbus-daemon", bus))
	conn, err := dbus.Connect(s.bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	s.startShell(conn.Object("org.gnome.Shell", "/org/gnome/Shell"), args)
	s.env = append(s.env, "WAYLAND_DISPLAY=wayland-gnome")
	s.accessible()
	s.config("options: {extraTimeout: 2s}\n")
	return s
}

// startShell starts GNOME Shell. On a busy machine it may wait for ever for services that are not here: then it is started again.
func (s *session) startShell(object dbus.BusObject, args []string) {
	s.t.Helper()
	var said []string
	for range 3 {
		shell := s.start("gnome-shell", append([]string{"--headless", "--wayland", "--no-x11", "--virtual-monitor", "1024x768", "--wayland-display=wayland-gnome"}, args...)...)
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if ended(shell) {
				break
			}
			// It begins, once it has started, with the overview of all windows, where none is in front.
			if !strings.Contains(shell.output(), "GNOME Shell started") || object.SetProperty("org.gnome.Shell.OverviewActive", dbus.MakeVariant(false)) != nil {
				continue
			}
			if on, err := object.GetProperty("org.gnome.Shell.OverviewActive"); err == nil && on.Value() == false {
				s.t.Cleanup(func() {
					if s.t.Failed() {
						s.t.Logf("GNOME Shell said: %s", shell.output())
					}
				})
				return
			}
		}
		shell.end()
		said = append(said, shell.output())
	}
	s.t.Fatalf("GNOME Shell without its overview was never seen; it said: %q", said)
}

func ended(a *app) bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// control is the key of that name (of X11/keysymdef.h).
const control = 0xffe3

// gnomeKeyboard plugs a keyboard in, without which no window has the focus, and returns what
// presses keys together.
func (s *session) gnomeKeyboard() func(keys ...uint32) {
	s.t.Helper()
	const name = "org.gnome.Mutter.RemoteDesktop"
	conn, err := dbus.Connect(s.bus)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	var path dbus.ObjectPath
	s.until("a keyboard", func() bool {
		return conn.Object(name, "/org/gnome/Mutter/RemoteDesktop").Call(name+".CreateSession", 0).Store(&path) == nil
	})
	desk := conn.Object(name, path)
	if err := desk.Call(name+".Session.Start", 0).Err; err != nil {
		s.t.Fatal(err)
	}
	press := func(key uint32, down bool) {
		if err := desk.Call(name+".Session.NotifyKeyboardKeysym", 0, key, down).Err; err != nil {
			s.t.Fatal(err)
		}
	}
	keys := func(keys ...uint32) {
		for _, key := range keys {
			press(key, true)
		}
		for i := len(keys) - 1; i >= 0; i-- {
			press(keys[i], false)
		}
	}
	keys(control)
	return keys
}
