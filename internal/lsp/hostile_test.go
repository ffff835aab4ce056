package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/creachadair/jrpc2"

	"github.com/pertain-dev/pertain/internal/cli"
)

// exchange sends bytes to the server and returns its exit code and what it said.
func exchange(t *testing.T, dir, input string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Main(t.Context(), cli.Invocation{
		Args: []string{"lsp"}, Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs, Dir: dir, Env: environment(dir),
	})
	return code, out.String(), errs.String()
}

func framed(messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return b.String()
}

const (
	hello    = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
	shutdown = `{"jsonrpc":"2.0","id":99,"method":"shutdown"}`
	exit     = `{"jsonrpc":"2.0","method":"exit"}`
)

// TestExitCodes: 0 after an orderly shutdown, else 1; what was asked is answered first.
func TestExitCodes(t *testing.T) {
	dir := world(t, nil)
	for _, c := range []struct {
		name, input string
		code        int
		has         []string
		stderr      string
	}{
		{"in order", framed(hello, shutdown, exit), 0, []string{`"id":1`, `"id":99`}, ""},
		{"without shutdown", framed(hello, exit), 1, []string{`"id":1`}, ""},
		{"only exit", framed(exit), 1, nil, ""},
		{"the editor is gone", framed(hello), 1, []string{`"id":1`}, ""},
		{"gone after shutdown", framed(hello, shutdown), 0, []string{`"id":99`}, ""},
		{"nothing", "", 1, nil, ""},
		{"before initialize", framed(`{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":{}}`, exit), 1, []string{`-32002`}, ""},
		{"twice", framed(hello, hello, shutdown, exit), 0, []string{`-32600`}, ""},
		{"after shutdown", framed(hello, shutdown, `{"jsonrpc":"2.0","id":5,"method":"textDocument/hover","params":{}}`, exit), 0, []string{`-32600`}, ""},
		{"no JSON", framed("{{{{", hello, shutdown, exit), 0, []string{`"id":null`, `"id":1`, `"id":99`}, ""},
		{"a batch", framed("["+hello+"]", shutdown, exit), 0, []string{`"id":1`}, ""},
		{"no version", framed(`{"id":4,"method":"initialize"}`, hello, shutdown, exit), 0, []string{`-32600`, `"id":1`}, ""},
		{"an answer to nothing", framed(`{"jsonrpc":"2.0","id":44,"result":1}`, hello, shutdown, exit), 0, []string{`"id":1`}, ""},
		{"the same id again", framed(hello, hello, hello, `{"jsonrpc":"2.0","id":99,"method":"x"}`, shutdown, exit), 0, []string{`"id":99`}, ""},
		{"garbage", "hello world\r\n", 1, nil, "pertain: the editor sent a line that is no header\n"},
		{"a huge length", "Content-Length: 9223372036854775807\r\n\r\n{}", 1, nil, "pertain: the editor sent a message of more than 32 MiB\n"},
		{"a length that lies", "Content-Length: 10000000\r\n\r\n{}", 1, nil, "pertain: unexpected EOF\n"},
	} {
		code, stdout, stderr := exchange(t, dir, c.input)
		if code != c.code || stderr != c.stderr {
			t.Errorf("%s: exit %d, %q; want %d, %q", c.name, code, stderr, c.code, c.stderr)
		}
		for _, part := range c.has {
			if !strings.Contains(stdout, part) {
				t.Errorf("%s: no %s in %s", c.name, part, stdout)
			}
		}
	}
}

// requests are all methods that take a document and perhaps a position in it.
var requests = []string{
	"textDocument/completion", "textDocument/hover", "textDocument/definition", "textDocument/codeAction", "textDocument/documentSymbol",
	"textDocument/prepareRename", "textDocument/rename", "textDocument/formatting", "textDocument/inlayHint",
}

