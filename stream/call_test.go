package stream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// callTriggers watch what calls add.
var callTriggers = []stream.Trigger{
	{Name: "eval", Patterns: []string{`eval\("`}, Globs: []string{"**/*.ts"}},
	{Name: "any", Patterns: []string{`:\s*any\b`}, Scope: []string{"tool:edit(*.ts)"}},
	{Name: "push", Patterns: []string{`git push`}, Scope: []string{"tool:shell"}},
	{Name: "end", Patterns: []string{`todo$`}, Scope: []string{"tool"}},
	{Name: "new", Patterns: []string{`(?i:unsafe)`}, Scope: []string{"tool:write"}},
	{Name: "lib", Patterns: []string{`LIB`}, Globs: []string{"lib/**/*.rs"}},
	{Name: "prose", Patterns: []string{`.`}, Scope: []string{"text"}},
}

var toolCalls = []struct{ tool, arguments, want string }{
	{"write", `{"content": "eval(\"1\")", "path": "src/a.ts"}`, "eval@6 src/a.ts"},
	{"write", `{"path": "src/a.ts", "content": "x = eval(\u0022"}`, "eval@10 src/a.ts"},
	{"write", `{"path": "src/a.md", "content": "eval(\""}`, ""},
	{"write", `{"path": "src/a.md", "file_path": "src/a.ts", "content": "eval(\""}`, "eval@6 src/a.md src/a.ts"},
	{"write", `{"file_path": "src/a.md", "content": "eval(\"", "file\u005fpath": "src/a.ts"}`, "eval@6 src/a.md src/a.ts"},
	{"multi_edit", `{"edits": [{"path": "b.md", "new_text": "y: any"}], "path": "b.ts"}`, "any@6 b.md b.ts"},
	{"write", `{"path": "a.md", "content": "eval(\"", "path": "b\u0000"}`, "eval@6 "},
	{"put", strings.Repeat(`{"a":`, 70) + `"eval(\""` + strings.Repeat("}", 70), "eval@6 "},
	{"Edit", `{"file_path": "b.ts", "old_string": "x: any ", "new_string": "x: unknown "}`, ""},
	{"Edit", `{"file_path": "b.ts", "old_string": "x: unknown", "new_string": "x: any "}`, "any@6 b.ts"},
	{"multi_edit", `{"edits": [{"old": "a", "new_text": "12345"}, {"new_text": "y: any"}], "path": "b.ts"}`, "any@11 b.ts"},
	{"apply_patch", `{"input": "*** Begin Patch\n*** Update File: c.ts\n@@\n-x: any\n+x: T\n*** Update File: d.ts\n@@\n+y: any\n*** End Patch"}`, "any@6 d.ts"},
	{"Bash", `{"command": "cat > n.rs <<'EOF'\nUNSAFE\nEOF\ngit push"}`, "new@6 n.rs;push@38 "},
	{"mcp__fs__write_file", `{"path": "e.txt", "content": "a todo"}`, "end@6 e.txt"},
	{"write", `{"path": "e.txt", "content": "a todo\n"}`, ""},
	{"deploy", `{"note": "todo"}`, "end@4 "},
	{"write", `{"path": "f.rs", "content": "uns`, ""},
	{"write", `unsafe as it stands`, "new@6 "},
	{"Bash", `{"command": "cd a; cat > n.rs <<EOF\nLIB\nEOF\n"}`, ""},
	{"Bash", `{"command": "` + strings.Repeat("cd a || true;", 9) + `cat > n.rs <<EOF\nLIB\nEOF\n"}`, "lib@3 n.rs"},
	{"Bash", `{"command": "` + strings.Repeat("cd a || true;", 9) + `cat > n.md <<EOF\nLIB\nEOF\n"}`, ""},
	{"Bash", `{"command": "tee a{1..99} <<EOF\nLIB\nEOF\n"}`, "lib@3 "},
}

