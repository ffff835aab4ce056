package hook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/hook"
)

// released is a call that writes a file as a gateway tells of it.
func (w *world) released(path, content string, ids ...string) hook.Released {
	w.t.Helper()
	arguments, err := json.MarshalIndent(fields{"file_path": filepath.Join(w.dir, path), "content": content}, "", "  ")
	if err != nil {
		w.t.Fatal(err)
	}
	return hook.Released{Workspace: w.dir, IDs: ids, Tool: "Write", Arguments: string(arguments)}
}

// behind is a world whose agent asks its model through a gateway.
func behind(t *testing.T) (*world, *hook.Announced) {
	t.Helper()
	w := noEval(t)
	announced, err := hook.Announce(t.Context(), filepath.Join(w.home, ".local", "state", "pertain"), "http://127.0.0.1:1", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(announced.Withdraw)
	w.env["PERTAIN_GATEWAY"], w.env["PERTAIN_GATEWAY_PROOF"] = "http://127.0.0.1:1", announced.Key
	return w, announced
}

// TestReleased: a hook leaves out what the gateway has released, and nothing else.
func TestReleased(t *testing.T) {
	w, announced := behind(t)
	call := func(id, tool, path, content string) string {
		return w.claude("PreToolUse", fields{"tool_name": tool, "tool_use_id": id, "tool_input": fields{"file_path": filepath.Join(w.dir, path), "content": content}})
	}
	other := noEval(t) // another project
	announced.Release(w.released("a.js", bad, "toolu_1"))
	announced.Release(w.released("b.js", "fine", "toolu_2"))
	elsewhere := w.released("c.js", bad, "toolu_3")
	elsewhere.Workspace = other.dir
	announced.Release(elsewhere)
	look := w.released("d.js", "fine", "toolu_4")
	look.Tool = "Read"
	announced.Release(look)
	for _, c := range []struct {
		what, id, tool, path, content string
		denied                        bool
	}{
		{"never released", "toolu_9", "Write", "z.js", bad, true},
		{"released", "toolu_1", "Write", "a.js", bad, false},
		{"released, and another settings file", "toolu_1", "Write", "a.js", bad, false},
		{"an id that was used before", "toolu_1", "Write", "a.js", bad + " more", true},
		{"the same content by another id", "own", "Write", "a.js", bad, false},
		{"what the agent has mended", "toolu_2", "Write", "b.js", bad, false},
		{"mended once more", "toolu_2", "Write", "b.js", bad + " again", true},
		{"released by the rules of another project", "toolu_3", "Write", "c.js", bad, true},
		{"the id of a call that only looks", "toolu_4", "Write", "d.js", bad, true},
		{"another tool with the same words", "toolu_1", "Edit", "a.js", bad, true},
	} {
		w.begin("startup") // the budget begins anew
		if got := call(c.id, c.tool, c.path, c.content); strings.Contains(got, `"deny"`) != c.denied {
			t.Errorf("%s: %s", c.what, got)
		}
	}
}

// TestReleasedWithoutID: agents whose hooks tell no id are known by what they call.
func TestReleasedWithoutID(t *testing.T) {
	w, announced := behind(t)
	input := func(content string) fields {
		return fields{"hook_event_name": "BeforeTool", "session_id": "s", "cwd": w.dir, "tool_name": "write_file", "tool_input": fields{"file_path": "a.js", "content": content}}
	}
	has(t, w.event(input(bad), "gemini"), `"deny"`)
	announced.Release(hook.Released{Workspace: w.dir, Tool: "write_file", Arguments: fmt.Sprintf(`{"content": %q, "file_path": "a.js"}`, bad)})
	if got := w.event(input(bad), "gemini"); got != nothing {
		t.Errorf("watched twice: %s", got)
	}
	has(t, w.event(input(bad+" more"), "gemini"), `"deny"`)
}

// TestReleasedFile: what is written down is hashes, bounded, for the user alone; what somebody else may have written shows nothing.
func TestReleasedFile(t *testing.T) {
	w, announced := behind(t)
	for i := range 3000 {
		announced.Release(w.released(fmt.Sprintf("f%d.js", i), bad+secret, fmt.Sprintf("toolu_%d", i)))
	}
	found, err := filepath.Glob(filepath.Join(w.home, ".local", "state", "pertain", "gateways", "*.released*"))
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	for _, path := range found {
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 64<<10 || strings.Contains(string(data), secret) || strings.Contains(string(data), "toolu_") || strings.Contains(string(data), announced.Key) {
			t.Errorf("%s: %d bytes, %v", path, len(data), err)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	call := func(i int) string {
		w.begin("startup")
		return w.claude("PreToolUse", fields{"tool_name": "Write", "tool_use_id": fmt.Sprintf("toolu_%d", i), "tool_input": fields{"file_path": filepath.Join(w.dir, fmt.Sprintf("f%d.js", i)), "content": bad + secret}})
	}
	if got := call(2999); got != nothing {
		t.Errorf("watched twice: %s", got)
	}
	has(t, call(0), `"deny"`) // forgotten, and so watched once more
	if runtime.GOOS == "windows" {
		return
	}
	for _, path := range found {
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	has(t, call(2998), `"deny"`)
}
