//go:build unix

package agenttest

import (
	"os/exec"
	"syscall"
)

// own gives a command a process group of its own, which ends as a whole.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// Terminate asks a command to end, as a user who closes the terminal does.
func Terminate(cmd *exec.Cmd) { _ = syscall.Kill(cmd.Process.Pid, syscall.SIGTERM) }