// TestCalls: what is told of a call is what it adds, whatever the pieces of its
// arguments, and whether the watcher is saved and restored between them or not.
func TestCalls(t *testing.T) {
	ctx := context.Background()
	set, problems := stream.Compile(callTriggers, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range toolCalls {
		for _, size := range []int{1, 2, 3, 7, 1 << 20} {
			for _, dies := range []bool{false, true} {
				w, err := stream.NewWatcher(ctx, set, nil, stream.Policy{InterruptMode: stream.InterruptNever})
				if err != nil {
					t.Fatal(err)
				}
				w.StartTurn()
				call := stream.Call{Tool: c.tool, ID: "1"}
				var got []string
				hear := func(v stream.Verdict, err error) {
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range v.Fired {
						if f.Source.ID != "1" || f.Source.Tool != c.tool {
							t.Errorf("the source is %+v", f.Source)
						}
						got = append(got, fmt.Sprintf("%s@%d %s", f.Trigger.Name, f.Offset, strings.Join(f.Source.Paths, " ")))
					}
					if dies {
						saved := w.Save()
						if w, err = stream.NewWatcher(ctx, set, nil, stream.Policy{InterruptMode: stream.InterruptNever}); err != nil {
							t.Fatal(err)
						}
						if err := w.Restore(saved); err != nil {
							t.Fatal(err)
						}
					}
				}
				for rest := c.arguments; rest != ""; {
					n := min(size, len(rest))
					hear(w.FeedCall(ctx, call, rest[:n]))
					rest = rest[n:]
				}
				hear(w.EndCall(ctx, call))
				hear(w.FeedCall(ctx, call, c.arguments)) // it has ended
				hear(w.EndCall(ctx, call))
				if all := strings.Join(got, ";"); all != c.want {
					t.Errorf("%s %s in pieces of %d, restored %v: %q, want %q", c.tool, c.arguments, size, dies, all, c.want)
				}
			}
		}
	}
}

// TestCallInterrupts: the call stops where its text breaks a rule, before its end and
// though its file is named late; other calls and the prose have streams of their own.
func TestCallInterrupts(t *testing.T) {
	ctx := context.Background()
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "r", Patterns: []string{"foobar"}, Globs: []string{"src/**"}})
	inside := func(path string) string { return strings.TrimPrefix(path, "/w/") }
	for _, step := range []struct{ id, piece, want string }{
		{"1", `{"content": "foo`, ""},
		{"2", `{"content": "bar`, ""},
		{"1", `bar", "pa`, ""},
		{"1", `th": "/w/src/a.go`, ""},
		{"1", `"`, "r!"},
		{"1", `}`, ""},
	} {
		v, err := w.FeedCall(ctx, stream.Call{Tool: "write", ID: step.id, Relative: inside}, step.piece)
		if got := told(t, v, err); got != step.want {
			t.Errorf("call %s, %s: %q, want %q", step.id, step.piece, got, step.want)
		}
		if len(v.Fired) > 0 && (len(v.Fired[0].Source.Paths) != 1 || v.Fired[0].Source.Paths[0] != "src/a.go") {
			t.Errorf("the files are %q", v.Fired[0].Source.Paths)
		}
	}
}

