//go:build desktop && linux

package collect_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDesktopKWin: KDE's compositor tells the window in front also of a program that is
// not on the accessibility bus, and that there is none.
func TestDesktopKWin(t *testing.T) {
	t.Parallel()
	s := newKWinSession(t)
	need(t, "weston-terminal")
	project := filepath.Join(s.home, "project")
	if err := os.MkdirAll(filepath.Join(project, ".pertain"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.config(timeEnough)
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
	if left, _ := filepath.Glob(filepath.Join(s.lookup("XDG_RUNTIME_DIR"), "pertain-*")); len(left) > 0 {
		t.Errorf("scripts stay: %v", left)
	}
}
