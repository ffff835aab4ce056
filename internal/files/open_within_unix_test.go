//go:build unix

package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/pertain-dev/pertain/internal/files"
)

// TestSpecialsAreNotRead: nothing that may wait or never end is opened, wherever links lead.
func TestSpecialsAreNotRead(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	targets := map[string]string{"zero": "/dev/zero", "tty": "/dev/tty", "linked": "pipe"}
	if runtime.GOOS == "linux" {
		targets["environ"], targets["messages"], targets["sys"] = "/proc/self/environ", "/proc/kmsg", "/sys/kernel/uevent_seqnum"
	}
	for name, target := range targets {
		link(t, target, filepath.Join(dir, name))
	}
	targets["pipe"] = "pipe"
	for name, target := range targets {
		if _, err := os.Lstat(target); err != nil && filepath.IsAbs(target) {
			continue // not on this machine
		}
		_, _, err := files.ReadWithin(files.OS(), filepath.Join(dir, name), files.Anywhere(), 100)
		var irregular *files.NotRegularError
		if !errors.As(err, &irregular) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOwners needs root, who alone can give files away.
func TestOwners(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	t.Setenv("SUDO_UID", "")
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	info := func() files.Info {
		a, err := files.OS().Stat(path)
		b, _, err2 := files.StatWithin(files.OS(), path, files.Anywhere())
		if err != nil || err2 != nil || a.Foreign != b.Foreign || a.Shared != b.Shared || a.Public != b.Public {
			t.Fatalf("%+v %+v %v %v", a, b, err, err2)
		}
		return a
	}
	if i := info(); i.Foreign || i.Shared || i.Public {
		t.Errorf("one's own: %+v", i)
	}
	if err := os.Chown(path, 4711, 4711); err != nil {
		t.Skip(err)
	}
	if i := info(); !i.Foreign || i.Shared {
		t.Errorf("another's: %+v", i)
	}
	t.Setenv("SUDO_UID", "4711")
	if i := info(); i.Foreign {
		t.Errorf("of who called sudo: %+v", i)
	}
	for mode, want := range map[os.FileMode][2]bool{0o664: {false, false}, 0o666: {true, true}} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if i := info(); i.Shared != want[0] || i.Public != want[1] {
			t.Errorf("%o: %+v", mode, i)
		}
	}
	if err := errors.Join(os.Chown(path, 0, 4711), os.Chmod(path, 0o664)); err != nil {
		t.Fatal(err)
	}
	if i := info(); !i.Shared || i.Public {
		t.Errorf("a group's: %+v", i)
	}
	// Whoever made a link says what it leads to.
	link(t, "a", filepath.Join(dir, "link"))
	if err := os.Lchown(filepath.Join(dir, "link"), 4712, 0); err != nil {
		t.Fatal(err)
	}
	if i, err := files.OS().Stat(filepath.Join(dir, "link")); err != nil || !i.Foreign {
		t.Errorf("another's link: %+v %v", i, err)
	}
}
