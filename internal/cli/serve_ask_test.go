package cli

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// servedAsking is a user with a model, and `pertain serve`.
type servedAsking struct {
	*asking
	url, token string
	keyless    *atomic.Bool // the server's environment has no key
}

func newServedAsking(t *testing.T, script modeltest.Script, args ...string) servedAsking {
	t.Helper()
	a := newAsking(t, "openai", script)
	keyless := &atomic.Bool{}
	file := filepath.Join(a.home, "context.json")
	put(t, file, `{"clipboard": {"text": "my private clipboard"}}`)
	ctx, stop := context.WithCancel(t.Context())
	in, out := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- Main(ctx, Invocation{
			Args:  append([]string{"serve", "--json", "--listen", "127.0.0.1:0", "--context", file}, args...),
			Stdin: strings.NewReader(""), Stdout: out, Stderr: io.Discard, Dir: a.dir,
			Env: func(name string) string {
				switch {
				case name == "HOME" || name == "USERPROFILE":
					return a.home
				case name == "MY_KEY" && keyless.Load():
					return ""
				}
				return a.env[name]
			},
		})
	}()
	t.Cleanup(func() {
		stop()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Error("the server did not end")
		}
	})
	var announced struct{ URL, Token string }
	if err := json.NewDecoder(in).Decode(&announced); err != nil {
		t.Fatal(err)
	}
	return servedAsking{a, announced.URL, announced.Token, keyless}
}

func (s servedAsking) request(method, body string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+"api/v1/ask", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// TestServedAsk: over HTTP nothing is offered or sent before the user has agreed to the
// upstream in a terminal; what a strategy reads on top of that is agreed to by its
// sentences, exactly, and remembered; rules watch the answer.
func TestServedAsk(t *testing.T) {
	s := newServedAsking(t, nil)
	sent := func(want int) {
		t.Helper()
		if got := len(s.model.Requests()); got != want {
			t.Errorf("%d requests were sent, want %d", got, want)
		}
	}
	const question = `{"id":"user.x"}`
	if _, body := s.request("GET", ""); !strings.Contains(body, `"offered":false`) {
		t.Errorf("offered: %s", body)
	}
	for _, body := range []string{question, `{"id":"user.x","agree":["Reads clipboard text"]}`} {
		if status, text := s.request("POST", body); status != 403 || !strings.Contains(text, "in a terminal once") {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	sent(0)
	// Agreed to the upstream, for a strategy that reads nothing.
	s.strategy("Hello.", "")
	if code, _, stderr := s.call("ask", "user.x", "--agree"); code != exitDone {
		t.Fatal(stderr)
	}
	before := len(s.model.Requests())
	if _, body := s.request("GET", ""); !strings.Contains(body, `"offered":true`) || !strings.Contains(body, s.model.URL) {
		t.Errorf("offered: %s", body)
	}
	s.strategy("Call it.\n{clipboard.text}", "")
	missing := ""
	for end := time.Now().Add(20 * time.Second); missing == "" && time.Now().Before(end); time.Sleep(20 * time.Millisecond) { // until the file is loaded
		if status, text := s.request("POST", question); status == 409 {
			missing = text
		} else {
			before = len(s.model.Requests()) // it was still the one that was agreed to
		}
	}
	var problem struct {
		Error struct {
			Code    string
			Missing []string
		}
	}
	if err := json.Unmarshal([]byte(missing), &problem); err != nil || problem.Error.Code != "agreement" || len(problem.Error.Missing) != 1 {
		t.Fatalf("%v %s", err, missing)
	}
	for _, agree := range []string{`[]`, `["Reads"]`, `["reads clipboard text"]`} {
		if status, _ := s.request("POST", `{"id":"user.x","agree":`+agree+`}`); status != 409 {
			t.Errorf("%s: %d", agree, status)
		}
	}
	sent(before)
	agree, _ := json.Marshal(problem.Error.Missing)
	status, text := s.request("POST", `{"id":"user.x","agree":`+string(agree)+`}`)
	if status != 200 || !strings.Contains(text, `{"rule":"no-unwrap","action":"interrupted","anew":true}`) || !strings.Contains(text, "event: end") || strings.Contains(text, "unwrap()") {
		t.Errorf("%d %s", status, text)
	}
	sent(before + 2) // the rule has asked again
	if status, text := s.request("POST", question); status != 200 || !strings.Contains(text, `"complete":true`) {
		t.Errorf("it was not remembered: %d %s", status, text)
	}
	if !s.model.Saw("my private clipboard") {
		t.Error("the context was not sent")
	}
}

// TestServedAskKey: without its key nothing is sent or remembered.
func TestServedAskKey(t *testing.T) {
	s := newServedAsking(t, nil)
	if code, _, stderr := s.call("ask", "user.x", "--agree"); code != exitDone {
		t.Fatal(stderr)
	}
	before := len(s.model.Requests())
	s.keyless.Store(true)
	if status, text := s.request("POST", `{"id":"user.x"}`); status != 403 || !strings.Contains(text, "MY_KEY") || len(s.model.Requests()) != before {
		t.Errorf("%d %s", status, text)
	}
}

// TestServedAskForOthers: where other machines can connect, nobody asks with this user's key.
func TestServedAskForOthers(t *testing.T) {
	s := newServedAsking(t, nil, "--host", "workstation.local")
	if code, _, stderr := s.call("ask", "user.x", "--agree"); code != exitDone {
		t.Fatal(stderr)
	}
	before := len(s.model.Requests())
	s.url = strings.Replace(s.url, "workstation.local", "127.0.0.1", 1)
	if _, body := s.request("GET", ""); !strings.Contains(body, `"offered":false`) {
		t.Errorf("offered: %s", body)
	}
	if status, text := s.request("POST", `{"id":"user.x"}`); status != 403 || len(s.model.Requests()) != before {
		t.Errorf("%d %s", status, text)
	}
}
