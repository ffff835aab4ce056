package cli_test

import (
	"bytes"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pertain-dev/pertain/internal/cli"
)

// TestFleetNeverAwaited: commands that end by themselves, and hooks, use what is on disk: they reach for no server, also where the settings name one.
func TestFleetNeverAwaited(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			_ = conn.Close()
		}
	}()
	home, work := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(home, ".config", "pertain", "config.yaml"), "fleet: {url: \"nats://"+listener.Addr().String()+"\"}\n")
	call := func(input string, args ...string) string {
		var out bytes.Buffer
		cli.Main(t.Context(), cli.Invocation{
			Args: args, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &out, Dir: work,
			Env: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] },
		})
		return out.String()
	}
	for _, args := range [][]string{
		{"rules"}, {"rules", "for", "a.go"}, {"prompt"}, {"match"}, {"lint"}, {"skills"}, {"guard"}, {"export", "--to", "claude", "--dry-run"}, {"journal"},
	} {
		call("", args...)
	}
	call(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"`+filepath.ToSlash(work)+`","tool_name":"Write","tool_input":{"file_path":"a.go","content":"x"}}`, "hook", "claude")
	if n := calls.Load(); n != 0 {
		t.Errorf("the servers were called %d times", n)
	}
	if out := call("", "fleet", "status"); !strings.Contains(out, "namespace") || calls.Load() == 0 {
		t.Errorf("fleet status asked nobody: %s", out)
	}
	_ = listener.Close()
	<-ended
}