// TestScopesOfPublishedRules: the shapes that scopes of published rules have, met by a
// call that writes, one that edits, and one that patches.
func TestScopesOfPublishedRules(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ scope, trigger, path, text string }{
		{"tool:edit(*.ts), tool:edit(*.tsx), tool:write(*.ts), tool:write(*.tsx)", `as unknown as`, "src/a.tsx", `const a = "b" as unknown as T`},
		{"tool:edit(**/*.{ts,tsx}), tool:write(**/*.{ts,tsx})", `require\("`, "src/deep/a.ts", `const a = require("b")`},
		{"tool:edit(*.{ts,mts,cts}), tool:write(*.{ts,mts,cts})", `\bsetTimeout\(\s*\w+,\s*0`, "a.mts", "setTimeout(f,\n\t0)"},
		{"tool:edit(*.test.ts), tool:write(*.test.ts)", `it\.only\(`, "src/a.test.ts", `it.only("x", () => {})`},
		{"tool:edit(*_test.go), tool:write(*_test.go)", `time\.Sleep`, "pkg/a_test.go", "\ttime.Sleep(1)"},
		{"tool:edit(*.rs), tool:write(*.rs)", `\.expect\(""\)`, "src/main.rs", `x.expect("")`},
		{"edit(*.rs), write(*.rs)", `(?m)^\s*unsafe\b`, "src/main.rs", "fn a() {\n    unsafe {}\n}"},
	} {
		content, _ := json.Marshal(c.text)
		patch, _ := json.Marshal("*** Begin Patch\n*** Add File: " + c.path + "\n+" + strings.ReplaceAll(c.text, "\n", "\n+") + "\n*** End Patch")
		for tool, arguments := range map[string]string{
			"write_file":  fmt.Sprintf(`{"path": %q, "content": %s}`, c.path, content),
			"MultiEdit":   fmt.Sprintf(`{"edits": [{"old_string": "", "new_string": %s}], "file_path": %q}`, content, c.path),
			"apply_patch": fmt.Sprintf(`{"input": %s}`, patch),
		} {
			w := watch(t, stream.Policy{}, stream.Trigger{Name: "r", Patterns: []string{c.trigger}, Scope: []string{c.scope}})
			call := stream.Call{Tool: tool, ID: "1"}
			v, err := w.FeedCall(ctx, call, arguments)
			if err == nil && len(v.Fired) == 0 {
				v, err = w.EndCall(ctx, call)
			}
			if got := told(t, v, err); got != "r!" {
				t.Errorf("%s by %s: %q", c.scope, tool, got)
			}
		}
	}
}

// TestManySegments: a call that breaks a rule in very many edits takes no longer than it is long, and is told of once.
func TestManySegments(t *testing.T) {
	for _, mode := range []stream.InterruptMode{stream.InterruptAlways, stream.InterruptNever} {
		set, problems := stream.Compile([]stream.Trigger{{Name: "no-eval", Patterns: []string{"eval"}, InterruptMode: mode}}, stream.Options{})
		w, err := stream.NewWatcher(t.Context(), set, nil, stream.Policy{})
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		call := stream.Call{Tool: "MultiEdit", ID: "1"}
		first, err := w.FeedCall(t.Context(), call, `{"file_path":"a.js","edits":[`+strings.Repeat(`{"new_string":"eval"},`, 50_000)+`{}]}`)
		if err != nil {
			t.Fatal(err)
		}
		rest, err := w.EndCall(t.Context(), call)
		if err != nil || len(first.Fired) != 1 || first.Interrupt != (mode == stream.InterruptAlways) || len(rest.Fired) != 0 {
			t.Errorf("%s: %d and %d fired, interrupts %v, %v", mode, len(first.Fired), len(rest.Fired), first.Interrupt, err)
		}
	}
}

// TestEndCallTellsAll: what the pieces of a call have held back is told with its end, all of it, however often it interrupts.
func TestEndCallTellsAll(t *testing.T) {
	ctx := context.Background()
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "a", Patterns: []string{"aa"}}, stream.Trigger{Name: "b", Patterns: []string{"bb"}}, stream.Trigger{Name: "c", Patterns: []string{"cc"}})
	call := stream.Call{Tool: "write", ID: "1"}
	v, err := w.FeedCall(ctx, call, `{"path": "x", "content": "aa bb cc"}`)
	if got := told(t, v, err); got != "a!" {
		t.Errorf("fed: %q", got)
	}
	v, err = w.EndCall(ctx, call)
	if got := told(t, v, err); got != "b,c!" {
		t.Errorf("ended: %q", got)
	}
}

