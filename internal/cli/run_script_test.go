package cli_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestRunScripts runs the scripts of run, skills and pick in-process. A script
// has a home and a working directory of its own and no other environment.
// `runs ARGS...` calls the program, `exits CODE ARGS...` expects that exit
// code; an argument `<FILE` is its standard input.
func TestRunScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "run"),
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("USERPROFILE", filepath.Join(env.WorkDir, "home"))
			env.Setenv("PATH", "")
			env.Cd = filepath.Join(env.WorkDir, "work")
			return os.MkdirAll(env.Cd, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"runs": func(ts *testscript.TestScript, neg bool, args []string) {
				if code := callMain(t, ts, args); (code != 0) != neg {
					ts.Fatalf("exit code %d", code)
				}
			},
			"exits": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				if code := callMain(t, ts, args[1:]); code != want {
					ts.Fatalf("exit code %d, want %d", code, want)
				}
			},
		},
	})
}

func callMain(t *testing.T, ts *testscript.TestScript, args []string) int {
	call := cli.Invocation{Stdout: ts.Stdout(), Stderr: ts.Stderr(), Env: ts.Getenv, Dir: ts.MkAbs(".")}
	input := ""
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "<"); ok && name != "" {
			input = ts.ReadFile(name)
			continue
		}
		call.Args = append(call.Args, arg)
	}
	call.Stdin = strings.NewReader(input)
	return cli.Main(t.Context(), call)
}
