package cli_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestMain lets scripts run the program as a process of its own, with its real environment and working directory. Its name is
// not `pertain`, because other scripts of this folder have a command of that name that runs it in-process.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"program": func() { os.Exit(cli.Run()) }})
}

// TestScripts runs the scripts of the strategy commands. A script has a home of its own and starts in a folder that is no
// workspace. `exits CODE ARGS...` runs the program and wants that exit code; whatever it prints, it must be no panic, and an
// exit code of 2 comes with one line on stderr and nothing on stdout. `lines FILE N` counts lines.
// UPDATE_SCRIPTS=1 rewrites the expected outputs.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("USERPROFILE", filepath.Join(env.WorkDir, "home"))
			env.Setenv("APPDATA", "")
			env.Setenv("XDG_CONFIG_HOME", "")
			env.Setenv("XDG_STATE_HOME", "")
			env.Setenv("PERTAIN_CONFIG", "")
			env.Setenv("DISPLAY", "")
			env.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
			env.Cd = filepath.Join(env.WorkDir, "work")
			return os.MkdirAll(env.Cd, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"lines": lines,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec("program", args[1:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
	if strings.Contains(stdout+stderr, "goroutine ") {
		ts.Fatalf("a stack trace is printed")
	}
	if code == 2 && (stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "pertain: ")) {
		ts.Fatalf("a wrong call is answered with\n%s%s", stdout, stderr)
	}
}

func lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	if n := strings.Count(ts.ReadFile(args[0]), "\n"); fmt.Sprint(n) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], n, args[1])
	}
}
