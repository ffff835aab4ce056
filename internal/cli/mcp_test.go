package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const mcpHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

func TestMCPRefusesWrongCalls(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"no context", []string{"--context", "missing.json"}, "--context missing.json: "},
		{"context that is none", []string{"--context", broken}, "1:2"},
		{"context from the agent", []string{"--context", "-"}, "name a file"},
		{"no strategies", []string{"--strategies", "missing"}, "no such folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			defer stop()
			code, problems := runServer(ctx, t, (*app).mcpCommand, nil, strings.NewReader(mcpHello), &out, c.args...)
			if code != exitUsage || !strings.Contains(problems, c.want) || strings.Count(problems, "\n") != 1 || out.Len() > 0 {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, out.String(), problems)
			}
		})
	}
}

// TestMCPReadsAFile sends requests from a file: mistakes among them cost nothing
// but themselves, all the rest is answered, and --verbose tells of it.
func TestMCPReadsAFile(t *testing.T) {
	input := mcpHello + "garbage\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"rules_for_files","arguments":{"files":["a.ts"]}}}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"resources/list"}`
	var out bytes.Buffer
	code, problems := runServer(t.Context(), t, (*app).mcpCommand, nil, strings.NewReader(input), &out, "--verbose", "--no-builtin")
	got := out.String()
	for _, want := range []string{`"code":-32700`, `"id":1,"result"`, `"id":2,"result"`, `"id":3,"result"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing: %s", want, got)
		}
	}
	if code != exitDone || strings.Count(problems, "msg=mcp") != 4 || !strings.Contains(problems, "tool=rules_for_files") {
		t.Errorf("exit code %d, stderr %s", code, problems)
	}
}
