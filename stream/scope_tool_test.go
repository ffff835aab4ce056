package stream_test

import (
	"testing"

	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// TestToolScopes: a scope names a tool without case, underscores and prefixes, or
// what a call does.
func TestToolScopes(t *testing.T) {
	for _, tt := range []struct {
		scope string
		call  stream.Source
		want  bool
	}{
		{"tool:write_file", stream.Source{Tool: "WriteFile"}, true},
		{"tool:write", stream.Source{Tool: "mcp__fs__create"}, true},
		{"tool:edit", stream.Source{Tool: "apply_patch"}, true},
		{"tool:edit", stream.Source{Tool: "write"}, false},
		{"tool:shell", stream.Source{Tool: "Bash"}, true},
		{"tool:write", stream.Source{Tool: "Bash"}, false},
		{"tool:write", stream.Source{Tool: "Bash", Does: toolcall.Write}, true}, // a here-document
		{"tool:deploy", stream.Source{Tool: "deploy"}, true},
		{"tool:deploy", stream.Source{Tool: "undeploy"}, false},
		{"tool:write(*.go)", stream.Source{Tool: "Write", Paths: []string{"a/b.go"}}, true},
		{"tool:write(*.go)", stream.Source{Tool: "Write", Paths: []string{"a/b.ts"}}, false},
	} {
		set, problems := stream.Compile([]stream.Trigger{{Name: "x", Patterns: []string{"x"}, Scope: []string{tt.scope}}}, stream.Options{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		tt.call.Kind = stream.Tool
		if got := set.Applies(0, tt.call); got != tt.want {
			t.Errorf("%s, %+v: %v", tt.scope, tt.call, got)
		}
	}
}
