//go:build desktop && linux

package collect_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// newKWinSession starts KDE's compositor without a screen, and buses of its own.
func newKWinSession(t *testing.T) *session {
	t.Helper()
	installed, err := exec.LookPath("kwin_wayland")
	if err != nil {
		t.Skip("kwin_wayland is not installed")
	}
	s := &session{t: t, home: filepath.Join(tempDir(t), "home"), checked: checked{}, part: "kwin"}
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
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("KWin said: %s", running.output())
		}
	})
	s.until("the compositor", func() bool {
		_, err := os.Stat(filepath.Join(runtime, "wayland-kwin"))
		return err == nil
	})
	s.env = append(s.env, "WAYLAND_DISPLAY=wayland-kwin")
	s.accessible()
	return s
}

// TestDesktopKWinTitles: windows are called as KDE's title bars call them. On the
// accessibility bus its programs leave their own name out, and only KWin knows which
// window has which number.
func TestDesktopKWinTitles(t *testing.T) {
	t.Parallel()
	t.Run("x11", func(t *testing.T) {
		if _, err := exec.LookPath("kwin_x11"); err != nil {
			t.Skip("kwin_x11 is not installed")
		}
		s := newSessionWith(t, func(s *session) []string {
			s.env = append(s.env, "KWIN_COMPOSE=N")
			return []string{"kwin_x11"}
		})
		kdeTitles(s)
	})
	t.Run("wayland", func(t *testing.T) {
		if found, _ := filepath.Glob("/usr/lib/*/qt5/plugins/platforms/libqwayland*"); len(found) == 0 {
			t.Skip("qtwayland5 is not installed")
		}
		s := newKWinSession(t)
		s.env = append(s.env, "QT_QPA_PLATFORM=wayland")
		kdeTitles(s)
	})
}

// kdeTitles opens two windows of one title, one after the other.
func kdeTitles(s *session) {
	s.t.Helper()
	need(s.t, "konsole")
	s.config(timeEnough)
	named := func(name string) {
		s.t.Helper()
		s.sees(name, "visual", func(v seen) bool { return v.text("visual", "roots", 0, "name") == name })
	}
	open := func() *app {
		return s.start("konsole", "--separate", "-p", "LocalTabTitleFormat=build  log", "-e", "sleep", "600")
	}
	defer open().end()
	named("build log — Konsole")
	second := open()
	named("build log — Konsole <2>")
	// What is private is named by what people see.
	s.config("private: {titles: ['build log — Konsole <2>']}\n")
	if v := s.look("visual"); v.at("visual") != nil {
		s.t.Errorf("a private window was read: %s", v.raw)
	}
	s.config(timeEnough)
	second.end()
	named("build log — Konsole")
}
