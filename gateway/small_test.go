package gateway_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestTextAfterCall: text that was stopped after a call which the agent runs is not told of as a call.
func TestTextAfterCall(t *testing.T) {
	events := data(`{"type":"message_start","message":{"id":"m"}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"write","input":{}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\":\"a.md\"}"}}`, `{"type":"content_block_stop","index":0}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`, `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"`+violation+`"}}`)
	var last string
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		last = string(body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, events)
	}), nil)
	ask(t, server.URL, modeltest.Messages, true, nil, ">hello")
	ask(t, server.URL, modeltest.Messages, true, nil, ">hello", "<call c1", "=c1")
	if strings.Contains(last, "tool call that followed") || !strings.Contains(last, "What you went on with was stopped") {
		t.Error(last)
	}
}

// TestReminderBeforeCall: a reminder of an answer that is stopped after a call which the agent runs is told with that.
func TestReminderBeforeCall(t *testing.T) {
	events := data(`{"type":"message_start","message":{"id":"m"}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"mild"}}`, `{"type":"content_block_stop","index":0}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"write","input":{}}}`, `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"path\":\"a.md\"}"}}`, `{"type":"content_block_stop","index":1}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}`, `{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"`+violation+`"}}`)
	var last string
	workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, fire, stream.Trigger{Name: "soft", Body: "Mildly put.", Patterns: []string{"mild"}, InterruptMode: stream.InterruptNever})}
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		last = string(body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, events)
	}), func(o *gateway.Options) { o.Workspace = func(string) *gateway.Workspace { return workspace } })
	ask(t, server.URL, modeltest.Messages, true, nil, ">hello")
	ask(t, server.URL, modeltest.Messages, true, nil, ">hello", "<call c1", "=c1")
	if !strings.Contains(last, "What you went on with was stopped") || strings.Count(last, "Mildly put.") != 1 {
		t.Error(last)
	}
}

// TestProviderCalls: what the provider of Responses runs itself is watched, too, whole and in pieces.
func TestProviderCalls(t *testing.T) {
	const done = `{"type":"response.completed","response":{"id":"r","output":[]}}`
	for _, events := range []string{
		data(`{"type":"response.output_item.added","output_index":0,"item":{"type":"mcp_call","name":"write_file","arguments":""}}`, `{"type":"response.mcp_call_arguments.delta","output_index":0,"delta":"{\"x\":\"`+violation+`\"}"}`, done),
		data(`{"type":"response.mcp_call_arguments.done","output_index":0,"arguments":"{\"x\":\"`+violation+`\"}"}`, done),
		data(`{"type":"response.output_item.done","output_index":0,"item":{"type":"mcp_call","name":"write_file","arguments":"{\"x\":\"`+violation+`\"}"}}`, done),
		data(`{"type":"response.code_interpreter_call_code.delta","output_index":0,"delta":"print('ЖЩ"}`, `{"type":"response.code_interpreter_call_code.delta","output_index":0,"delta":"ЮЯ')"}`, done),
		data(`{"type":"response.output_item.done","output_index":0,"item":{"type":"code_interpreter_call","code":"`+violation+`"}}`, done),
		data(`{"type":"response.output_item.done","output_index":0,"item":{"type":"computer_call","actions":[{"type":"wait"},{"type":"type","text":"`+violation+`"}]}}`, done),
		data(`{"type":"response.output_item.done","output_index":0,"item":{"type":"computer_call","action":{"type":"type","text":"`+violation+`"}}}`, done),
		data(`{"type":"response.output_item.done","output_index":0,"item":{"type":"shell_call","action":{"commands":["ls","echo '`+violation+`'"]}}}`, done),
		data(`{"type":"response.output_item.done","output_index":0,"item":{"type":"apply_patch_call","operation":{"type":"create_file","path":"a.ts","diff":"+++ b/x\n+`+violation+`\n"}}}`, done),
		`{"id":"r","output":[{"type":"mcp_call","name":"write_file","arguments":"{\"x\":\"` + violation + `\"}"}]}`,
	} {
		better := data(done)
		if strings.HasPrefix(events, "{") {
			better = `{"id":"r2","output":[]}`
		}
		address, asked := scripted(t, []string{events, better}, fire)
		if r := ask(t, address, modeltest.Responses, true, nil, ">hello"); r.hasViolation() || *asked != 2 {
			t.Errorf("asked %d times: %q", *asked, r.raw)
		}
	}
}

