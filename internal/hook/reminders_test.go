package hook_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWindsurfReminders: its model is told nothing but the reasons of denials, so that a reminder waits for one, and the journal
// does not say that the model was reminded before.
func TestWindsurfReminders(t *testing.T) {
	w := noEval(t)
	w.file(".omp/rules/never.md", "---\nttsr_trigger: NEVV\ninterruptMode: never\n---\nNot NEVV.\n")
	call := func(text string) string {
		t.Helper()
		input, _ := json.Marshal(fields{"agent_action_name": "pre_write_code", "trajectory_id": "w", "tool_info": fields{"file_path": "a.js", "edits": []fields{{"old_string": "", "new_string": text}}}})
		out, code := w.run(string(input), "windsurf")
		if out != "" || code == 2 && w.lastErrs == "" {
			t.Errorf("exit %d, %q", code, out)
		}
		return w.lastErrs
	}
	if got := call("NEVV"); got != "" {
		t.Error(got)
	}
	if diff := cmp.Diff([]string{"never passed a.js"}, w.journal()); diff != "" {
		t.Error(diff)
	}
	has(t, call(bad), "Never use eval.", "Not NEVV.")
	lacks(t, call(bad+"2"), "Not NEVV.")
	if diff := cmp.Diff([]string{"never passed a.js", "no-eval denied a.js false", "always given", "never reminded a.js", "no-eval denied a.js"}, w.journal()); diff != "" {
		t.Error(diff)
	}
}

// TestRemindersAfter: where what is said before a tool does not reach the model, a reminder stands in the answer after it.
func TestRemindersAfter(t *testing.T) {
	for agent, after := range map[string]string{"gemini": "AfterTool", "qwen": "PostToolUse", "droid": "PostToolUse", "cursor": "postToolUse"} {
		w := noEval(t)
		w.file(".omp/rules/no-eval.md", "---\nttsr_trigger: eval\\(\"\ninterruptMode: never\n---\nNever use eval.\n")
		call := numbered[agent].call(w, "c", bad)
		lacks(t, w.event(call, agent), "Never use eval.")
		call["hook_event_name"] = after
		has(t, w.event(call, agent), "Never use eval.")
		lacks(t, w.event(call, agent), "Never use eval.")
	}
}
