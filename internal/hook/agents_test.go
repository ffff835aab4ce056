package hook_test

import (
	"path/filepath"
	"testing"
	"time"
)

func mustTime(t *testing.T, day string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestAgents: each agent's own JSON, and the answer that it knows.
func TestAgents(t *testing.T) {
	for _, c := range []struct {
		agent            string
		begin, pre, post func(w *world) string
		deny             []string // what a denial has
		text             string   // the field with text for the model
	}{
		{
			agent: "codex",
			begin: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup", "turn_id": "1", "model": "m"}, "codex")
			},
			pre: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_use_id": "c", "tool_input": fields{"command": "*** Begin Patch\n*** Add File: a.js\n+" + bad + "*** End Patch\n"}}, "codex")
			},
			post: func(w *world) string {
				w.file("a.ts", "")
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": fields{"command": "sed -n '1,20p' a.ts"}}, "codex")
			},
			deny: []string{`"permissionDecision":"deny"`, `"permissionDecisionReason":"`, `"hookEventName":"PreToolUse"`}, text: "additionalContext",
		},
		{
			agent: "droid",
			begin: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "SessionStart"}, "droid")
			},
			pre: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "PreToolUse", "tool_name": "Create", "tool_input": fields{"file_path": "a.js", "content": bad}}, "droid")
			},
			post: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": fields{"file_path": "a.ts"}}, "droid")
			},
			deny: []string{`"permissionDecision":"deny"`}, text: "additionalContext",
		},
		{
			agent: "gemini",
			begin: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup", "timestamp": "t"}, "gemini")
			},
			pre: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "BeforeTool", "tool_name": "write_file", "tool_input": fields{"file_path": "a.js", "content": bad}}, "gemini")
			},
			post: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "AfterTool", "tool_name": "read_file", "tool_input": fields{"file_path": "a.ts"}}, "gemini")
			},
			deny: []string{`{"decision":"deny","reason":"`}, text: `"hookEventName":"AfterTool","additionalContext"`,
		},
		{
			agent: "qwen",
			begin: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "SessionStart", "source": "startup"}, "qwen")
			},
			pre: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "PreToolUse", "tool_name": "write_file", "tool_call_id": "q", "tool_input": fields{"file_path": "a.js", "content": bad}}, "qwen")
			},
			post: func(w *world) string {
				return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "PostToolUse", "tool_name": "read_file", "tool_input": fields{"file_path": "a.ts"}}, "qwen")
			},
			deny: []string{`"permissionDecision":"deny"`}, text: `"hookEventName":"PostToolUse","additionalContext"`,
		},
		{
			agent: "copilot",
			begin: func(w *world) string {
				return w.event(fields{"sessionId": "s", "cwd": w.dir, "timestamp": 1794748236877, "source": "new"}, "copilot", "sessionStart")
			},
			pre: func(w *world) string {
				return w.event(fields{"sessionId": "s", "cwd": w.dir, "toolName": "create", "toolArgs": fields{"path": filepath.Join(w.dir, "a.js"), "file_text": bad}}, "copilot", "preToolUse")
			},
			post: func(w *world) string { // older versions send the arguments as a text
				return w.event(fields{"sessionId": "s", "cwd": w.dir, "toolName": "view", "toolArgs": `{"path":"a.ts"}`, "toolResult": fields{}}, "copilot", "postToolUse")
			},
			deny: []string{`{"permissionDecision":"deny","permissionDecisionReason":"`}, text: `{"additionalContext":"`,
		},
		{
			agent: "cursor",
			begin: func(w *world) string {
				return w.event(fields{"conversation_id": "s", "workspace_roots": []string{w.dir}, "hook_event_name": "sessionStart"}, "cursor")
			},
			pre: func(w *world) string {
				return w.event(fields{"conversation_id": "s", "workspace_roots": []string{w.dir}, "hook_event_name": "preToolUse", "tool_name": "Write", "tool_input": fields{"file_path": "a.js", "content": bad}}, "cursor")
			},
			post: func(w *world) string {
				return w.event(fields{"conversation_id": "s", "workspace_roots": []string{w.dir}, "hook_event_name": "postToolUse", "tool_name": "Read", "tool_input": fields{"file_path": "a.ts"}}, "cursor")
			},
			deny: []string{`"permission":"deny"`, `"agentMessage":"`, `"agent_message":"`}, text: `"additional_context":"`,
		},
		{
			agent: "opencode",
			begin: func(w *world) string {
				return w.event(fields{"event": "begin", "conversation": "s", "cwd": w.dir}, "opencode")
			},
			pre: func(w *world) string {
				return w.event(fields{"event": "before", "conversation": "s", "cwd": w.dir, "tool": "write", "args": fields{"content": bad, "filePath": "a.js"}}, "opencode")
			},
			post: func(w *world) string {
				return w.event(fields{"event": "after", "conversation": "s", "cwd": w.dir, "tool": "read", "args": fields{"filePath": "a.ts"}}, "opencode")
			},
			deny: []string{`{"decision":"deny","reason":"`}, text: `{"decision":"allow","context":"`,
		},
		{
			agent: "pi",
			begin: func(w *world) string {
				return w.event(fields{"event": "begin", "conversation": "s", "cwd": w.dir}, "pi")
			},
			pre: func(w *world) string {
				return w.event(fields{"event": "before", "conversation": "s", "cwd": w.dir, "tool": "edit", "args": fields{"path": "a.js", "edits": []fields{{"oldText": "a", "newText": bad}}}}, "pi")
			},
			post: func(w *world) string {
				return w.event(fields{"event": "after", "conversation": "s", "cwd": w.dir, "tool": "read", "args": fields{"path": "a.ts"}}, "pi")
			},
			deny: []string{`{"decision":"deny","reason":"`}, text: `{"decision":"allow","context":"`,
		},
	} {
		t.Run(c.agent, func(t *testing.T) {
			w := noEval(t)
			has(t, c.begin(w), "Be kind.", "How to write tests")
			has(t, c.pre(w), append(c.deny, "Never use eval.", "a.js, line 1")...)
			has(t, c.post(w), c.text, "Use strict types.")
			if got := c.post(w); got != nothing {
				t.Errorf("given twice: %s", got)
			}
		})
	}
}