// TestJournalPath: the journal has the paths of files, and nothing else that the model may write in their place.
func TestJournalPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "my notes.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, path, want string }{
		{"write", "src/a.md", "src/a.md"},
		{"write", "my notes.md", "my notes.md"},
		{"write", "the diary of the user, in prose", ""},
		{"write", strings.Repeat("x", 5000), ""},
		{"ask_expert", "my notes.md", "my notes.md"},
		{"ask_expert", "the diary of the user, in prose", ""},
		{"ask_expert", "diary", ""},
	} {
		told := &journal{heeded: map[string]bool{}}
		asked := 0
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			content := "x"
			if asked++; asked == 1 {
				content = violation
			}
			_, _ = io.WriteString(w, `{"content":[{"type":"tool_use","id":"c","name":"`+c.tool+`","input":{"path":"`+c.path+`","content":"`+content+`"}}]}`)
		}), func(o *gateway.Options) {
			workspace := &gateway.Workspace{Dir: dir, Triggers: set(t, fire)}
			o.Workspace = func(string) *gateway.Workspace { return workspace }
			o.Journal = told
		})
		ask(t, server.URL, modeltest.Messages, false, nil, ">hello")
		if len(told.entries) != 1 || told.entries[0].Path != c.want {
			t.Errorf("%s %.40s: %+v", c.tool, c.path, told.entries)
		}
	}
}

// TestNoContentType: an answer that does not say what it is gets no label here.
func TestNoContentType(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusTeapot} {
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"content":[]}`)
		}), nil)
		r := ask(t, server.URL, modeltest.Messages, false, nil, ">hello")
		if values, ok := r.header["Content-Type"]; ok || r.status != status {
			t.Errorf("%d: %q", r.status, values)
		}
	}
}

// TestTooLargeStatus: an answer that is too large is told by its status where the client has got nothing of it.
func TestTooLargeStatus(t *testing.T) {
	for begin, status := range map[string]int{"": http.StatusBadGateway, data(`{"type":"message_start","message":{"id":"m"}}`): http.StatusOK} {
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, begin+"data: "+strings.Repeat("x", 1<<16))
		}), func(o *gateway.Options) {
			o.Limits.Event = 1 << 10
			workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, fire), Policy: stream.Policy{}}
			o.Workspace = func(string) *gateway.Workspace { return workspace }
		})
		r := ask(t, server.URL, modeltest.Messages, true, nil, ">hello")
		if r.status != status || (r.err == nil) != (begin == "") || (r.header.Get("X-Pertain-Error") != "") != (begin == "") {
			t.Errorf("%q: %d %v %v %q", begin, r.status, r.header, r.err, r.raw)
		}
	}
}

// TestMessagesBelow: Messages below another path, as providers of several APIs have it, is watched, and the messages of
// OpenAI's threads are not taken for it.
func TestMessagesBelow(t *testing.T) {
	for path, want := range map[string]int{"/anthropic/v1/messages": 4, "/v1/threads/t/messages": 1} {
		address, asked := scripted(t, []string{`{"content":[{"type":"text","text":"` + violation + `"}]}`}, fire)
		_, body := request(modeltest.Messages, false, ">hello")
		if post(t, address+path, body, modeltest.Messages, nil); *asked != want {
			t.Errorf("%s: asked %d times", path, *asked)
		}
	}
}
