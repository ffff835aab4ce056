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
