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
	"github.com/pertain-dev/pertain/stream"
)

// released is a call that writes a file as a gateway tells of it, in which a rule has fired.
func (w *world) released(told *stream.Trigger, path, content string, ids ...string) hook.Released {
	w.t.Helper()
	arguments, err := json.MarshalIndent(fields{"file_path": filepath.Join(w.dir, path), "content": content}, "", "  ")
	if err != nil {
		w.t.Fatal(err)
	}
	out := hook.Released{Workspace: w.dir, IDs: ids, Tool: "Write", Arguments: string(arguments)}
	if told != nil {
		out.Told = []*stream.Trigger{told}
	}
	return out
}

// Rules as a gateway has them.
var (
	noEvalRule = &stream.Trigger{Name: "no-eval", Path: ".omp/rules/no-eval.md", Patterns: []string{`eval\("`}}
	mildRule   = &stream.Trigger{Name: "mild", Path: ".omp/rules/mild.md", Patterns: []string{`var `}}
)

// mildFile is a rule that only reminds, mild a text that breaks it.
const (
	mildFile = "---\nttsr_trigger: 'var '\ninterruptMode: never\n---\nRather let.\n"
	mild     = "var x"
)

// behind is a world whose agent asks its model through a gateway. It has a rule that only reminds.
func behind(t *testing.T) (*world, *hook.Announced) {
	t.Helper()
	w := noEval(t)
	w.file(".omp/rules/mild.md", mildFile)
	announced, err := hook.Announce(t.Context(), filepath.Join(w.home, ".local", "state", "pertain"), "http://127.0.0.1:1", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(announced.Withdraw)
	w.env["PERTAIN_GATEWAY"], w.env["PERTAIN_GATEWAY_PROOF"] = "http://127.0.0.1:1", announced.Key
	return w, announced
}

// TestReleased: a hook leaves out what the gateway tells the model of, and nothing else.
func TestReleased(t *testing.T) {
	w, announced := behind(t)
	call := func(id, tool, path, content string) string {
		return w.claude("PreToolUse", fields{"tool_name": tool, "tool_use_id": id, "tool_input": fields{"file_path": filepath.Join(w.dir, path), "content": content}})
	}
	other := noEval(t) // another project
	announced.Release(w.released(mildRule, "a.js", mild, "toolu_1"))
	announced.Release(w.released(nil, "b.js", mild, "toolu_2")) // it passed, since the rule has fired before
	elsewhere := w.released(mildRule, "c.js", mild, "toolu_3")
	elsewhere.Workspace = other.dir
	announced.Release(elsewhere)
	look := w.released(mildRule, "d.js", mild, "toolu_4")
	look.Tool = "Read"
	announced.Release(look)
	changed := *mildRule
	changed.Patterns = []string{"other"}
	announced.Release(w.released(&changed, "e.js", mild, "toolu_5"))
	announced.Release(w.released(noEvalRule, "f.js", bad, "toolu_6")) // no gateway does: what it denies passes nowhere
	announced.Release(w.released(mildRule, "g.js", mild+bad, "toolu_7"))
	for _, c := range []struct {
		what, id, tool, path, content string
		want                          string // "": nothing
	}{
		{"never released", "toolu_9", "Write", "z.js", mild, "Rather let."},
		{"released", "toolu_1", "Write", "a.js", mild, ""},
		{"released, and another settings file", "toolu_1", "Write", "a.js", mild, ""},
		{"the same content by another id", "own", "Write", "a.js", mild, ""},
		{"what the agent has mended", "toolu_1", "Write", "a.js", mild + " mended", ""},
		{"mended so that it breaks a rule", "toolu_1", "Write", "a.js", bad, `"deny"`},
		{"let through without a word", "toolu_2", "Write", "b.js", mild, "Rather let."},
		{"released by the rules of another project", "toolu_3", "Write", "c.js", mild, "Rather let."},
		{"the id of a call that only looks", "toolu_4", "Write", "d.js", mild, "Rather let."},
		{"a rule that was another one", "toolu_5", "Write", "e.js", mild, "Rather let."},
		{"a rule that denies", "toolu_6", "Write", "f.js", bad, `"deny"`},
		{"one rule told, another not", "toolu_7", "Write", "g.js", mild + bad, `"deny"`},
		{"another tool with the same words", "toolu_8", "Edit", "a.js", mild, "Rather let."},
	} {
		w.begin("startup") // the budget begins anew
		if got := call(c.id, c.tool, c.path, c.content); c.want == "" && got != nothing || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.what, got)
		}
	}
}

