package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestOwnGlobsAroundRepository: globs of the user's own rules count from the repository of a file too, wherever the agent works. Those of
// others count from the project alone, and no folder that a repository brings along takes a file out.
func TestOwnGlobsAroundRepository(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{".git/objects", ".git/refs", "src/sub/.git/objects", "src/sub/.git/refs"} {
		if err := os.MkdirAll(filepath.Join(w.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.file("src/sub/.git/HEAD", "ref: refs/heads/main\n") // a submodule, or what somebody has put there
	around := filepath.Dir(w.dir)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: sleep\\(\nglobs: 'src/**/*.ts'\n---\nNever sleep.\n")
	w.file("~/.omp/agent/rules/types.md", "---\nglobs: 'src/**/*.ts'\n---\nMy strict types.\n")
	w.file("../.omp/rules/theirs.md", "---\nttsr_trigger: sleep\\(\nglobs: 'src/**/*.ts'\n---\nTheir sleep.\n")
	w.file("../.omp/rules/kinds.md", "---\nglobs: 'src/**/*.ts'\n---\nTheir types.\n")
	w.file("src/a.ts", "x")
	w.file("lib/a.ts", "x")
	w.file("src/in/.pertain/x", "x")
	w.file("src/in/.git/HEAD", "x")
	calls := 0
	call := func(event, dir, name string) string {
		calls++
		return w.event(fields{
			"session_id": fmt.Sprint("s", calls), "cwd": dir, "hook_event_name": event, "tool_name": "Write",
			"tool_input": fields{"file_path": filepath.Join(w.dir, name), "content": "sleep()"},
		}, "claude")
	}
	for dir, told := range map[string]string{
		around: "", filepath.Dir(around): "", w.dir: "", filepath.Join(w.dir, "lib"): "", filepath.Join(w.dir, "src", "sub"): "",
		filepath.Join(w.dir, "gone"): "no folder", filepath.Join(around, "none", "at", "all"): "no folder",
	} {
		for _, name := range []string{"src/a.ts", "src/in/a.ts", "src/new/a.ts", "src/sub/a.ts"} {
			out := call("PreToolUse", dir, name)
			has(t, out, `"deny"`, "Never sleep.")
			lacks(t, out, "Their")
			has(t, w.lastErrs, told)
			out = call("PostToolUse", dir, name)
			has(t, out, "My strict types.")
			lacks(t, out, "Their")
			has(t, w.lastErrs, told)
		}
		if out := call("PreToolUse", dir, "lib/a.ts"); out != nothing {
			t.Errorf("%s: %s", dir, out)
		}
		has(t, w.lastErrs, told)
		lacks(t, call("PostToolUse", dir, "lib/a.ts"), "types")
	}
}
