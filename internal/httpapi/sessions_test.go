package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/httpapi"
	"github.com/pertain-dev/pertain/internal/mcpserver"
)

// TestSessionsOfClientsThatLeft holds that agents which end without a word keep
// no place from others: the session that was silent for longest ends.
func TestSessionsOfClientsThatLeft(t *testing.T) {
	agents := mcpserver.New(mcpserver.Options{Open: func(context.Context, string) (mcpserver.Workspace, error) {
		return nil, errors.New("no workspace")
	}})
	s := serve(t, httpapi.Options{MCP: agents.Handler(t.Context())})
	post := func(session, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
			r.Header.Set("Mcp-Protocol-Version", "2025-06-18")
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.StatusCode, response.Header.Get("Mcp-Session-Id")
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	var first, second, last string
	for i := range 200 {
		status, id := post("", hello)
		if status != http.StatusOK || id == "" {
			t.Fatalf("session %d: got %d", i, status)
		}
		switch i {
		case 0:
			first = id
		case 1:
			second = id
		}
		last = id
		if status, _ := post(first, ping); status != http.StatusOK {
			t.Fatalf("the session in use ended with session %d: got %d", i, status)
		}
	}
	for id, want := range map[string]int{first: http.StatusOK, second: http.StatusNotFound, last: http.StatusOK} {
		if status, _ := post(id, ping); status != want {
			t.Errorf("got %d, want %d", status, want)
		}
	}
}

// TestAgentsMessages holds that the limit of docs/http.md is that of the server
// behind /mcp.
func TestAgentsMessages(t *testing.T) {
	s := serve(t, httpapi.Options{MCP: mcpserver.New(mcpserver.Options{}).Handler(t.Context())})
	for size, want := range map[int]int{7 << 20: http.StatusOK, 9 << 20: http.StatusRequestEntityTooLarge} {
		body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"version":"1","name":"` +
			strings.Repeat("x", size) + `"}}}`
		if status, answer := s.ask(t, "POST", "/mcp", body, header("Accept", "application/json, text/event-stream")); status != want {
			t.Errorf("%d bytes: got %d: %.200s", size, status, answer)
		}
	}
}

// TestSlowAgent holds that a message that does not come is waited for only so
// long, and that an answer may take longer than a message may take to come.
func TestSlowAgent(t *testing.T) {
	const limit = time.Second
	s := serve(t, httpapi.Options{Limits: httpapi.Limits{Time: limit}, MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		select {
		case <-r.Context().Done():
			w.WriteHeader(http.StatusServiceUnavailable)
		case <-time.After(2 * limit):
		}
	})})
	c := s.dial(t)
	if _, err := fmt.Fprint(c, strings.Replace(postHead, "/api/v1/match", "/mcp", 1)+"Content-Length: 100\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 400 ") {
		t.Errorf("got %v: %s", err, line)
	}
	if status, _ := s.ask(t, "POST", "/mcp", "{}"); status != http.StatusOK {
		t.Errorf("got %d", status)
	}
}