// TestBelowGateway: what the gateway could not judge, a hook does: by the rules of folders on the way to a file, and from where the
// agent works.
func TestBelowGateway(t *testing.T) {
	w, announced := behind(t)
	w.file("lib/.omp/rules/nested.md", "---\nttsr_trigger: NESTED\n---\nNot in lib.\n")
	w.file("inner/.git/HEAD", "ref: refs/heads/main\n")
	w.file("inner/.omp/rules/inner.md", "---\nttsr_trigger: INNER\n---\nNot in there.\n")
	w.file("~/.omp/agent/rules/globbed.md", "---\nttsr_trigger: GLOBBED\nglobs: 'src/**/*.ts'\n---\nNot in src.\n")
	w.file("src/a.ts", "")
	for i, c := range []struct{ dir, path, content, want string }{
		{"", "lib/b.js", "NESTED", "Not in lib."},
		{"", "inner/b.js", "INNER", "Not in there."},
		{"src", "r.ts", "GLOBBED", "Not in src."},
	} {
		id, arguments := fmt.Sprint("toolu_", i), fields{"file_path": c.path, "content": c.content}
		text, _ := json.Marshal(arguments)
		announced.Release(hook.Released{Workspace: w.dir, IDs: []string{id}, Tool: "Write", Arguments: string(text)})
		has(t, w.claude("PreToolUse", fields{"cwd": filepath.Join(w.dir, c.dir), "tool_name": "Write", "tool_use_id": id, "tool_input": arguments}), `"deny"`, c.want)
	}
}

// TestReleasedText: of a message that the gateway has let through, the model is not told a second time.
func TestReleasedText(t *testing.T) {
	w, announced := behind(t)
	stop := func(message string) string {
		w.begin("startup")
		return w.claude("Stop", fields{"last_assistant_message": message})
	}
	announced.Release(hook.Released{Workspace: w.dir, Texts: []string{"so " + bad}, Told: []*stream.Trigger{noEvalRule}})
	announced.Release(hook.Released{Workspace: w.dir, Texts: []string{"passed " + bad}})
	if got := stop("so " + bad); got != nothing {
		t.Errorf("told twice: %s", got)
	}
	has(t, stop("passed "+bad), "Never use eval.")
	has(t, stop("other "+bad), "Never use eval.")
}

// TestReleasedWithoutID: agents whose hooks tell no id are known by what they call.
func TestReleasedWithoutID(t *testing.T) {
	w, announced := behind(t)
	w.file(".omp/rules/no-eval.md", "---\nttsr_trigger: eval\\(\"\ninterruptMode: never\n---\nNever use eval.\n")
	input := func(event, content string) fields {
		return fields{"hook_event_name": event, "session_id": "s", "cwd": w.dir, "tool_name": "write_file", "tool_input": fields{"file_path": "a.js", "content": content}}
	}
	announced.Release(hook.Released{
		Workspace: w.dir, Tool: "write_file", Arguments: fmt.Sprintf(`{"content": %q, "file_path": "a.js"}`, bad), Told: []*stream.Trigger{noEvalRule},
	})
	w.event(input("BeforeTool", bad), "gemini")
	lacks(t, w.event(input("AfterTool", bad), "gemini"), "Never use eval.")
	w.event(input("BeforeTool", bad+" more"), "gemini")
	has(t, w.event(input("AfterTool", bad+" more"), "gemini"), "Never use eval.")
}

// TestReleasedFile: what is written down is hashes, bounded, for the user alone; what somebody else may have written shows nothing.
func TestReleasedFile(t *testing.T) {
	w, announced := behind(t)
	const mild = "var " + secret // of its own
	for i := range 3000 {
		announced.Release(w.released(mildRule, fmt.Sprintf("f%d.js", i), mild, fmt.Sprintf("toolu_%d", i)))
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
		return w.claude("PreToolUse", fields{"tool_name": "Write", "tool_use_id": fmt.Sprintf("toolu_%d", i), "tool_input": fields{"file_path": filepath.Join(w.dir, fmt.Sprintf("f%d.js", i)), "content": mild}})
	}
	if got := call(2999); got != nothing {
		t.Errorf("told twice: %s", got)
	}
	has(t, call(0), "Rather let.") // forgotten, and so told once more
	if runtime.GOOS == "windows" {
		return
	}
	for _, path := range found {
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	has(t, call(2998), "Rather let.")
}
