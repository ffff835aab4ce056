package pertain_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// conformanceProgram is the program under test: the one that PERTAIN_BINARY names, else this one.
func conformanceProgram(*testing.T) program {
	if binary := os.Getenv("PERTAIN_BINARY"); binary != "" {
		return external(binary)
	}
	return func(ctx context.Context, in invocation) (outcome, error) {
		var stdout, stderr strings.Builder
		exit := cli.Main(ctx, cli.Invocation{
			Args: in.args, Stdin: strings.NewReader(in.stdin), Stdout: &stdout, Stderr: &stderr,
			Env: func(name string) string { return in.env[name] }, Dir: in.dir,
		})
		return outcome{args: in.args, exit: exit, stdout: stdout.String(), stderr: stderr.String()}, nil
	}
}
