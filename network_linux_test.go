//go:build linux && amd64

package pertain_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoNetworkCalls runs the program under a tracer and fails if it, or a program it starts, asks the
// kernel for a socket that could leave the machine. A dialer is traced first: a tracer that misses it proves nothing.
func TestNoNetworkCalls(t *testing.T) {
	dialer := filepath.Join(t.TempDir(), "dialer")
	buildProgram(t, dialer, filepath.Join("testdata", "dialer", "main.go"))
	trace, err := follow(t, tracedRun{argv: []string{dialer}})
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOSYS) {
		t.Skipf("this system does not permit ptrace: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(trace.sockets) == 0 || !strings.Contains(trace.sockets[0], "family 2") {
		t.Fatalf("the tracer missed a program that dials: %+v", trace)
	}

	// The test cache does not see what the go command below reads: reading the sources here makes it look.
	ownTree(t)
	if _, err := os.Stat("cmd/pertain"); err != nil {
		t.Skip("there is no cmd/pertain")
	}
	program := filepath.Join(t.TempDir(), "pertain")
	buildProgram(t, program, "./cmd/pertain")
	folder := t.TempDir()
	file := filepath.Join(folder, "x.strategy.md")
	text := "---\nname: X\nwhen:\n  clipboard.text:\n    contains: x\n---\nSay what this is.\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"version"}, 0},
		{[]string{"--help"}, 0},
		{[]string{"completion", "bash"}, 0},
		{[]string{"trust", "--list"}, 0},
		{[]string{"new", "strategy", "example"}, 0},
		{[]string{"lint"}, 0},
		{[]string{"lint", folder}, 0},
		{[]string{"lint", "--json", file}, 0},
		{[]string{"lint", filepath.Join(folder, "missing")}, 2},
	} {
		t.Run(strings.ReplaceAll(strings.Join(c.args, " "), folder, "folder"), func(t *testing.T) {
			trace, err := follow(t, tracedRun{argv: append([]string{program}, c.args...)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string(nil), trace.sockets); diff != "" {
				t.Errorf("opened sockets (-want +got):\n%s", diff)
			}
			if trace.calls < 10 || trace.code != c.code {
				t.Errorf("exit code %d after %d system calls, want %d; output:\n%s", trace.code, trace.calls, c.code, trace.output)
			}
		})
	}
}

func buildProgram(t *testing.T, output, source string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "build", "-o", output, source)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", source, err, text)
	}
}
