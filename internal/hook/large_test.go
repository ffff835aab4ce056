package hook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/hook"
)

// manyEdits are the arguments of a call with many edits of one file; the last adds a text.
func manyEdits(count int, last string) string {
	return `{"file_path":"a.js","edits":[` + strings.Repeat(`{"old_string":"x","new_string":"y"},`, count-1) + fmt.Sprintf(`{"old_string":"x","new_string":%q}]}`, last)
}

// TestManyEdits: a file that a call edits very often is looked at once.
func TestManyEdits(t *testing.T) {
	w := noEval(t)
	const count = 10_000
	look := hook.Touching("MultiEdit", manyEdits(count, bad), w.dir)
	if got := look(); got != count {
		t.Fatalf("%d parts", got)
	}
	if made := testing.AllocsPerRun(1, func() { look() }); made > count/10 {
		t.Errorf("%v allocations for %d edits of one file", made, count)
	}
	out, _ := w.run(fmt.Sprintf(`{"session_id":"s","cwd":%q,"hook_event_name":"PreToolUse","tool_name":"MultiEdit","tool_use_id":"1","tool_input":%s}`, w.dir, manyEdits(count, bad)), "claude")
	has(t, out, `"deny"`, "a.js")
}

// TestManyFiles: what is remembered of a call that breaks a rule in very many files stays small, and the rule's row with it.
func TestManyFiles(t *testing.T) {
	w := noEval(t)
	var edits []fields
	for i := range 20_000 {
		edits = append(edits, fields{"file_path": fmt.Sprintf("f%d.js", i), "new_string": bad})
	}
	for i := range 4 {
		out := w.claude("PreToolUse", fields{"tool_name": "MultiEdit", "tool_use_id": fmt.Sprint(i), "tool_input": fields{"edits": edits}})
		if strings.Contains(out, `"deny"`) != (i < 3) {
			t.Errorf("call %d: %.200s", i, out)
		}
	}
	kept, err := filepath.Glob(filepath.Join(w.home, ".local/state/pertain/hooks/*.jsonl"))
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	if info, err := os.Stat(kept[0]); err != nil || info.Size() > 100<<10 {
		t.Errorf("%d bytes are remembered, %v", info.Size(), err)
	}
}

// TestOneTextForManyFiles: what one command gives to many files is looked at a few times, and is denied in each of them.
func TestOneTextForManyFiles(t *testing.T) {
	w := noEval(t)
	var names strings.Builder
	for i := range 100 {
		fmt.Fprintf(&names, " f%d.js", i)
	}
	command := "tee" + names.String() + " <<EOF\n" + strings.Repeat("safe line\n", 10_000) + bad + "\nEOF"
	arguments, err := json.Marshal(fields{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	if looks, parts := hook.Looks("Bash", string(arguments)); looks > 4 || parts < 100 {
		t.Errorf("%d parts of a call were looked at %d times", parts, looks)
	}
	out := w.claude("PreToolUse", fields{"tool_name": "Bash", "tool_use_id": "1", "tool_input": fields{"command": command}})
	has(t, out, `"deny"`, "f0.js, line 10001", "f15.js, line 10001", "f16.js, line 10001")
}
