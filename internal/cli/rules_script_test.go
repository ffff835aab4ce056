package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestRulesScripts runs the scripts of the rule commands in-process. A script
// has a home of its own; `exits CODE ARGS...` runs the program and expects that
// exit code, `pertain ARGS...` expects 0. `<FILE` is its input.
// UPDATE_SCRIPTS=1 rewrites the expected outputs.
func TestRulesScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "rules"),
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("USERPROFILE", filepath.Join(env.WorkDir, "home"))
			env.Cd = filepath.Join(env.WorkDir, "work")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"pertain": func(ts *testscript.TestScript, neg bool, args []string) {
				if code := runMain(ts, args); (code != 0) != neg {
					ts.Fatalf("exit code %d", code)
				}
			},
			"exits": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				if code := runMain(ts, args[1:]); code != want {
					ts.Fatalf("exit code %d, want %d", code, want)
				}
			},
		},
	})
}

func runMain(ts *testscript.TestScript, args []string) int {
	input := ""
	for i, arg := range args {
		if name, ok := strings.CutPrefix(arg, "<"); ok {
			input, args = ts.ReadFile(name), append(append([]string(nil), args[:i]...), args[i+1:]...)
			break
		}
	}
	return cli.Main(context.Background(), cli.Invocation{
		Args: args, Stdin: strings.NewReader(input), Stdout: ts.Stdout(), Stderr: ts.Stderr(), Env: ts.Getenv, Dir: ts.MkAbs("."),
	})
}
