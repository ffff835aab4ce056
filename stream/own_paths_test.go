package stream_test

import (
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestOwnPaths: more names of a file count for the user's own triggers alone, whenever they become known.
func TestOwnPaths(t *testing.T) {
	triggers := []stream.Trigger{
		{Name: "own", Patterns: []string{"bad"}, Globs: []string{"src/*.ts", "!src/gen.ts"}, Own: true},
		{Name: "scoped", Patterns: []string{"bad"}, Scope: []string{"tool:write(src/*.ts)"}, Own: true},
		{Name: "theirs", Patterns: []string{"bad"}, Globs: []string{"src/*.ts"}},
	}
	set, problems := stream.Compile(triggers, stream.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	for own, want := range map[string][3]bool{"src/a.ts": {true, true, false}, "src/gen.ts": {false, true, false}, "lib/a.ts": {}} {
		source := stream.Source{Kind: stream.Tool, Tool: "write", Paths: []string{"app/src/a.ts"}, OwnPaths: []string{own}}
		for i := range triggers {
			if got := set.Applies(i, source); got != want[i] {
				t.Errorf("%s with %s: %v", triggers[i].Name, own, got)
			}
		}
	}
	w := watch(t, stream.Policy{}, triggers...)
	call := stream.Call{
		Tool: "write", ID: "c", Names: func(path string) []string { return []string{"app/" + path} },
		OwnNames: func(path string) []string { return []string{path} },
	}
	if v, err := w.FeedCall(t.Context(), call, `{"content":"bad","file_`); err != nil || len(v.Fired) > 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	v, err := w.FeedCall(t.Context(), call, `path":"src/a.ts"}`)
	if err != nil || len(v.Fired) != 2 || v.Fired[0].Trigger.Name != "own" {
		t.Fatalf("%+v, %v", v, err)
	}
}
