package hook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	input, err := json.Marshal(fields{"session_id": "s1", "cwd": w.dir, "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": "t1",
		"tool_input": fields{"file_path": filepath.Join(w.dir, "src/a.js"), "content": "sleep()"}})
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
