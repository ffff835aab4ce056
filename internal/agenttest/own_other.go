//go:build !unix

package agenttest

import "os/exec"

// own does nothing where there are no process groups.
func own(*exec.Cmd) {}

// Terminate ends a command.
func Terminate(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
