package hook_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/pertain-dev/pertain/internal/hook"
)

const secret = "hunter2-secret-4711"

// TestHostile: whatever comes, the agent gets an answer, and nothing of the call is told or kept.
func TestHostile(t *testing.T) {
	inputs := []string{
		"", "garbage " + secret, "null", "[]", "1", `"` + secret + `"`, "{", `{"hook_event_name":"` + secret + `"}`, `{"hook_event_name":1}`,
		`{"hook_event_name":"PreToolUse"}`, `{"hook_event_name":"PreToolUse","tool_name":5,"tool_input":7,"session_id":{},"cwd":[]}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":"` + secret + `"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":{},"content":[{"a":"` + secret + `"}]}}`,
		`{"hook_event_name":"PreToolUse","cwd":"/no/such/` + secret + `"}`, `{"hook_event_name":"PreToolUse","cwd":"\u0000` + secret + `"}`,
		`{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"` + secret + `\n` + secret + `"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Write","session_id":"` + secret + `","tool_use_id":"` + secret + `","tool_input":{"file_path":"x.js","content":"eval(\"` + secret + `"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"` + secret + `\n","content":"eval(\""}}`,
		`{"hook_event_name":"Stop","last_assistant_message":"eval(\"` + secret + `"}`, `{"hook_event_name":"Stop","last_assistant_message":{}}`,
		strings.Repeat("[", 100_000), `{"a":` + strings.Repeat(`{"a":`, 100_000), "\xff\xfe\x00",
		`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"x.js","content":"` + strings.Repeat(secret+" ", 1<<20) + `eval(\""}}`, // 20 MB
	}
	for _, agent := range hook.Agents() {
		w := noEval(t)
		for _, input := range inputs {
			if len(input) > 1<<20 && agent != "claude" {
				continue
			}
			out, code := w.run(input, agent)
			if code != 0 && !(agent == "windsurf" && code == 2) {
				t.Errorf("%s %.60s: exit %d", agent, input, code)
			}
			if strings.Contains(w.lastErrs+out, secret) || strings.Count(w.lastErrs, "\n") > 1 {
				t.Errorf("%s %.60s: %q %.300q", agent, input, w.lastErrs, out)
			}
		}
		err := filepath.WalkDir(w.home, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data)+path, secret) {
				t.Errorf("%s: %s holds a text of a call: %v", agent, path, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestArguments(t *testing.T) {
	w := noEval(t)
	for _, args := range [][]string{{}, {"nobody"}, {"--bogus"}, {"claude", "--bogus"}, {"claude", "a", "b", "c"}, {strings.Repeat("x", 10_000)}} {
		out, code := w.run(`{"hook_event_name":"SessionEnd"}`, args...)
		if code != 0 || out != nothing || strings.Count(w.lastErrs, "\n") != 1 || len(w.lastErrs) > 1000 {
			t.Errorf("%.40q: exit %d, %q, %q", args, code, out, w.lastErrs)
		}
	}
}

// TestCwd: the folder may be named on the command line, for agents that do not tell it.
func TestCwd(t *testing.T) {
	w := noEval(t)
	dir := w.dir
	w.dir = filepath.Dir(dir)
	for _, args := range [][]string{{"claude", "--cwd", dir}, {"--cwd=" + filepath.Base(dir), "claude"}} {
		out, _ := w.run(`{"hook_event_name":"SessionStart","session_id":"s"}`, args...)
		has(t, out, "Be kind.")
	}
	if out, code := w.run(`{"hook_event_name":"SessionStart","session_id":"s"}`, "claude", "--cwd", "none"); out != nothing || code != 0 {
		t.Errorf("%d %s", code, out)
	}
}

func TestFailClosed(t *testing.T) {
	w := noEval(t)
	out, _ := w.run("garbage", "claude", "--fail-closed")
	has(t, out, `"permissionDecision":"deny"`, "could not check this call")
	out, _ = w.run(`{"hook_event_name":"PreToolUse","cwd":"/no/such/folder"}`, "--fail-closed", "claude")
	has(t, out, `"deny"`)
	out, _ = w.run(`{"hook_event_name":"PostToolUse","cwd":"/no/such/folder"}`, "claude", "--fail-closed")
	if out != nothing {
		t.Errorf("%s", out)
	}
	out, code := w.run("garbage", "windsurf", "--fail-closed")
	if code != 2 || out != "" {
		t.Errorf("exit %d, %q", code, out)
	}
	has(t, w.write("a.js", "fine"), nothing)
}

// TestWithoutHome: without a place to remember anything, rules still hold.
func TestWithoutHome(t *testing.T) {
	w := noEval(t)
	w.env = map[string]string{}
	has(t, w.write("a.js", bad), `"deny"`)
	has(t, w.lastErrs, "cannot be read or written")
	has(t, w.begin("startup"), "Be kind.")
	// Nor where it cannot be written.
	w.env = map[string]string{"HOME": w.home, "USERPROFILE": w.home}
	w.file("~/.local/state/pertain", "a file")
	has(t, w.write("a.js", bad), `"deny"`)
}

func TestBrokenRule(t *testing.T) {
	w := noEval(t)
	w.file(".omp/rules/broken.md", "---\nttsr_trigger: '('\n---\nBroken.\n")
	has(t, w.write("a.js", bad), `"deny"`)
	if got := w.write("a.js", "fine"); got != nothing {
		t.Errorf("%s", got)
	}
	has(t, w.lastErrs, "a trigger of a rule cannot be used")
	seen, err := hook.LastSeen(t.Context(), filepath.Join(w.home, ".local/state/pertain"))
	if err != nil || len(seen) != 2 || seen[1].Problem == "" || seen[1].Agent != "claude" || seen[1].Event != "before" || seen[1].Workspace != w.dir {
		t.Errorf("%+v, %v", seen, err)
	}
}

func TestSlowInput(t *testing.T) {
	w := noEval(t)
	var out, errs strings.Builder
	code := hook.Run(t.Context(), hook.Call{
		Args: []string{"claude"}, Stdin: iotest.ErrReader(errors.New(secret)), Stdout: &out, Stderr: &errs, Dir: w.dir, Env: func(name string) string { return w.env[name] },
	})
	if code != 0 || out.String() != nothing || strings.Contains(errs.String(), secret) {
		t.Errorf("%d %q %q", code, out.String(), errs.String())
	}
}

const process = "PERTAIN_TEST_HOOK"

// TestHookProcess is not a test but a process of the next one.
func TestHookProcess(t *testing.T) {
	dir := os.Getenv(process)
	if dir == "" {
		t.Skip("it is for TestManyAtOnce")
	}
	os.Exit(hook.Run(t.Context(), hook.Call{Args: []string{"claude"}, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: dir, Env: os.Getenv}))
}

// TestManyAtOnce: hooks of one conversation that run at once, some of them killed, lose no count and give nothing twice.
func TestManyAtOnce(t *testing.T) {
	w := noEval(t)
	var mu sync.Mutex
	denied, given := 0, 0
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestHookProcess$")
			cmd.Env = append(os.Environ(), process+"="+w.dir, "HOME="+w.home, "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
			input := `{"session_id":"s","cwd":"` + w.dir + `","hook_event_name":"PreToolUse","tool_name":"Write","tool_use_id":"` + string(rune('a'+i)) + `","tool_input":{"file_path":"a.js","content":"eval(\"1\")"}}`
			if i%2 == 0 {
				input = `{"session_id":"s","cwd":"` + w.dir + `","hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"a.ts"}}`
			}
			cmd.Stdin = strings.NewReader(input)
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			mu.Lock()
			defer mu.Unlock()
			if strings.Contains(string(out), `"deny"`) {
				denied++
			}
			if strings.Contains(string(out), "strict types") {
				given++
			}
		})
	}
	wait.Wait()
	if denied != 3 || given != 1 {
		t.Errorf("%d of 6 calls were denied, the rule was given %d times", denied, given)
	}
}
