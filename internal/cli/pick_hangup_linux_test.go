package cli_test

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
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
	// Handled here, a signal is as usual for the program, also where these tests run under nohup.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, unix.SIGHUP)
	defer signal.Stop(heard)
	const closed = unix.Signal(0) // the terminal goes away, and the program ignores the signal of that
	for _, sent := range []unix.Signal{unix.SIGHUP, unix.SIGTERM, closed} {
		if sent == closed {
			signal.Ignore(unix.SIGHUP)
		}
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
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		cmd := exec.CommandContext(ctx, program, "pick", "--no-builtin", "--context", "c.json")
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
		if sent == closed {
			_ = master.Close()
		} else if err := cmd.Process.Signal(sent); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Errorf("%s: exit 0", sent)
		}
		if ctx.Err() != nil {
			t.Errorf("%s: the program lives on", sent)
		}
		stop()
		if sent != closed && !cooked() {
			t.Errorf("%s leaves the terminal in raw mode (%s)", sent, cmd.ProcessState)
		}
		_ = slave.Close()
		_ = master.Close()
	}
}
