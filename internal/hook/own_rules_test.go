package hook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/hook"
)

// stuck calls a hook of Claude Code in a project whose rules are never read to their end.
func (w *world) stuck(event string, more fields, args ...string) (output, errs string) {
	w.t.Helper()
	never := make(chan struct{})
	defer close(never)
	env := func(name string) string {
		if bytes.Contains(debug.Stack(), []byte(".decide(")) { // where all rules are looked for
			<-never
		}
		return w.env[name]
	}
	all := fields{"session_id": "s1", "cwd": w.dir, "hook_event_name": event}
	maps.Copy(all, more)
	input, err := json.Marshal(all)
	if err != nil {
		w.t.Fatal(err)
	}
	var out, problems bytes.Buffer
	call := hook.Call{Args: append([]string{"claude"}, args...), Stdin: bytes.NewReader(input), Stdout: &out, Stderr: &problems, Dir: w.dir, Env: env}
	if code := hook.RunImpatiently(w.t.Context(), call); code != 0 {
		w.t.Errorf("exit %d", code)
	}
	return out.String(), problems.String()
}

// TestOwnRulesAreNotLost: where the rules of a project are never read to their end, what the user's own say is said, at every moment.
func TestOwnRulesAreNotLost(t *testing.T) {
	w := noEval(t)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: sleep\\(\nglobs: 'src/**'\n---\nNever sleep.\n")
	w.file("~/.omp/agent/rules/minealways.md", "---\nalwaysApply: true\n---\nMy kindness.\n")
	w.file("~/.omp/agent/rules/mineglob.md", "---\nglobs: '**/*.ts'\n---\nMy strict types.\n")
	w.file("~/.claude/CLAUDE.md", "What Claude Code loads itself.\n")
	const alone = "your own alone were asked"
	write := func(id, name string) fields {
		return fields{"tool_name": "Write", "tool_use_id": id, "tool_input": fields{"file_path": filepath.Join(w.dir, name), "content": "sleep()"}}
	}
	out, errs := w.stuck("SessionStart", fields{"source": "startup"})
	has(t, out, "My kindness.", "must comply")
	lacks(t, out, "Be kind.", "loads itself")
	has(t, errs, alone)
	out, errs = w.stuck("PostToolUse", write("t1", "src/a.ts"))
	has(t, out, "My strict types.")
	lacks(t, out, "My kindness.", "Use strict types.") // given already; of the project
	has(t, errs, alone)
	for _, id := range []string{"t2", "t3", "t4"} {
		out, errs = w.stuck("PreToolUse", write(id, "src/a.js"))
		has(t, out, `"deny"`, "Never sleep.")
		has(t, errs, alone)
	}
	// When the budget is spent, the call goes through with a reminder, unless what was not checked is denied.
	out, _ = w.stuck("PreToolUse", write("t5", "src/a.js"))
	has(t, out, "Never sleep.")
	lacks(t, out, `"deny"`)
	out, _ = w.stuck("PreToolUse", write("t6", "src/a.js"), "--fail-closed")
	has(t, out, `"deny"`, "could not check")
	out, errs = w.stuck("Stop", fields{"last_assistant_message": "sleep()"})
	has(t, out, `"block"`, "Never sleep.")
	has(t, errs, alone)
	// What the project says is given as soon as it can be, and nothing twice.
	out = w.claude("UserPromptSubmit", fields{"prompt": "go on"})
	has(t, out, "Be kind.")
	lacks(t, out, "My kindness.")
	// After a compaction everything is given anew.
	out, _ = w.stuck("SessionStart", fields{"source": "compact"})
	has(t, out, "My kindness.")
}

// TestNoFolder: where the agent works in what is no folder, or none any more, the user's own rules are asked all the same.
func TestNoFolder(t *testing.T) {
	w := noEval(t)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: sleep\\(\nglobs: '**/src/*.ts'\n---\nNever sleep.\n")
	w.file("~/.omp/agent/rules/minealways.md", "---\nalwaysApply: true\n---\nMy kindness.\n")
	w.file("file", "")
	for i, dir := range []string{filepath.Join(w.dir, "build"), filepath.Join(w.dir, "file"), filepath.Join(w.dir, "file", "below"), filepath.Join(w.dir, strings.Repeat("a/", 5000)), filepath.Join(w.home, "..", "none", "at", "all")} {
		call := func(event string, more fields, args ...string) string {
			all := fields{"session_id": fmt.Sprint("n", i), "cwd": dir, "hook_event_name": event}
			maps.Copy(all, more)
			return w.event(all, append([]string{"claude"}, args...)...)
		}
		write := func(path, text string) fields {
			return fields{"tool_name": "Write", "tool_input": fields{"file_path": path, "content": text}}
		}
		has(t, call("SessionStart", fields{"source": "startup"}), "My kindness.")
		for _, path := range []string{filepath.Join(w.dir, "src/a.ts"), "src/a.ts"} {
			has(t, call("PreToolUse", write(path, "sleep()")), `"deny"`, "Never sleep.")
			has(t, w.lastErrs, "no folder", "your own rules alone")
		}
		if out := call("PreToolUse", write("/w/a.js", bad)); out != nothing {
			t.Errorf("%s: %s", dir, out)
		}
		has(t, w.lastErrs, "no folder")
		has(t, call("PreToolUse", write("/w/a.js", "fine"), "--fail-closed"), `"deny"`, "no folder")
	}
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

// TestLinkedFileUp: nor does one before `..`, which the system follows first.
func TestLinkedFileUp(t *testing.T) {
	w := newWorld(t)
	w.file("~/.omp/agent/rules/mine.md", "---\nttsr_trigger: sleep\\(\nglobs: 'src/**'\n---\nNever sleep.\n")
	w.file("~/.omp/agent/rules/types.md", "---\nttsr_trigger: ':\\s*any'\nglobs: '*.ts'\n---\nNever any.\n")
	w.file("src/in/x", "")
	w.file("a.ts", "")
	for link, target := range map[string]string{"s2": "src/in", "src/n.txt": "../a.ts"} {
		if err := os.Symlink(target, filepath.Join(w.dir, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	calls := 0
	denies := func(tool string, input map[string]any) bool {
		calls++ // each in a conversation of its own
		event := map[string]any{"session_id": fmt.Sprint("s", calls), "cwd": w.dir, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input}
		return strings.Contains(w.event(event, "claude"), `"deny"`)
	}
	for path, text := range map[string]string{"s2/../a.js": "sleep(", w.dir + "/s2/../b.js": "sleep(", "./s2/.././none/a.js": "sleep(", "s2/../n.txt": "x: any"} {
		if !denies("Write", map[string]any{"file_path": path, "content": text}) {
			t.Errorf("%s passes", path)
		}
	}
	for _, command := range []string{
		"echo 'sleep(' > s2/../a.js", "cd -P s2/.. && echo 'sleep(' > a.js", "cd s2 && echo 'sleep(' > ../a.js", "cd s2 && cd -P .. && echo 'sleep(' > a.js",
		"env -C s2/.. tee a.js <<< 'sleep('", "cd s2 && env -C .. tee a.js <<< 'sleep('",
	} {
		if !denies("Bash", map[string]any{"command": command}) {
			t.Errorf("%s passes", command)
		}
	}
	if denies("Write", map[string]any{"file_path": "src/../a.js", "content": "sleep("}) {
		t.Error("a file that is not in src is denied")
	}
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
