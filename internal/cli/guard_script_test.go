package cli

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
)

// TestGuardScripts runs the scripts of guard, rules test and rules scan in-process.
// `exits CODE ARGS...` runs the program and expects that exit code; `<FILE` is its
// input. UPDATE_SCRIPTS=1 rewrites the expected outputs.
func TestGuardScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "guard"),
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("USERPROFILE", filepath.Join(env.WorkDir, "home"))
			env.Cd = filepath.Join(env.WorkDir, "work")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				if code := runTriggers(ts, args[1:]); code != want {
					ts.Fatalf("exit code %d, want %d", code, want)
				}
			},
		},
	})
}

func runTriggers(ts *testscript.TestScript, args []string) int {
	call := Invocation{Stdin: strings.NewReader(""), Stdout: ts.Stdout(), Stderr: ts.Stderr(), Env: ts.Getenv, Dir: ts.MkAbs(".")}
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "<"); ok {
			call.Stdin = strings.NewReader(ts.ReadFile(name))
			continue
		}
		call.Args = append(call.Args, arg)
	}
	a := &app{call: call}
	root := a.rootCommand()
	rules, _, _ := root.Find([]string{"rules"})
	ensure(root, a.guardCommand())
	ensure(rules, a.rulesTestCommand(), a.rulesScanCommand())
	root.SetArgs(call.Args)
	root.SetIn(call.Stdin)
	root.SetOut(call.Stdout)
	root.SetErr(call.Stderr)
	return a.exitCode(root.ExecuteContext(context.Background()))
}

// ensure adds commands that are not there.
func ensure(parent *cobra.Command, commands ...*cobra.Command) {
	for _, cmd := range commands {
		if found, _, err := parent.Find([]string{cmd.Name()}); err != nil || found == parent {
			parent.AddCommand(cmd)
		}
	}
}
