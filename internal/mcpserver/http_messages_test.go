package mcpserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/mcpserver"
)

type reply struct {
	status int
	header http.Header
}

// TestHandlerRefuses holds that what a client does wrong is told as an error of
// JSON-RPC that does not repeat what was sent.
func TestHandlerRefuses(t *testing.T) {
	b := &bench{}
	server := httptest.NewServer(mcpserver.New(b.options(t, everything(t))).Handler(t.Context()))
	defer server.Close()
	send := func(method, body string, header map[string]string) (answer reply, text string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for name, value := range header {
			r.Header.Set(name, value)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return reply{response.StatusCode, response.Header}, string(data)
	}
	begin := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	response, text := send(http.MethodPost, begin, nil)
	id := response.header.Get("Mcp-Session-Id")
	if response.status != http.StatusOK || id == "" {
		t.Fatalf("%d: %s", response.status, text)
	}
	session := map[string]string{"Mcp-Session-Id": id}
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	for _, c := range []struct {
		name, method, body string
		header             map[string]string
		status             int
		id, want           string
	}{
		{"without a session", "POST", list, nil, 400, "2", "begin with initialize"},
		{"ping without a session", "POST", `{"jsonrpc":"2.0","id":"p","method":"ping"}`, nil, 400, `"p"`, "begin with initialize"},
		{"unknown session", "POST", list, map[string]string{"Mcp-Session-Id": "secret"}, 404, "null", "session not found"},
		{"garbage", "POST", "secret", session, 400, "null", "not JSON"},
		{"empty", "POST", "", session, 400, "null", "not JSON"},
		{"half a message", "POST", `{"secret":`, nil, 400, "null", "not JSON"},
		{"no object", "POST", `"secret"`, session, 400, "null", "a JSON object"},
		{"deep", "POST", strings.Repeat("[", 100_000), session, 400, "null", "nested"},
		{"id that is none", "POST", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, session, 400, "1.5", "whole number"},
		{"version of JSON-RPC", "POST", `{"jsonrpc":"secret","id":7,"method":"ping"}`, session, 400, "7", "2.0"},
		{"params", "POST", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":["secret"]}`, session, 400, "7", "must be an object"},
		{"batch", "POST", "[" + list + "]", map[string]string{"Mcp-Session-Id": id, "MCP-Protocol-Version": "2025-06-18"}, 400, "null", "batch"},
		{"unknown method", "POST", `{"jsonrpc":"2.0","id":7,"method":"secret/x"}`, session, 200, "7", "no such method"},
		{"unknown method, id of letters", "POST", `{"jsonrpc":"2.0","id":"a","method":"secret/x","params":{}}`, session, 200, `"a"`, "no such method"},
		{"no params", "POST", `{"jsonrpc":"2.0","id":7,"method":"resources/read"}`, session, 400, "7", "`params` is missing"},
		{"beginning without params", "POST", `{"jsonrpc":"2.0","id":7,"method":"initialize"}`, nil, 400, "7", "`params` is missing"},
		{"deep, with an id", "POST", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "}", session, 400, "7", "nested"},
		{"empty batch", "POST", "[]", session, 400, "null", "a JSON object"},
		{"too long", "POST", `{"x":"` + strings.Repeat("x", 9<<20) + `"}`, session, 413, "null", "longer"},
		{"type", "POST", list, map[string]string{"Content-Type": "text/plain"}, 415, "null", "application/json"},
		{"accept", "POST", list, map[string]string{"Mcp-Session-Id": id, "Accept": "text/html"}, 400, "null", "text/event-stream"},
		{"version of the protocol", "POST", list, map[string]string{"Mcp-Session-Id": id, "MCP-Protocol-Version": "1999-01-01"}, 400, "null", "nsupported protocol version"},
		{"method of HTTP", "PUT", list, session, 405, "null", "Method Not Allowed"},
		{"stream without a session", "GET", "", nil, 400, "null", "Mcp-Session-Id"},
		{"end without a session", "DELETE", "", nil, 400, "null", "Mcp-Session-Id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			response, text := send(c.method, c.body, c.header)
			var answer struct {
				Version string          `json:"jsonrpc"`
				ID      json.RawMessage `json:"id"`
				Error   struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal([]byte(text), &answer); err != nil {
				t.Fatalf("%d: %q: %v", response.status, text, err)
			}
			if response.status != c.status || response.header.Get("Content-Type") != "application/json" || string(answer.ID) != c.id ||
				answer.Version != "2.0" || answer.Error.Code > -32000 || !strings.Contains(answer.Error.Message, c.want) || strings.Contains(text, "secret") {
				t.Errorf("%d, %s: %s", response.status, response.header.Get("Content-Type"), text)
			}
		})
	}
	if response, text := send(http.MethodPost, list, session); response.status != http.StatusOK || !strings.Contains(text, "rules_for_files") {
		t.Errorf("the session did not go on: %d: %s", response.status, text)
	}
	// The newest version, which has no sessions over HTTP, is told which are spoken.
	meta := `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`
	if response, text := send(http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":`+meta+`}`, map[string]string{"MCP-Protocol-Version": "2026-07-28"}); !strings.Contains(text, "2025-11-25") {
		t.Errorf("%d: %s", response.status, text)
	}
}
