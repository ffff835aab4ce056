package hook_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// numbered are the agents that tell the ids of calls, with a call of each before it is made, and an event after which ids may come
// again: some clients number the calls of each answer from 0.
var numbered = map[string]struct {
	call func(w *world, id, content string) fields
	end  fields
}{
	"claude": {claudeCall("PreToolUse"), fields{"session_id": "s", "hook_event_name": "Stop"}},
	"codex":  {claudeCall("PreToolUse"), fields{"session_id": "s", "hook_event_name": "Stop"}},
	"qwen":   {claudeCall("PreToolUse"), fields{"session_id": "s", "hook_event_name": "Stop"}},
	"droid":  {claudeCall("PreToolUse"), fields{"session_id": "s", "hook_event_name": "Stop"}},
	"gemini": {claudeCall("BeforeTool"), fields{"session_id": "s", "hook_event_name": "AfterAgent"}},
	"cursor": {claudeCall("preToolUse"), fields{"session_id": "s", "hook_event_name": "stop"}},
	"copilot": {func(w *world, id, content string) fields {
		return fields{"sessionId": "s", "cwd": w.dir, "hookEventName": "preToolUse", "toolCallId": id, "toolName": "create", "toolArgs": fields{"path": "a.js", "file_text": content}}
	}, fields{"sessionId": "s", "hookEventName": "agentStop"}},
	"opencode": {pluginCall, nil},
	"pi":       {pluginCall, nil},
}

func claudeCall(event string) func(w *world, id, content string) fields {
	return func(w *world, id, content string) fields {
		return fields{
			"session_id": "s", "cwd": w.dir, "hook_event_name": event, "tool_name": "Write", "tool_use_id": id,
			"tool_input": fields{"file_path": filepath.Join(w.dir, "a.js"), "content": content},
		}
	}
}

func pluginCall(w *world, id, content string) fields {
	return fields{"event": "before", "conversation": "s", "cwd": w.dir, "call": id, "tool": "write", "args": fields{"filePath": "a.js", "content": content}}
}

// TestIDComesAgain: an id that comes again with another call neither lets a violation through nor denies what breaks no rule.
func TestIDComesAgain(t *testing.T) {
	for agent, is := range numbered {
		t.Run(agent, func(t *testing.T) {
			w := noEval(t)
			for range 2 {
				lacks(t, w.event(is.call(w, "call_0", "fine"), agent), "deny")
				has(t, w.event(is.call(w, "call_0", bad), agent), "deny", "Never use eval.")
				lacks(t, w.event(is.call(w, "call_0", "fine, too"), agent), "deny")
				if is.end != nil {
					w.event(is.end, agent)
				}
			}
			if diff := cmp.Diff([]string{"no-eval denied a.js true", "no-eval denied a.js true"}, w.journal()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSameAgain: a call that comes again under one id and is the same to the byte is judged by the rules of now, and its row ends:
// no client denies for ever because it numbers calls from 0.
func TestSameAgain(t *testing.T) {
	call := numbered["claude"].call
	w := noEval(t)
	denied := 0
	for range 40 {
		if w.event(call(w, "call_0", bad), "claude") == nothing {
			break
		}
		denied++
	}
	if denied < 3 || denied == 40 {
		t.Errorf("%d denials", denied)
	}

	w = noEval(t)
	lacks(t, w.event(call(w, "call_0", "later()"), "claude"), "deny")
	w.file(".omp/rules/later.md", "---\nttsr_trigger: later\\(\n---\nNot later.\n")
	has(t, w.event(call(w, "call_0", "later()"), "claude"), `"deny"`, "Not later.")
	w.file(".omp/rules/later.md", "---\nttsr_trigger: never\n---\nNot later.\n")
	lacks(t, w.event(call(w, "call_0", "later()"), "claude"), "deny")
}

// TestMadeAgain: after a call was made, or a turn has ended, the same id with the same text is another call, and counts.
func TestMadeAgain(t *testing.T) {
	call := numbered["claude"].call
	w := noEval(t)
	w.file(".omp/rules/no-eval.md", "---\nttsr_trigger: eval\\(\"\ninterruptMode: never\n---\nNever use eval.\n")
	has(t, w.event(call(w, "call_0", bad), "claude"), "Never use eval.")
	lacks(t, w.event(call(w, "call_0", bad), "claude"), "Never use eval.") // it comes twice
	made := call(w, "call_0", bad)
	made["hook_event_name"] = "PostToolUse"
	w.event(made, "claude")
	has(t, w.event(call(w, "call_0", bad), "claude"), "Never use eval.")
	w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "UserPromptSubmit", "prompt": "go on"}, "claude")
	has(t, w.event(call(w, "call_0", bad), "claude"), "Never use eval.")
	if got := len(w.journal()); got != 3 {
		t.Errorf("%d entries", got)
	}
}
