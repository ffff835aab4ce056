package hook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/hook"
)

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// unread calls a hook whose output cannot be written.
func (w *world) unread(input fields, args ...string) (errs string, code int) {
	w.t.Helper()
	data, err := json.Marshal(input)
	if err != nil {
		w.t.Fatal(err)
	}
	var said bytes.Buffer
	code = hook.Run(w.t.Context(), hook.Call{
		Args: args, Stdin: bytes.NewReader(data), Stdout: full{}, Stderr: &said, Dir: w.dir,
		Env: func(name string) string { return w.env[name] },
	})
	return said.String(), code
}

// TestLostDenial: a denial that cannot be written is one by the exit code, where the agent knows that.
func TestLostDenial(t *testing.T) {
	for agent, is := range numbered {
		w := noEval(t)
		errs, code := w.unread(is.call(w, "c", bad), agent)
		if code != 2 {
			t.Errorf("%s: exit %d, %q", agent, code, errs)
		}
		has(t, errs, "Never use eval.")
		if diff := cmp.Diff([]string{"no-eval denied a.js"}, w.journal()); diff != "" {
			t.Errorf("%s: %s", agent, diff)
		}
		errs, code = w.unread(is.call(w, "d", "fine"), agent) // nothing is lost by an answer that says nothing
		if code != 0 || strings.Contains(errs, "cannot be written") {
			t.Errorf("%s: exit %d, %q", agent, code, errs)
		}
		errs, code = w.unread(fields{}, agent, "--fail-closed")
		if code != 2 || !strings.Contains(errs, "could not check this call") {
			t.Errorf("%s --fail-closed: exit %d, %q", agent, code, errs)
		}
	}
}

// TestLostAnswer: what the model was not told is told later, and the journal does not say that it was.
func TestLostAnswer(t *testing.T) {
	w := noEval(t)
	begin := fields{"session_id": "s1", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup"}
	read := fields{"session_id": "s1", "cwd": w.dir, "hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": fields{"file_path": filepath.Join(w.dir, "a.ts")}}
	for _, input := range []fields{begin, read} {
		errs, code := w.unread(input, "claude")
		if code != 0 || !strings.Contains(errs, "cannot be written") || strings.Count(errs, "\n") != 1 {
			t.Errorf("exit %d, %q", code, errs)
		}
	}
	if got := w.journal(); len(got) > 0 {
		t.Error(got)
	}
	seen, err := hook.LastSeen(t.Context(), filepath.Join(w.home, ".local", "state", "pertain"))
	if err != nil || len(seen) != 2 || !strings.Contains(seen[0].Problem, "cannot be written") {
		t.Errorf("%v %v", seen, err)
	}
	has(t, w.event(read, "claude"), "Use strict types.")
	if diff := cmp.Diff([]string{"types given a.ts"}, w.journal()); diff != "" {
		t.Error(diff)
	}

	cline := fields{"taskId": "t", "workspaceRoots": []string{w.dir}, "preToolUse": fields{"toolName": "write_to_file", "parameters": fields{"path": "a.js", "content": bad}}}
	if errs, code := w.unread(cline, "cline"); code != 0 { // it cannot deny
		t.Errorf("exit %d, %q", code, errs)
	}
	if got := w.journal(); len(got) != 1 {
		t.Error(got)
	}
}
