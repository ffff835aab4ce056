package hook_test

import (
	"strings"
	"testing"
)

// TestShellFiles: a rule for some files is not led past by how a command names the file, or by more folders than can be followed;
// a file that the rule is not for is left alone.
func TestShellFiles(t *testing.T) {
	const end = " <<EOF\nGLOBV\nEOF\n"
	maybe := strings.Repeat("[ -d b ] && cd b;", 9)
	for command, denied := range map[string]bool{
		"cat > src/a.ts" + end:                                      true,
		maybe + "cat > src/a.ts" + end:                              true,
		maybe + "cat > src/a.md" + end:                              false,
		strings.Repeat("cd a || true;", 8) + "cat > src/a.ts" + end: true,
		"tee " + strings.Repeat("f ", 2000) + "src/a.ts" + end:      true,
		"{ cat; } > src/a.ts" + end:                                 true,
		"cat > src/a.t{s,}" + end:                                   true,
		"for f in src/a.ts; do echo GLOBV > $f; done":               true,
		"exec > src/a.ts; echo GLOBV":                               true,
		"while true; do echo GLOBV; done > src/a.ts":                true,
		"bash -c 'eval \"echo GLOBV > src/a.ts\"'":                  true,
		"bash <<'X'\ncat > src/a.ts" + end + "X\n":                  true,
		"cp /dev/stdin src/a.ts" + end:                              true,
		"install /dev/stdin src/a.ts" + end:                         true,
		"cd lib && cat > a.ts" + end:                                false,
		"cd lib; cat > a.ts" + end:                                  false,
		"cd lib\nmake\ncd ../docs\ncat > a.ts" + end:                false,
	} {
		w := newWorld(t)
		w.file(".omp/rules/typed.md", "---\ncondition: GLOBV\nglobs: [\"src/**/*.ts\"]\n---\nNever.\n")
		out := w.claude("PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": command}})
		if got := strings.Contains(out, `"deny"`); got != denied {
			t.Errorf("%.80q: %s", command, out)
		}
	}
}

// TestManyPathKeys: of several arguments that can be the path, the one that the agent reads is not hidden by another, by none of the
// agents, and the reason names the file that the rule is for.
func TestManyPathKeys(t *testing.T) {
	for _, c := range []struct{ agent, event, tool, input string }{
		{"claude", "PreToolUse", "Write", `{"path":"a.txt","file_path":"a.ts","content":"GLOBV"}`},
		{"claude", "PreToolUse", "Write", `{"file_path":"a.txt","file_path":"a.ts","content":"GLOBV"}`},
		{"claude", "PreToolUse", "Write", `{"content":"GLOBV","file_path":"a.txt","file\u005fpath":"a.ts"}`},
		{"claude", "PreToolUse", "MultiEdit", `{"file_path":"a.ts","edits":[{"path":"a.txt","old_string":"","new_string":"GLOBV"}]}`},
		{"claude", "PreToolUse", "Bash", `{"command":"echo GLOBV > a.ts","cwd":"/elsewhere"}`},
		{"claude", "PreToolUse", "Bash", `{"command":["bash",{},[""],"-c","echo GLOBV > a.ts"]}`},
		{"gemini", "BeforeTool", "write_file", `{"uri":"a.txt","file_path":"a.ts","content":"GLOBV"}`},
		{"qwen", "PreToolUse", "write_file", `{"absolute_path":"a.txt","file_path":"a.ts","content":"GLOBV"}`},
		{"droid", "PreToolUse", "Create", `{"target_file":"a.txt","file_path":"a.ts","content":"GLOBV"}`},
		{"cursor", "preToolUse", "Write", `{"filename":"a.txt","file_path":"a.ts","content":"GLOBV"}`},
		{"copilot", "preToolUse", "create", `{"relative_path":"a.txt","path":"a.ts","file_text":"GLOBV"}`},
		{"codex", "PreToolUse", "mcp__fs__write_file", `{"file":"a.txt","path":"a.ts","content":"GLOBV"}`},
	} {
		w := newWorld(t)
		w.file("~/.omp/agent/rules/typed.md", "---\ncondition: GLOBV\nglobs: [\"/*.ts\"]\n---\nNever.\n")
		out, _ := w.run(`{"session_id":"s","hook_event_name":"`+c.event+`","cwd":"`+w.dir+`","tool_name":"`+c.tool+`","tool_input":`+c.input+`}`, c.agent, c.event)
		has(t, out, `"deny"`, "a.ts")
		lacks(t, out, "a.txt")
	}
	w := newWorld(t)
	w.file("~/.omp/agent/rules/typed.md", "---\ncondition: GLOBV\nglobs: [\"*.ts\"]\n---\nNever.\n")
	if out := w.write("a.txt", "GLOBV"); out != nothing {
		t.Error(out)
	}
}

// TestBeyondLimits: a call that is larger than what is followed of it is not let through for that.
func TestBeyondLimits(t *testing.T) {
	deep := any(fields{"path": "a.ts", "content": "GLOBV"})
	for range 64 {
		deep = fields{"a": deep}
	}
	for tool, input := range map[string]any{
		"Write":       fields{"file_path": "/w" + strings.Repeat("/q/..", 20_000) + "/a.ts", "content": "GLOBV"},
		"mcp__x__put": deep,
	} {
		w := newWorld(t)
		w.file("~/.omp/agent/rules/typed.md", "---\ncondition: GLOBV\nglobs: [\"*.ts\"]\n---\nNever.\n")
		has(t, w.claude("PreToolUse", fields{"tool_name": tool, "tool_input": input}), `"deny"`)
	}
}