// TestCallOfManyTexts: what is beyond the texts of a call that are told apart fires, whatever file a rule is for, and however it arrives.
func TestCallOfManyTexts(t *testing.T) {
	ctx := context.Background()
	set, problems := stream.Compile(callTriggers, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	arguments := `{"a": [` + strings.Repeat(`"x", `, 20_000) + `"eval(\"", "y"]}`
	for _, size := range []int{7, 1000, len(arguments)} {
		w, err := stream.NewWatcher(ctx, set, nil, stream.Policy{InterruptMode: stream.InterruptNever})
		if err != nil {
			t.Fatal(err)
		}
		w.StartTurn()
		call := stream.Call{Tool: "deploy", ID: "1"}
		var fired []stream.Fired
		for rest := arguments; rest != ""; {
			n := min(size, len(rest))
			verdict, _ := w.FeedCall(ctx, call, rest[:n])
			fired, rest = append(fired, verdict.Fired...), rest[n:]
		}
		if len(fired) != 1 || fired[0].Trigger.Name != "eval" || !fired[0].Source.Anywhere {
			t.Errorf("by %d: %+v", size, fired)
		}
	}
}

// TestLostPaths: a path that nobody knows where it leads may be in any folder, or be any file where it has no name either; an end that is
// told twice says nothing more.
func TestLostPaths(t *testing.T) {
	ctx := context.Background()
	lost := func(path string) bool { return strings.HasPrefix(path, "away/") }
	names := func(path string) []string {
		if path == "away/" {
			return nil
		}
		return []string{strings.TrimPrefix(path, "away/")}
	}
	for path, want := range map[string]string{"away/": "eval,lib!", "away/a.ts": "eval!", "away/a.rs": "lib!", "away/a.md": "", "src/a.rs": "", "src/a.ts": "eval!"} {
		w := watch(t, stream.Policy{}, callTriggers[0], callTriggers[5])
		call := stream.Call{Tool: "write", ID: "1", Lost: lost, Names: names}
		if v, err := w.FeedCall(ctx, call, `{"content": "eval(\"LIB", `); told(t, v, err) != "" {
			t.Errorf("%s: told before its file is known: %+v", path, v)
		}
		v, err := w.FeedCall(ctx, call, `"path": "`+path+`"}`)
		if got := told(t, v, err); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if len(v.Fired) > 0 && v.Fired[0].Source.Anywhere != lost(path) {
			t.Errorf("%s: %+v", path, v.Fired[0].Source)
		}
		for range 2 {
			if v, err := w.EndCall(ctx, call); told(t, v, err) != "" {
				t.Errorf("%s: told at the end: %+v", path, v)
			}
		}
	}
}

// TestCallWithoutName: a call that has no ID is one of its own beside the prose, which has none either, and each counts its own bytes.
func TestCallWithoutName(t *testing.T) {
	ctx := t.Context()
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "a", Patterns: []string{"aa"}}, stream.Trigger{Name: "b", Patterns: []string{"bb"}})
	call := stream.Call{Tool: "multi_edit"}
	v, err := w.FeedCall(ctx, call, `{"edits": [{"new_text": "12345"}, {"new_text": "x aa"}], "path": "b.ts"}`)
	if got := told(t, v, err); got != "a!" || v.Fired[0].Offset != 9 {
		t.Errorf("the call: %s %+v", got, v.Fired)
	}
	v, err = w.Feed(ctx, text, "x bb")
	if got := told(t, v, err); got != "b!" || v.Fired[0].Offset != 4 {
		t.Errorf("the prose: %s %+v", got, v.Fired)
	}
}

// TestCallOfFewerTexts: a turn that was saved may say of a stream that it is of a text which its call does not have; what was held back of
// it is told, as if nothing were before it.
func TestCallOfFewerTexts(t *testing.T) {
	ctx := t.Context()
	triggers := []stream.Trigger{{Name: "a", Patterns: []string{"aa"}}, {Name: "b", Patterns: []string{"bb"}}}
	w := watch(t, stream.Policy{}, triggers...)
	v, err := w.FeedCall(ctx, stream.Call{Tool: "write", ID: "the call"}, `{"content": "aa bb`)
	if got := told(t, v, err); got != "a!" {
		t.Fatal(got)
	}
	for segment, want := range map[byte]string{1: "b! at 5", 2: "b! at 5", 100: "b! at 5"} {
		saved := w.Save()
		saved[bytes.LastIndex(saved, []byte("\x08the call"))-1] = segment
		again := watch(t, stream.Policy{}, triggers...)
		if err := again.Restore(saved); err != nil {
			t.Fatal(err)
		}
		v, err := again.End(ctx, text)
		if got := told(t, v, err); len(v.Fired) != 1 || fmt.Sprint(got, " at ", v.Fired[0].Offset) != want {
			t.Errorf("text %d: %s %+v, want %s", segment, got, v.Fired, want)
		}
	}
}
