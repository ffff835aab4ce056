package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
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
		{"token with a fragment", map[string]string{"PERTAIN_TOKEN": "abcdefgh#abcdefgh"}, nil, "PERTAIN_TOKEN"},
		{"token with an escape", map[string]string{"PERTAIN_TOKEN": "abcdefgh%41abcdefgh"}, nil, "PERTAIN_TOKEN"},
		{"token of many languages", map[string]string{"PERTAIN_TOKEN": "schlüsselschlüssel"}, nil, "PERTAIN_TOKEN"},
		{"host with a port", nil, []string{"--host", "other.host:7830"}, "no port"},
		{"host that is nothing", nil, []string{"--host", ""}, `--host ""`},
		{"any host", nil, []string{"--host", "*"}, "workstation.local"},
		{"address of a page for a host", nil, []string{"--host", "http://bad host/"}, "workstation.local"},
		{"all addresses for a host", nil, []string{"--host", "0.0.0.0"}, "workstation.local"},
		{"half a bracket", nil, []string{"--host", "[::1"}, "workstation.local"},
		{"host with two dots", nil, []string{"--host", "a..b"}, "workstation.local"},
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

func TestServeAddress(t *testing.T) {
	for _, c := range []struct {
		listen string
		hosts  []string
		want   string
		names  string
	}{
		{"127.0.0.1:7351", nil, "http://127.0.0.1:80/", ""},
		{"[::1]:0", nil, "http://[::1]:80/", ""},
		{"127.0.0.1:0", []string{"Box.Local."}, "http://127.0.0.1:80/", "box.local"},
		{"0.0.0.0:7830", []string{"my.host", "192.168.0.2"}, "http://my.host:80/", "my.host 192.168.0.2"},
		{"[::]:7830", []string{"[2001:DB8::1]"}, "http://[2001:db8::1]:80/", "2001:db8::1"},
		{"192.168.0.2:7830", []string{"my_box"}, "http://my_box:80/", "my_box"},
	} {
		at, err := checkListen(serveFlags{listen: c.listen, hosts: c.hosts})
		if err != nil {
			t.Error(err)
			continue
		}
		if got := at.url("[::]:80"); got != c.want || strings.Join(at.hosts, " ") != c.names {
			t.Errorf("%s %v: got %s, %v", c.listen, c.hosts, got, at.hosts)
		}
	}
}

// TestServeAnswersWhereItSays starts a server for others and asks it at the
// address that it tells, which must be one that it answers to, and only of the
// version that was named.
func TestServeAnswersWhereItSays(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, out := io.Pipe()
	done := make(chan int, 1)
	go func() {
		code, _ := runServer(ctx, t, (*app).serveCommand, nil, strings.NewReader(""), out, "--json", "--listen", "0.0.0.0:0", "--host", "my.host")
		done <- code
	}()
	var announced map[string]string
	if err := json.NewDecoder(in).Decode(&announced); err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(announced["url"], "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, network, "127.0.0.1:"+port) // where my.host would be
	}}}
	answer, err := client.Get(announced["url"])
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%s: got %d", announced["url"], answer.StatusCode)
	}
	if connection, err := net.Dial("tcp6", "[::1]:"+port); err == nil {
		_ = connection.Close()
		t.Error("it listens on version 6 as well")
	}
	stop()
	if code := <-done; code != exitDone {
		t.Errorf("exit code %d", code)
	}
}

// TestServeContextThatBreaks holds that clients are told what is wrong with a
// context that was fine when the server started, and none of its text.
func TestServeContextThatBreaks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "situation.json")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("{}")
	ctx, stop := context.WithCancel(t.Context())
	in, out := io.Pipe()
	done := make(chan int, 1)
	go func() {
		code, problems := runServer(ctx, t, (*app).serveCommand, nil, strings.NewReader(""), out, "--json", "--listen", "127.0.0.1:0", "--context", file)
		if strings.Contains(problems, "S3CRET") {
			t.Error(problems)
		}
		done <- code
	}()
	var announced map[string]string
	if err := json.NewDecoder(in).Decode(&announced); err != nil {
		t.Fatal(err)
	}
	ask := func() (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, announced["url"]+"api/v1/match", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+announced["token"])
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(text)
	}
	for _, c := range []struct {
		name   string
		change func()
		status int
		want   string
	}{
		{"fine", func() {}, http.StatusOK, `"candidates":`},
		{"broken", func() { put(`{"attachments":{"text":"S3CRET"`) }, http.StatusInternalServerError, "situation.json: "},
		{"of the wrong kind", func() { put(`["S3CRET"]`) }, http.StatusInternalServerError, `"no_context"`},
		{"gone", func() { _ = os.Remove(file) }, http.StatusInternalServerError, "situation.json: "},
		{"back", func() { put("{}") }, http.StatusOK, `"candidates":`},
	} {
		c.change()
		status, text := ask()
		if status != c.status || !strings.Contains(text, c.want) || strings.Contains(text, "S3CRET") {
			t.Errorf("%s: got %d: %s", c.name, status, text)
		}
	}
	stop()
	if code := <-done; code != exitDone {
		t.Errorf("exit code %d", code)
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
	w, err := a.openWorkspace(t.Context(), dir, &server{where: situation{file: situationFile}, logger: serverLogger(io.Discard, false)})
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
		forget(heard) // what is left of the step before
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
