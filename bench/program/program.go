// Package program builds Pertain as users get it and runs it, and others, as
// processes of their own: [Built] or [Build], then [Run] or [Start].
package program

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Build makes the program and returns its path.
func Build(dir string) (string, error) {
	path := filepath.Join(dir, "pertain")
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", path, "./cmd/pertain")
	command.Dir = ".."
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the program does not build: %w\n%s", err, out)
	}
	return path, nil
}

// Built makes the program in a folder of its own, which is gone when do returns.
func Built(do func(dir, pertain string) error) error {
	dir, err := os.MkdirTemp("", "pertain-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	pertain, err := Build(dir)
	if err != nil {
		return err
	}
	return do(dir, pertain)
}

// Cost is what one run of a program takes.
type Cost struct {
	Processor time.Duration // of user and system
	Wall      time.Duration
}

// Environment is where a program runs: with this home folder, and nothing else of this
// process' environment but where programs are.
type Environment struct{ Home, Dir string }

func (p Environment) command(argv []string) *exec.Cmd {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = p.Dir
	cmd.Env = []string{"HOME=" + p.Home, "PATH=" + os.Getenv("PATH")}
	return cmd
}

// Run runs a program to its end.
func (p Environment) Run(input string, argv ...string) (output string, spent Cost, err error) {
	cmd := p.command(argv)
	cmd.Stdin = strings.NewReader(input)
	began := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return "", Cost{}, fmt.Errorf("%s: %w", argv[0], err)
	}
	return string(out), Cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(began)}, nil
}
