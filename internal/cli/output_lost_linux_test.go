package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestOutputLost: a command whose output could not be written says so; one whose output
// was discarded, or is no longer read, does not.
func TestOutputLost(t *testing.T) {
	program, err := exec.LookPath("program")
	if err != nil {
		t.Fatal(err)
	}
	open := func(name string, flag int) *os.File {
		f, err := os.OpenFile(name, flag, 0)
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	full, discarded := open("/dev/full", os.O_WRONLY), open(os.DevNull, os.O_RDWR) // as Python opens it
	run := func(stdout *os.File, input string, name string, args ...string) (int, string) {
		t.Helper()
		var notes bytes.Buffer
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = t.TempDir(), strings.NewReader(input), stdout, &notes
		cmd.Env = []string{"HOME=" + cmd.Dir, "PATH=/usr/bin:/bin"}
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), notes.String()
	}
	for _, c := range []struct{ args, input string }{
		{"version", ""},
		{"help", ""},
		{"guard --help", ""},
		{"completion bash", ""},
		{"match", ""},
		{"rules", ""},
		{"skills", ""},
		{"lint", ""},
		{"lint --json", ""},
		{"trust", ""},
		{"trust --list --json", ""},
		{"new strategy x", ""},
		{"new strategy --stdout x", ""},
		{"guard", "text"},
		{"context --only environment", ""},
	} {
		args := strings.Fields(c.args)
		code, notes := run(full, c.input, program, args...)
		if code != 2 || notes != "pertain: standard output cannot be written: no space left on device\n" {
			t.Errorf("%s into a full disk: exit code %d, %s", c.args, code, notes)
		}
		if code, notes := run(discarded, c.input, program, args...); code != 0 {
			t.Errorf("%s discarded: exit code %d, %s", c.args, code, notes)
		}
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	for script, want := range map[string]int{
		`"$0" guard >&-; exit $?`: 2, `"$0" version >&-; exit $?`: 2, `exec >&-; "$0" version; exit $?`: 2,
		`"$0" version >/dev/null; exit $?`: 0, `"$0" guard --json >&-; exit $?`: 0, // it has nothing to say
	} {
		if code, notes := run(writer, "text", shell, "-c", script, program); code != want || want == 2 && !strings.Contains(notes, "standard output cannot be written: it is closed") {
			t.Errorf("%s: exit code %d, %s", script, code, notes)
		}
	}
	// A shell that ignores the signal of a pipe that nobody reads: the program is quiet.
	if code, notes := run(writer, "", shell, "-c", `trap "" PIPE; { "$0" help; echo $? >&2; } | true`, program); code != 0 || notes != "0\n" && notes != "141\n" {
		t.Errorf("a pipe that nobody reads: %d, %s", code, notes)
	}
}

// TestInputClosed: a command that reads standard input says that it is closed; no input
// is something else.
func TestInputClosed(t *testing.T) {
	program, err := exec.LookPath("program")
	if err != nil {
		t.Fatal(err)
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	for _, command := range []string{"guard", "guard --json", "rules for -", "match --context -", "run x --plan -", "mcp"} {
		for script, want := range map[string]bool{
			`"$0" ` + command + ` <&-; exit $?`:        true,
			`exec <&-; "$0" ` + command + `; exit $?`:  true,
			`"$0" ` + command + ` </dev/null; exit $?`: false,
		} {
			var notes bytes.Buffer
			cmd := exec.Command(shell, "-c", script, program)
			cmd.Dir, cmd.Stdin, cmd.Stderr = t.TempDir(), reader, &notes
			cmd.Env = []string{"HOME=" + cmd.Dir, "PATH=/usr/bin:/bin"}
			_ = cmd.Run()
			code, told := cmd.ProcessState.ExitCode(), strings.Contains(notes.String(), "standard input is closed")
			if told != want || want && code != 2 {
				t.Errorf("%s: exit code %d, %s", script, code, notes.String())
			}
		}
	}
}
