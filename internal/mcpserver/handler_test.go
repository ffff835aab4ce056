package mcpserver_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/mcpserver"
)

func TestHandler(t *testing.T) {
	dir := everything(t)
	b := &bench{}
	served, stop := context.WithCancel(t.Context())
	defer stop()
	server := httptest.NewServer(mcpserver.New(b.options(t, dir)).Handler(served))
	defer server.Close()

	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.ClientSession = session
	for range 20 {
		if got := call(t, b, "rules_for_files", `{"files":["a.ts"]}`); got.IsError || !strings.Contains(text(got), "Use types.") {
			t.Fatalf("%s", text(got))
		}
	}
	if len(b.opening) != 1 {
		t.Errorf("one session opened %d workspaces", len(b.opening))
	}
	session.Close()
	for range 500 {
		s := b.spaces[dir]
		s.mu.Lock()
		closed := s.closed
		s.mu.Unlock()
		if closed {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the workspace of a client that left is kept")
}

// TestHandlerIsBounded sends what begins no session, which must leave nothing
// behind, and then too many that do.
func TestHandlerIsBounded(t *testing.T) {
	b := &bench{}
	served, stop := context.WithCancel(t.Context())
	defer stop()
	server := httptest.NewServer(mcpserver.New(b.options(t, world(t, nil))).Handler(served))
	defer server.Close()
	post := func(body, kind string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Accept", "application/json, text/event-stream")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		_, _ = io.Copy(io.Discard, response.Body)
		return response.StatusCode
	}
	for range 200 {
		for _, body := range []string{"", "x", "[]", strings.Repeat("[", 5000)} {
			if got := post(body, "application/json"); got < 400 || got >= 500 {
				t.Fatalf("%.20q: got %d", body, got)
			}
		}
		if got := post("{}", "text/plain"); got < 400 || got >= 500 {
			t.Fatalf("got %d", got)
		}
	}
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for i := range 64 {
		if got := post(hello, "application/json"); got != http.StatusOK {
			t.Fatalf("session %d: got %d", i, got)
		}
	}
	if got := post(hello, "application/json"); got != http.StatusServiceUnavailable {
		t.Errorf("one more than the limit: got %d", got)
	}
}
