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
		{"tool:WRITE_FILE", stream.Source{Tool: "mcp__files__write-file"}, true},
		{"tool:mcp__fs__deploy", stream.Source{Tool: "deploy"}, true},
		{"edit", stream.Source{Tool: "MultiEdit"}, true},
		{"edit", stream.Source{Tool: "Bash", Does: toolcall.Patch}, true},           // apply_patch in a shell
		{"tool", stream.Source{Tool: "Grep", Does: toolcall.KindOf("Grep")}, false}, // it only looks
		{"tool:grep", stream.Source{Tool: "Grep", Does: toolcall.KindOf("Grep")}, true},
		{"tool, tool:grep(*.ts)", stream.Source{Tool: "Grep", Does: toolcall.Look, Paths: []string{"a.md"}}, false}, // not for any file
		{"tool, tool:grep(*.ts)", stream.Source{Tool: "Grep", Does: toolcall.Look, Paths: []string{"a.ts"}}, true},
		{"tool, tool:grep(*.ts)", stream.Source{Tool: "Write", Paths: []string{"a.md"}}, true},
		{"shell", stream.Source{Tool: "run_shell_command"}, true},
		{"bash", stream.Source{Tool: "execute"}, false}, // another tool
		{"write(*.go)", stream.Source{Tool: "create_file", Paths: []string{"a/b.go"}}, true},
		{"write(*.go)", stream.Source{Tool: "create_file", Paths: []string{"a/b.ts"}}, false},
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

// TestToolWatches: a call that only reads or searches is watched by rules that name its tool, whatever its files, and by no other.
func TestToolWatches(t *testing.T) {
	look := stream.Source{Kind: stream.Tool, Tool: "Grep", Does: toolcall.KindOf("Grep"), Paths: []string{"a.md"}}
	for scope, want := range map[string]bool{"tool": false, "text": false, "tool:grep": true, "tool, tool:grep(*.ts)": true, "tool, tool:edit": false} {
		set, problems := stream.Compile([]stream.Trigger{{Name: "x", Patterns: []string{"x"}, Scope: []string{scope}}}, stream.Options{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if got := set.Watches(0, look); got != want {
			t.Errorf("%s: %v", scope, got)
		}
	}
}
