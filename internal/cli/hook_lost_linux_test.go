package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHookOutputLost: a denial is one by the exit code where standard output is full, closed, or a pipe that nobody reads.
func TestHookOutputLost(t *testing.T) {
	program, err := exec.LookPath("program")
	if err != nil {
		t.Fatal(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	reader, unread, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer unread.Close()
	reader.Close()
	dir := t.TempDir()
	rules := filepath.Join(dir, ".omp", "agent", "rules")
	if err := os.MkdirAll(rules, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(rules, "mine.md"), []byte("---\ncondition: VIOL\n---\nMINE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, stdout := range map[string]*os.File{"full": full, "unread": unread, "closed": nil} {
		var notes bytes.Buffer
		cmd := exec.Command(program, "hook", "claude")
		if stdout == nil {
			cmd = exec.Command("sh", "-c", `"$0" hook claude >&-`, program)
		} else {
			cmd.Stdout = stdout
		}
		cmd.Dir, cmd.Stderr, cmd.Env = dir, &notes, []string{"HOME=" + dir, "PATH=/usr/bin:/bin"}
		cmd.Stdin = strings.NewReader(`{"session_id":"` + name + `","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a.ts","content":"VIOL"}}`)
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(notes.String(), "MINE") {
			t.Errorf("%s: exit code %d, %s", name, code, notes.String())
		}
	}
}
