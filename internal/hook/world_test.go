package hook_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/hook"
	"github.com/pertain-dev/pertain/internal/journal"
)

// world is a project, a home, and an agent that works there.
type world struct {
	t        *testing.T
	dir      string
	home     string
	env      map[string]string
	account  string // the home as the system knows it
	process  string // the folder that the hook is started in; empty: dir
	lastErrs string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(lastingDir(t))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: filepath.Join(base, "w"), home: filepath.Join(base, "home")}
	w.env = map[string]string{"HOME": w.home, "USERPROFILE": w.home}
	w.file(".git/HEAD", "ref: refs/heads/main\n")
	return w
}

// file writes a file of the project or, with ~/ before it, of the home.
func (w *world) file(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		path = filepath.Join(w.home, filepath.FromSlash(rest))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// noEval is a project with a trigger, a rule for a kind of file, one that always holds and one that can be read.
func noEval(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.file(".omp/rules/no-eval.md", "---\nttsr_trigger: eval\\(\"\n---\nNever use eval.\n")
	w.file(".omp/rules/types.md", "---\nglobs: '**/*.ts'\n---\nUse strict types.\n")
	w.file(".omp/rules/always.md", "---\nalwaysApply: true\n---\nBe kind.\n")
	w.file(".omp/rules/tests.md", "---\ndescription: How to write tests\n---\nWrite tables.\n")
	return w
}

// run calls a hook.
func (w *world) run(input string, args ...string) (output string, code int) {
	w.t.Helper()
	var out, errs bytes.Buffer
	code = hook.Run(w.t.Context(), hook.Call{
		Args: args, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs, Dir: cmp.Or(w.process, w.dir), Account: w.account,
		Env: func(name string) string { return w.env[name] },
	})
	w.lastErrs = errs.String()
	return out.String(), code
}

// event calls a hook with a value as its input, and returns its output, which must be JSON.
func (w *world) event(input any, args ...string) string {
	w.t.Helper()
	data, err := json.Marshal(input)
	if err != nil {
		w.t.Fatal(err)
	}
	out, code := w.run(string(data), args...)
	if code != 0 || !json.Valid([]byte(out)) {
		w.t.Fatalf("%v: exit %d, %q, %q", args, code, out, w.lastErrs)
	}
	return out
}

type fields map[string]any

// claude calls a hook of Claude Code in a conversation.
func (w *world) claude(event string, more fields) string {
	w.t.Helper()
	input := fields{"session_id": "s1", "cwd": w.dir, "hook_event_name": event, "transcript_path": "/x", "permission_mode": "default"}
	for k, v := range more {
		input[k] = v
	}
	return w.event(input, "claude")
}

var calls int

// write is a call that writes a file, before it is made.
func (w *world) write(path, content string) string {
	w.t.Helper()
	calls++
	return w.claude("PreToolUse", fields{"tool_name": "Write", "tool_use_id": fmt.Sprintf("toolu_%d", calls), "tool_input": fields{"file_path": filepath.Join(w.dir, path), "content": content}})
}

// read is a call that has read a file.
func (w *world) read(path string) string {
	w.t.Helper()
	return w.claude("PostToolUse", fields{"tool_name": "Read", "tool_use_id": "toolu_r", "tool_input": fields{"file_path": filepath.Join(w.dir, path)}, "tool_response": fields{}})
}

func (w *world) begin(source string) string {
	w.t.Helper()
	return w.claude("SessionStart", fields{"source": source})
}

// journal is what rules did, as `rule action path heeded`.
func (w *world) journal() []string {
	w.t.Helper()
	entries, err := journal.At(filepath.Join(w.home, ".local", "state", "pertain")).Entries(w.t.Context(), journal.Filter{})
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		text := e.Rule + " " + string(e.Action)
		if e.Path != nil {
			text += " " + *e.Path
		}
		if e.Heeded != nil {
			text += fmt.Sprintf(" %v", *e.Heeded)
		}
		out = append(out, text)
	}
	return out
}

func has(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%q is not in %s", word, text)
		}
	}
}

func lacks(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if strings.Contains(text, word) {
			t.Errorf("%q is in %s", word, text)
		}
	}
}

const nothing = "{}\n"

// lastingDir is a folder that is removed when nobody writes into it any more: a hook that
// ran out of time answers, and what it was doing goes on for a moment.
func lastingDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pertain-hook-") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
			err := os.RemoveAll(dir)
			if err == nil {
				return
			}
			if time.Now().After(end) {
				t.Error(err)
				return
			}
		}
	})
	return dir
}
