package cli

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// withToken sends the token with each request.
type withToken string

func (token withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(r)
}

// TestServeAgents holds that agents see the context that was read from standard
// input, each of them, and that many of them take one watcher of the system.
func TestServeAgents(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, out := io.Pipe()
	done := make(chan int, 1)
	before := systemWatchers()
	go func() {
		code, problems := runServer(ctx, t, (*app).serveCommand, nil, strings.NewReader(`{"attachments":{"selection":{"text":"Hello there"}}}`), out, "--json", "--listen", "127.0.0.1:0", "--context", "-")
		if problems != "" {
			t.Error(problems)
		}
		done <- code
	}()
	var announced map[string]string
	if err := json.NewDecoder(in).Decode(&announced); err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: withToken(announced["token"])}
	response, err := client.Get(announced["url"] + "api/v1/match")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var people struct {
		Candidates []struct{ ID string }
	}
	if err := json.NewDecoder(response.Body).Decode(&people); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, c := range people.Candidates {
		want = append(want, c.ID)
	}
	if len(want) == 0 {
		t.Fatal("nothing is recommended for a text")
	}
	for range 6 {
		agent := mcp.NewClient(&mcp.Implementation{Name: "x", Version: "1"}, nil)
		session, err := agent.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: announced["mcp"], HTTPClient: client}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		list, err := session.ListPrompts(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range list.Prompts {
			got = append(got, p.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("an agent is recommended %v instead of %v", got, want)
		}
		if _, err := session.ListResources(ctx, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := systemWatchers() - before; n > 1 {
		t.Errorf("%d watchers of the system", n)
	}
	stop()
	if code := <-done; code != exitDone {
		t.Errorf("exit code %d", code)
	}
}

// systemWatchers counts the watchers of the system that this process has, where
// they are scarce.
func systemWatchers() (n int) {
	if runtime.GOOS != "linux" {
		return 0
	}
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.Contains(to, "inotify") {
			n++
		}
	}
	return n
}
