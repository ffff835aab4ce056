package hook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/hook"
)

// TestOwnRulesAreNotLost: where the rules of a project are never read to their end, what the user's own deny is denied.
func TestOwnRulesAreNotLost(t *testing.T) {
	w := noEval(t)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: sleep\\(\nglobs: 'src/**'\n---\nNever sleep.\n")
	stuck := make(chan struct{})
	defer close(stuck)
	env := func(name string) string {
		if bytes.Contains(debug.Stack(), []byte(".watching(")) { // where all rules are looked for
			<-stuck
		}
		return w.env[name]
	}
	input, err := json.Marshal(fields{
		"session_id": "s1", "cwd": w.dir, "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": "t1",
		"tool_input": fields{"file_path": filepath.Join(w.dir, "src/a.js"), "content": "sleep()"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := hook.RunImpatiently(t.Context(), hook.Call{Args: []string{"claude"}, Stdin: bytes.NewReader(input), Stdout: &out, Stderr: &errs, Dir: w.dir, Env: env}); code != 0 {
		t.Errorf("exit %d", code)
	}
	has(t, out.String(), `"deny"`, "Never sleep.")
	has(t, errs.String(), "your own alone were asked")
}

// TestManyWideGlobs: thousands of rules with triggers whose globs stand for a thousand each keep no call from being judged.
func TestManyWideGlobs(t *testing.T) {
	w := newWorld(t)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: sleep\\(\n---\nNever sleep.\n")
	var parts [2]string
	for i := range parts {
		var list []string
		for j := range 32 {
			list = append(list, fmt.Sprintf("part%d", j))
		}
		parts[i] = "{" + strings.Join(list, ",") + "}"
	}
	wide := strings.Join(parts[:], "/") + "/*.ts"
	for i := range 1000 {
		w.file(fmt.Sprintf(".omp/rules/r%04d.md", i), fmt.Sprintf("---\nttsr_trigger: sleep|x%d\nglobs: ['%s','a/%s','b/%s']\nscope: ['tool:write(%s)']\n---\nRule %d.\n", i, wide, wide, wide, wide, i))
	}
	has(t, w.write("src/a.js", "sleep()"), `"deny"`, "Never sleep.")
	has(t, w.lastErrs, "cannot be used")
}

// TestLinkedFile: a link of the repository takes no file out of what the user's rules are for.
func TestLinkedFile(t *testing.T) {
	w := newWorld(t)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: sleep\\(\nglobs: 'src/**'\n---\nNever sleep.\n")
	w.file("~/.omp/agent/rules/scope.md", "---\nttsr_trigger: wake\\(\nscope: 'tool:write(src/**)'\n---\nNever wake.\n")
	w.file("~/.omp/agent/rules/types.md", "---\nglobs: 'src/**/*.ts'\n---\nUse strict types.\n")
	w.file("src/a.ts", "x")
	w.file("deep/x", "")
	for link, target := range map[string]string{"lnk": "src", "file.ts": "src/a.ts", "new.ts": "src/new.ts", "deep/up": "../lnk"} {
		if err := os.Symlink(target, filepath.Join(w.dir, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	for i, path := range []string{"src/a.ts", "lnk/a.ts", "lnk/none/b.ts", "file.ts", "new.ts", "deep/up/a.ts"} {
		w.begin("startup") // the budget, and what was given, begin anew
		has(t, w.write(path, fmt.Sprint("sleep(", i)), `"deny"`, "Never sleep.")
		has(t, w.write(path, fmt.Sprint("wake(", i)), `"deny"`, "Never wake.")
		if path != "new.ts" {
			has(t, w.read(path), "Use strict types.")
		}
	}
	lacks(t, w.write("other/a.ts", "sleep()"), `"deny"`)
}

// TestUnreadRule: a file of rules that was not read is told as that, and not as a trigger.
func TestUnreadRule(t *testing.T) {
	w := noEval(t)
	w.file("~/documents/secret.md", "Secret.")
	if err := os.Symlink(filepath.Join(w.home, "documents"), filepath.Join(w.dir, ".clinerules")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if got := w.write("a.js", "fine"); got != nothing {
		t.Errorf("%s", got)
	}
	has(t, w.lastErrs, "not all files of rules were read")
	lacks(t, w.lastErrs, "trigger")
}
