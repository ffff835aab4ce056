//go:build desktop && linux

package collect_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestDesktopKWin: KDE's compositor tells the window in front also of a program that is
// not on the accessibility bus, and that there is none.
func TestDesktopKWin(t *testing.T) {
	installed, err := exec.LookPath("kwin_wayland")
	if err != nil {
		t.Skip("kwin_wayland is not installed")
	}
	need(t, "weston-terminal")
	s := &session{t: t, home: filepath.Join(tempDir(t), "home"), checked: checked{}, part: "kwin"}
	runtime := filepath.Join(tempDir(t), "run")
	project := filepath.Join(s.home, "project")
	for _, dir := range []string{filepath.Join(project, ".pertain"), runtime} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.program = filepath.Join(tempDir(t), "pertain")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", s.program, "../cmd/pertain").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	// The installed one may have a capability that containers do not give; a copy has none.
	data, err := os.ReadFile(installed)
	if err != nil {
		t.Fatal(err)
	}
	compositor := filepath.Join(tempDir(t), "kwin_wayland")
	if err := os.WriteFile(compositor, data, 0o700); err != nil {
		t.Fatal(err)
	}
	s.env = []string{
		"HOME=" + s.home, "XDG_RUNTIME_DIR=" + runtime, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TMPDIR=" + runtime, "SHELL=/bin/sh",
		"GIO_USE_VFS=local", "GSETTINGS_BACKEND=memory", "GDK_BACKEND=wayland", "NO_AT_BRIDGE=0", "KWIN_COMPOSE=Q",
	}
	s.bus = s.startAndRead("dbus-daemon", []string{"--session", "--nofork", "--nopidfile", "--print-address=3"})
	s.env = append(s.env, "DBUS_SESSION_BUS_ADDRESS="+s.bus)
	running := s.start(compositor, "--virtual", "--no-lockscreen", "--no-global-shortcuts", "--width", "800", "--height", "600", "--socket", "wayland-kwin")
	defer func() {
		if t.Failed() {
			t.Logf("KWin said: %s", running.output())
		}
	}()
	s.until("the compositor", func() bool {
		_, err := os.Stat(filepath.Join(runtime, "wayland-kwin"))
		return err == nil
	})
	s.env = append(s.env, "WAYLAND_DISPLAY=wayland-kwin")
	s.accessible()
	s.config("options: {extraTimeout: 2s}\n")
	s.sees("no window", "visual", func(v seen) bool { return !v.Parts[0].Available && len(v.Parts[0].Diagnostics) == 0 })

	cmd := s.command("weston-terminal")
	cmd.Dir = project
	terminal := s.run(cmd)
	v := seen{}
	defer func() {
		if t.Failed() {
			t.Logf("last seen: %s", v.raw)
		}
	}()
	s.until("the terminal in front, and its workspace", func() bool {
		v = s.everything()
		return v.text("activeProcess", "name") == "weston-terminal" && v.text("extra", "workspace", "root") == project
	})

	notes := filepath.Join(s.home, "notes.txt")
	write(t, notes, "first line\nTODO: second line\n")
	editor := s.openEditor(notes) // in front of the terminal, and on the accessibility bus
	editor.end()
	s.until("the terminal again", func() bool {
		v = s.everything()
		return v.text("activeProcess", "name") == "weston-terminal"
	})
	terminal.end()
	s.until("no window again", func() bool {
		v = s.everything()
		return v.at("activeProcess") == nil
	})
	if left, _ := filepath.Glob(filepath.Join(runtime, "pertain-*")); len(left) > 0 {
		t.Errorf("scripts stay: %v", left)
	}
}
