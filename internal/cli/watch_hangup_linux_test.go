package cli_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestWatchHangup: match --watch ends with its terminal, also where the signal of that
// is ignored, as it is below nohup.
func TestWatchHangup(t *testing.T) {
	program, err := exec.LookPath("program")
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, unix.SIGHUP)
	defer signal.Stop(heard)
	signal.Ignore(unix.SIGHUP)
	master, slave := openPTY(t, 80, 24)
	home := t.TempDir()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, program, "match", "--watch", "--no-builtin")
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = home, slave, slave, slave
	cmd.Env = []string{"HOME=" + home, "TERM=xterm-256color"}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(master).ReadString('\n') // it has listed what there is
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(line, "\x1b[") {
		t.Errorf("a terminal gets no colours: %q", line)
	}
	_ = slave.Close()
	_ = master.Close()
	_ = cmd.Wait()
	if ctx.Err() != nil {
		t.Error("the program lives on")
	}
}