// TestCline: it cannot be kept from a call, so that a hit is context; what is given when a conversation begins comes with the
// first answer that reaches the model.
func TestCline(t *testing.T) {
	w := noEval(t)
	call := func(event string, part fields) string {
		return w.event(fields{"taskId": "t", "workspaceRoots": []string{w.dir}, "hookName": "tool_call", event: part}, "cline")
	}
	if got := call("taskStart", fields{"taskMetadata": fields{}}); got != nothing {
		t.Errorf("%s", got)
	}
	editor := fields{"toolName": "editor", "parameters": fields{"path": filepath.Join(w.dir, "a.js"), "new_text": bad}}
	first := call("preToolUse", editor)
	has(t, first, `{"cancel":false,"contextModification":"`, "Never use eval.", "Be kind.")
	for range 4 {
		again := call("preToolUse", editor)
		has(t, again, "Never use eval.")
		lacks(t, again, "Be kind.")
	}
	has(t, call("postToolUse", fields{"toolName": "read_file", "parameters": fields{"path": "a.ts"}}), "strict types")
	for _, entry := range w.journal()[1:] {
		if entry != "no-eval reminded a.js" && entry != "types given a.ts" && entry != "always given" {
			t.Errorf("the journal has %s", entry)
		}
	}
	// The event may also be in the command's argument alone.
	has(t, w.event(fields{"taskId": "u", "workspaceRoots": []string{w.dir}, "preToolUse": editor}, "cline", "PreToolUse"), "Be kind.")
}

// TestWindsurf: a denial is exit code 2 with the reason on standard error.
func TestWindsurf(t *testing.T) {
	w := noEval(t)
	out, code := w.run(`{"agent_action_name":"pre_write_code","trajectory_id":"t","tool_info":{"file_path":"a.js","edits":[{"old_string":"","new_string":"eval(\"1\")"}]}}`, "windsurf")
	if code != 2 || out != "" {
		t.Errorf("exit %d, %q", code, out)
	}
	has(t, w.lastErrs, "Never use eval.", "a.js, line 1", "Be kind.")
	out, code = w.run(`{"agent_action_name":"pre_run_command","trajectory_id":"t","tool_info":{"command_line":"ls","cwd":""}}`, "windsurf")
	if code != 0 || out != "" || w.lastErrs != "" {
		t.Errorf("exit %d, %q, %q", code, out, w.lastErrs)
	}
}

// TestLateReminders: where text before a tool does not reach the model, a reminder stands in the answer after it.
func TestLateReminders(t *testing.T) {
	w := noEval(t)
	call := func(event, tool string, input fields) string {
		return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": event, "tool_name": tool, "tool_input": input}, "gemini")
	}
	write := fields{"file_path": "a.js", "content": bad}
	for range 3 {
		has(t, call("BeforeTool", "write_file", write), `"deny"`)
	}
	if got := call("BeforeTool", "write_file", write); got != nothing {
		t.Errorf("%s", got)
	}
	has(t, call("AfterTool", "write_file", write), `"AfterTool"`, "Never use eval.", "a.js, line 1")
	if got := call("AfterTool", "write_file", write); got != nothing {
		t.Errorf("told twice: %s", got)
	}
	// Nothing tells when a compaction is done: what was given comes again with the next answer.
	call("BeforeAgent", "", nil)
	if got := w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "PreCompress", "trigger": "manual"}, "gemini"); got != nothing {
		t.Errorf("%s", got)
	}
	has(t, call("AfterTool", "read_file", fields{"file_path": "a.ts"}), "Be kind.", "strict types")
	// It comes before every request, too, and means nothing then.
	w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": "PreCompress", "trigger": "auto"}, "gemini")
	if got := call("AfterTool", "read_file", fields{"file_path": "a.ts"}); got != nothing {
		t.Errorf("%s", got)
	}
}

// TestQwenBegins: versions that tell of no beginning get what belongs there with the first prompt, the others get it once.
func TestQwenBegins(t *testing.T) {
	for _, tells := range []bool{false, true} {
		w := noEval(t)
		call := func(event, text string) string {
			return w.event(fields{"session_id": "s", "cwd": w.dir, "hook_event_name": event, "source": "startup", "prompt": text}, "qwen")
		}
		if tells {
			has(t, call("SessionStart", ""), "Be kind.")
			lacks(t, call("UserPromptSubmit", "hello"), "Be kind.")
		} else {
			has(t, call("UserPromptSubmit", "hello"), `"UserPromptSubmit"`, "Be kind.", "How to write tests")
		}
		for _, text := range []string{"", "and now?"} {
			if got := call("UserPromptSubmit", text); got != nothing {
				t.Errorf("%s", got)
			}
		}
	}
}

// TestCopilotWithoutEvent: its JSON does not say what it is.
func TestCopilotWithoutEvent(t *testing.T) {
	w := noEval(t)
	if out, code := w.run(`{"sessionId":"s","toolName":"create","toolArgs":{"path":"a.js","file_text":"eval(\"1\")"}}`, "copilot"); out != nothing || code != 0 {
		t.Errorf("%d %s", code, out)
	}
	has(t, w.lastErrs, "give its name after the agent's")
}
