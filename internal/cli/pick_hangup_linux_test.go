package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestPickHangup: whoever ends pick from outside gets the terminal back as it was.
func TestPickHangup(t *testing.T) {
	program, err := exec.LookPath("program")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	folder := filepath.Join(home, ".config/pertain/strategies")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.strategy.md"), []byte("---\nname: A\n---\nBody\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "c.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []unix.Signal{unix.SIGHUP, unix.SIGTERM} {
		master, slave := openPTY(t, 80, 24)
		cooked := func() bool {
			modes, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			return modes.Lflag&unix.ICANON != 0
		}
		go func() {
			buffer := make([]byte, 4096)
			for {
				if _, err := master.Read(buffer); err != nil {
					return
				}
			}
		}()
		cmd := exec.Command(program, "pick", "--no-builtin", "--context", "c.json")
		cmd.Dir, cmd.Stdin, cmd.Stderr = home, slave, slave
		cmd.Env = []string{"HOME=" + home, "TERM=xterm-256color"}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); cooked(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				_ = cmd.Process.Kill()
				t.Fatal("pick never took the terminal")
			}
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Errorf("%s: exit 0", signal)
		}
		if !cooked() {
			t.Errorf("%s leaves the terminal in raw mode (%s)", signal, cmd.ProcessState)
		}
		_ = slave.Close()
		_ = master.Close()
	}
}
