package hook_test

import (
	"path/filepath"
	"testing"
)

// TestPathFromHome: a file of the project that a call names from the home is that of the project, however the call is made.
func TestPathFromHome(t *testing.T) {
	for _, call := range []fields{
		{"tool_name": "Write", "tool_input": fields{"file_path": "~/w/src/a.js", "content": bad}},
		{"tool_name": "Bash", "tool_input": fields{"command": "cat > ~/w/src/a.js <<'E'\n" + bad + "\nE\n"}},
		{"tool_name": "Bash", "tool_input": fields{"command": "cd $HOME/w && tee src/a.js <<'E'\n" + bad + "\nE\n"}},
		{"tool_name": "Monitor", "tool_input": fields{"command": "cd ~; cat > w/src/a.js <<'E'\n" + bad + "\nE\n"}},
	} {
		w := newWorld(t)
		w.env["HOME"], w.env["USERPROFILE"] = filepath.Dir(w.dir), filepath.Dir(w.dir)
		w.file(".omp/rules/no-eval.md", "---\nttsr_trigger: eval\\(\"\nglobs: src/*.js\n---\nNever use eval.\n")
		call["session_id"], call["cwd"], call["hook_event_name"] = "s", w.dir, "PreToolUse"
		has(t, w.event(call, "claude"), "deny", "Never use eval.")
	}
}