// TestWrongRequests: wrong types, files that are not open, addresses that are none and
// positions that are not there are answered, and the server goes on.
func TestWrongRequests(t *testing.T) {
	dir := world(t, nil)
	e := start(t, dir)
	e.initialize(nil)
	e.open("a.strategy.md", 1, wrongStrategy)
	e.open("empty.strategy.md", 1, "")
	e.open("marks.strategy.md", 1, "\ufeff---\r\nname: x\r\n---\r\n")
	var notFound, wrongType int
	ask := func(method string, params any) {
		t.Helper()
		_, err := e.client.Call(t.Context(), method, params)
		var failed *jrpc2.Error
		if err == nil {
			return
		}
		if !errors.As(err, &failed) || failed.Code == jrpc2.InternalError {
			t.Errorf("%s %v: %v", method, params, err)
			return
		}
		switch failed.Code {
		case jrpc2.MethodNotFound:
			notFound++
		case jrpc2.InvalidParams:
			wrongType++
		}
	}
	for _, method := range requests {
		for _, offset := range []pos{{0, 0}, {-1, -5}, {1 << 30, 1 << 30}, {3, 1 << 30}, {5, 22}, {8, 3}} {
			for _, name := range []string{"a.strategy.md", "empty.strategy.md", "marks.strategy.md", "none.strategy.md"} {
				ask(method, map[string]any{
					"textDocument": map[string]any{"uri": e.file(name)}, "position": offset, "range": rng{offset, offset}, "newName": "x", "context": map[string]any{"diagnostics": []any{}},
					"options": map[string]any{"tabSize": 2},
				})
			}
		}
		for _, address := range []string{"", "untitled:Untitled-1", "file://elsewhere/x", "file:///%00", "http://x/y", "%%%"} {
			ask(method, map[string]any{"textDocument": map[string]any{"uri": address}, "position": pos{}, "range": rng{}, "newName": "x"})
		}
		ask(method, []any{1, 2})
		ask(method, map[string]any{"textDocument": 5, "position": "x"})
	}
	ask("no/such", nil)
	ask("$/no/such", map[string]any{})
	for _, note := range []string{"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave", "workspace/didChangeWatchedFiles", "no/such"} {
		e.tell(note, map[string]any{"textDocument": 5, "contentChanges": "x"})
		e.tell(note, map[string]any{"textDocument": map[string]any{"uri": e.file("none"), "version": 1}, "contentChanges": []any{map[string]any{"range": rng{pos{9, 9}, pos{1, 1}}, "text": "x"}}})
	}
	if notFound < 2 || wrongType < 2*len(requests) {
		t.Errorf("%d methods were not found, %d parameters refused", notFound, wrongType)
	}
	e.change("a.strategy.md", 2, wrongStrategy)
	e.version("a.strategy.md", 2) // it goes on
	e.goodbye()
}

// TestCancel: a request that is cancelled while it waits is refused.
func TestCancel(t *testing.T) {
	dir := world(t, nil)
	hover := `{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///x"},"position":{"line":0,"character":0}}}`
	cancel := `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`
	var messages []string
	messages = append(messages, hello)
	for i := 2; i < 60; i++ {
		messages = append(messages, fmt.Sprintf(hover, i), fmt.Sprintf(cancel, i))
	}
	messages = append(messages, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"none"}}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":7}`, shutdown, exit)
	code, stdout, stderr := exchange(t, dir, framed(messages...))
	if code != 0 || stderr != "" {
		t.Errorf("exit %d, %s", code, stderr)
	}
	for i := 2; i < 60; i++ {
		if strings.Count(stdout, fmt.Sprintf(`"id":%d,`, i)) != 1 {
			t.Errorf("request %d has not one answer", i)
		}
	}
}

// TestServerEnds: with its context the server ends, also while the editor is silent.
func TestServerEnds(t *testing.T) {
	dir := world(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	e := startWith(ctx, t, dir)
	var raw json.RawMessage
	if err := e.client.CallResult(t.Context(), "initialize", map[string]any{"capabilities": map[string]any{}}, &raw); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-e.code
}
