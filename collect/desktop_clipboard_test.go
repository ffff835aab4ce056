//go:build desktop && linux

package collect_test

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"time"
)

// cutClipboard: whoever is cut off by the time limit, or by a signal, in the
// middle of a long transfer leaves the program that serves it as it was: alive,
// and able to serve others. Killed at once, it leaves it alive.
func cutClipboard(s *session, _, _ string) {
	large := strings.Repeat("0123456789abcdef", 64<<16)
	cmd := s.command("xclip", "-quiet", "-selection", "clipboard")
	cmd.Stdin = strings.NewReader(large)
	owner := s.run(cmd)
	defer owner.end()
	alive := func() bool {
		select {
		case <-owner.done:
			return false
		default:
			return true
		}
	}
	whole := func(after string) {
		if got := s.output("timeout", "20", "xclip", "-selection", "clipboard", "-o"); got != large {
			s.t.Fatalf("after %s the clipboard has %d characters", after, len(got))
		}
	}
	s.until("the clipboard", func() bool {
		return s.output("timeout", "20", "xclip", "-selection", "clipboard", "-o") == large
	})
	config := s.settings()
	defer write(s.t, config, settingsFile)
	dir := s.strategies()
	args := []string{"match", "--all", "--json", "--no-builtin", "--strategies", dir}
	cut := 0
	for run := range 50 {
		write(s.t, config, fmt.Sprintf("options: {extraTimeout: %dms}\n", 5+run))
		if out := s.pertain(args...); strings.Contains(out, "extra.provider_timeout") {
			cut++
		}
		if !alive() {
			s.t.Fatalf("run %d has brought down who owns the clipboard", run)
		}
	}
	whole("the time limit")
	write(s.t, config, settingsFile)
	for run := range 20 {
		s.interrupt(syscall.SIGTERM, time.Duration(5*run)*time.Millisecond, args...)
		if !alive() {
			s.t.Fatalf("a signal in run %d has brought down who owns the clipboard", run)
		}
	}
	whole("signals")
	for run := range 20 {
		s.interrupt(syscall.SIGKILL, time.Duration(5*run)*time.Millisecond, args...)
		if !alive() {
			s.t.Fatalf("the kill in run %d has brought down who owns the clipboard", run)
		}
	}
	s.t.Logf("%d of 50 transfers were cut by the time limit", cut)
	if cut == 0 {
		s.t.Error("no transfer was cut")
	}
}

// interrupt runs pertain and sends it a signal after a while.
func (s *session) interrupt(sig syscall.Signal, after time.Duration, args ...string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), after)
	defer cancel()
	cmd := s.command(s.program, args...)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	<-ctx.Done()
	_ = cmd.Process.Signal(sig)
	_ = cmd.Wait()
}
