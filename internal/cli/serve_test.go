package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// runServer runs one of the commands that run until they are ended.
func runServer(ctx context.Context, t *testing.T, command func(*app) *cobra.Command, env map[string]string, stdin io.Reader, stdout io.Writer, args ...string) (code int, stderr string) {
	t.Helper()
	var problems bytes.Buffer
	if env == nil {
		env = map[string]string{}
	}
	if env["HOME"] == "" {
		env["HOME"] = t.TempDir()
	}
	a := &app{call: Invocation{Stdin: stdin, Stdout: stdout, Stderr: &problems, Dir: t.TempDir(), Env: func(name string) string { return env[name] }}}
	cmd := command(a)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	code = a.exitCode(cmd.ExecuteContext(ctx))
	return code, problems.String()
}

func TestServeRefusesWrongCalls(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		args []string
		want string
	}{
		{"address of others", nil, []string{"--listen", "0.0.0.0:0"}, "--host"},
		{"address that is none", nil, []string{"--listen", "localhost"}, "127.0.0.1:7351"},
		{"name instead of an address", nil, []string{"--listen", "localhost:80"}, "127.0.0.1:7351"},
		{"short token", map[string]string{"PERTAIN_TOKEN": "abc"}, nil, "PERTAIN_TOKEN"},
		{"token with blanks", map[string]string{"PERTAIN_TOKEN": "abcdefgh abcdefgh abcdefgh"}, nil, "PERTAIN_TOKEN"},
		{"no context", nil, []string{"--context", "missing.json"}, "missing.json"},
		{"context that is none", nil, []string{"--context", "-"}, "--context -: "},
		{"no strategies", nil, []string{"--strategies", "missing"}, "no such folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second) // a call that is not refused would serve for ever
			defer stop()
			code, problems := runServer(ctx, t, (*app).serveCommand, c.env, strings.NewReader("{"), &out, c.args...)
			if code != exitUsage || !strings.Contains(problems, c.want) || strings.Count(problems, "\n") != 1 || out.Len() > 0 {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, out.String(), problems)
			}
			if token := c.env["PERTAIN_TOKEN"]; token != "" && strings.Contains(problems, token) {
				t.Error("the token is told")
			}
		})
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, out := io.Pipe()
	done := make(chan int, 1)
	go func() {
		code, problems := runServer(ctx, t, (*app).serveCommand, nil, strings.NewReader(""), out, "--json", "--listen", "127.0.0.1:0")
		if problems != "" {
			t.Error(problems)
		}
		done <- code
	}()
	var announced map[string]string
	if err := json.NewDecoder(in).Decode(&announced); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(announced["url"], "http://127.0.0.1:") || len(announced["token"]) < 40 || announced["mcp"] != announced["url"]+"mcp" {
		t.Errorf("announced %v", announced)
	}
	stop()
	select {
	case code := <-done:
		if code != exitDone {
			t.Errorf("exit code %d", code)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server did not end")
	}
}

// TestMCPSurvivesGarbage sends what no client would, and then a request.
func TestMCPSurvivesGarbage(t *testing.T) {
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for name, text := range map[string]string{
		"nothing":            "",
		"no JSON":            "hello\n",
		"half a message":     hello + `{"jsonrpc":"2.0","id":2,"method"`,
		"unknown method":     hello + `{"jsonrpc":"2.0","id":2,"method":"no/such"}` + "\n",
		"no parameters":      hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call"}` + "\n" + `{"jsonrpc":"2.0","id":3,"method":"resources/read"}` + "\n" + `{"jsonrpc":"2.0","id":4,"method":"completion/complete"}` + "\n",
		"null parameters":    hello + `{"jsonrpc":"2.0","id":2,"method":"completion/complete","params":null}` + "\n" + `{"jsonrpc":"2.0","id":3,"method":"prompts/get","params":null}` + "\n",
		"wrong kinds":        hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":5,"arguments":"x"}}` + "\n",
		"before the welcome": `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n",
		"long line":          hello + `{"jsonrpc":"2.0","id":2,"method":"` + strings.Repeat("x", 5<<20) + "\"}\n",
		"deep":               hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":` + strings.Repeat("[", 100_000) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			code, problems := runServer(t.Context(), t, (*app).mcpCommand, nil, strings.NewReader(text), &out)
			if code == exitNegative || strings.Contains(problems, "goroutine") || strings.Count(problems, "\n") > 1 || len(problems) > 500 {
				t.Errorf("exit code %d, stderr %.500q", code, problems)
			}
			for line := range strings.Lines(out.String()) {
				if !json.Valid([]byte(line)) {
					t.Errorf("stdout holds %.100q", line)
				}
			}
		})
	}
}

func TestWorkspaceTellsOfChanges(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(dir, ".git", "HEAD"), "x")
	situationFile := filepath.Join(dir, "situation.json")
	put(situationFile, "{}")
	a := &app{call: Invocation{Dir: dir, Env: func(name string) string {
		return map[string]string{"HOME": home}[name]
	}}}
	w, err := a.openWorkspace(t.Context(), dir, situation{file: situationFile}, serverLogger(io.Discard, false))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, stop := context.WithCancel(t.Context())
	heard := make(chan string, 100)
	done := make(chan error, 1)
	go func() { done <- w.Watch(ctx, func(part string) { heard <- part }) }()
	go func() {
		if err := w.WatchContext(ctx, func() { heard <- "context" }); err != nil {
			t.Error(err)
		}
	}()
	for i, c := range []struct{ part, file, text string }{
		{"rules", filepath.Join(dir, ".cursor", "rules", "a.mdc"), "A rule of a folder that did not exist.\n"},
		{"rules", filepath.Join(dir, "AGENTS.md"), "A rule at the top.\n"},
		{"rules", filepath.Join(dir, ".cursor", "rules", "deep", "b.mdc"), "A rule below.\n"},
		{"strategies", filepath.Join(home, ".config", "pertain", "strategies", "x.strategy.md"), "---\nname: X\n---\nx\n"},
		{"skills", filepath.Join(home, ".agents", "skills", "pdf", "SKILL.md"), "---\nname: pdf\ndescription: d\n---\nx\n"},
		{"context", situationFile, `{"attachments":{"text":"x"}}`},
	} {
		waitFor(t, heard, c.part, func(try int) { put(c.file, c.text+strings.Repeat("\n", i+try)) })
	}
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the watch did not end")
	}
}

// waitFor does something, again and again, until it is heard: when a watch
// begins to work is not told.
func waitFor(t *testing.T, heard <-chan string, want string, do func(try int)) {
	t.Helper()
	for try := range 20 {
		do(try)
		late := time.After(2 * time.Second)
		for waiting := true; waiting; {
			select {
			case got := <-heard:
				if got == want {
					return
				}
			case <-late:
				waiting = false
			}
		}
	}
	t.Fatalf("nothing was heard of %s", want)
}
