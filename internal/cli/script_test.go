package cli_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestMain lets scripts run the program as a process of its own, with its real environment and working directory. Its name is
// not `pertain`, because scripts have a command of that name that runs it in-process.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"program": func() { os.Exit(cli.Run()) }})
}

// The strategy commands run as processes; the others in-process, which is faster, and without the machine's programs. With the
// race detector a process takes long to start, and what it finds in one it finds in-process: there only scripts that need the
// real input and environment have processes.

func TestScripts(t *testing.T) {
	if !raceEnabled {
		runScripts(t, "script", process)
		return
	}
	needs := []string{"calls.txtar", "context.txtar", "match.txtar"}
	var real, others []string
	for _, path := range scripts(t, "script") {
		if slices.Contains(needs, filepath.Base(path)) {
			real = append(real, path)
		} else {
			others = append(others, path)
		}
	}
	runFiles(t, real, process)
	runFiles(t, others, inProcess)
}

func TestRunScripts(t *testing.T)   { runScripts(t, "run", inProcess, "PATH") }
func TestRulesScripts(t *testing.T) { runScripts(t, "rules", inProcess, "PATH") }
func TestSetupScripts(t *testing.T) { runScripts(t, "setup", inProcess, "PATH") }
func TestGuardScripts(t *testing.T) { runScripts(t, "guard", inProcess, "PATH") }

func runScripts(t *testing.T, folder string, run runner, unset ...string) {
	t.Helper()
	runFiles(t, scripts(t, folder), run, unset...)
}

// scripts are those of a folder of testdata.
func scripts(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts in %s: %v", folder, err)
	}
	return paths
}

// runFiles runs scripts. A script has a home of its own, starts in a folder that is no workspace,
// and sees no desktop. Its commands:
//
//	exits CODE ARGS...   the program ends with that code; `<FILE` among the arguments is its input
//	pertain ARGS...      it ends with 0; after `!`, with another
//	runs ARGS...         the same
//	lines FILE N         the file, stdout or stderr has that many lines
//	bytes FILE TEXT      the file is written with that text, in which Go's escapes stand for any bytes
//
// Whatever the program prints, it must be no stack trace, and an exit code of 2 comes with one line on stderr and nothing on
// stdout. UPDATE_SCRIPTS=1 rewrites the expected outputs.
func runFiles(t *testing.T, paths []string, run runner, unset ...string) {
	t.Helper()
	code := func(ts *testscript.TestScript, args []string) int { return checked(t, ts, run, args) }
	zero := func(ts *testscript.TestScript, neg bool, args []string) {
		if got := code(ts, args); (got != 0) != neg {
			ts.Fatalf("exit code %d", got)
		}
	}
	testscript.Run(t, testscript.Params{
		Files:         paths,
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup:         func(env *testscript.Env) error { return setUp(env, unset) },
		Condition:     condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 1 {
					ts.Fatalf("usage: exits CODE ARGS...")
				}
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				if got := code(ts, args[1:]); got != want {
					ts.Fatalf("exit code %d, want %d", got, want)
				}
			},
			"pertain": zero,
			"runs":    zero,
			"lines":   lines,
			"bytes":   writeBytes,
		},
	})
}

func setUp(env *testscript.Env, unset []string) error {
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("USERPROFILE", filepath.Join(env.WorkDir, "home"))
	for _, name := range append(unset, "APPDATA", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "PERTAIN_CONFIG", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS") {
		env.Setenv(name, "")
	}
	env.Cd = filepath.Join(env.WorkDir, "work")
	return os.MkdirAll(env.Cd, 0o755)
}

// condition knows `[root]`: permissions mean nothing to the superuser; and `[race]`: what is slow is many times slower then.
func condition(name string) (bool, error) {
	switch name {
	case "root":
		return os.Geteuid() == 0, nil
	case "race":
		return raceEnabled, nil
	}
	return false, fmt.Errorf("there is no condition %q", name)
}

// runner calls the program. What it prints goes to the script too.
type runner func(t *testing.T, ts *testscript.TestScript, args []string) (code int, stdout, stderr string)

func process(_ *testing.T, ts *testscript.TestScript, args []string) (code int, stdout, stderr string) {
	var exit *exec.ExitError
	if err := ts.Exec("program", args...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	return code, ts.ReadFile("stdout"), ts.ReadFile("stderr")
}

func inProcess(t *testing.T, ts *testscript.TestScript, args []string) (code int, stdout, stderr string) {
	var out, notes strings.Builder
	call := cli.Invocation{
		Stdout: io.MultiWriter(ts.Stdout(), &out), Stderr: io.MultiWriter(ts.Stderr(), &notes),
		Env: ts.Getenv, Dir: ts.MkAbs("."),
	}
	input := ""
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, "<"); ok && name != "" {
			input = ts.ReadFile(name)
			continue
		}
		call.Args = append(call.Args, arg)
	}
	call.Stdin = strings.NewReader(input)
	code = cli.Main(t.Context(), call)
	return code, out.String(), notes.String()
}

func checked(t *testing.T, ts *testscript.TestScript, run runner, args []string) int {
	code, stdout, stderr := run(t, ts, args)
	if strings.Contains(stdout+stderr, "goroutine ") {
		ts.Fatalf("a stack trace is printed")
	}
	// A scan that could not look at everything still tells what it has seen.
	scan := slices.Contains(args, "scan") && slices.Contains(args, "rules")
	if code == 2 && (stdout != "" && !scan || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "pertain: ")) {
		ts.Fatalf("a wrong call is answered with\n%s%s", stdout, stderr)
	}
	return code
}

func lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines FILE N")
	}
	if n := strings.Count(ts.ReadFile(args[0]), "\n"); fmt.Sprint(n) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], n, args[1])
	}
}

func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE TEXT")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}
