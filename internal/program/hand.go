package program

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Running is a program that was handed the terminal.
type Running struct{ cmd *exec.Cmd }

// Hand starts the program with the caller's own files, such as a terminal, and does
// not wait for it. It lives until it ends by itself or by a signal.
func (p Program) Hand(call Call, args ...string) (*Running, error) {
	if p.path == "" {
		return nil, ErrNotFound
	}
	cmd := exec.Command(p.path, args...) //nolint:noctx // it ends by itself: whoever has the terminal decides
	cmd.Dir = call.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = call.Stdin, call.Stdout, call.Stderr
	cmd.Env = append([]string{}, call.Env...) // nil would be our own
	cmd.WaitDelay = call.Wait
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Running{cmd}, nil
}

// Signal passes a signal on. A program that has ended hears none.
func (r *Running) Signal(signal os.Signal) { _ = r.cmd.Process.Signal(signal) }

// Wait waits for the program's end and gives its exit code: 128 and the number of the
// signal that ended it.
func (r *Running) Wait() (int, error) {
	err := r.cmd.Wait()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) && !errors.Is(err, exec.ErrWaitDelay) {
		return 0, err
	}
	state := r.cmd.ProcessState
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return state.ExitCode(), nil
}
