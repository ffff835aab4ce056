package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// script is a server that answers one request after the other with the deltas that
// are written down for it, and keeps what it was asked.
type script struct {
	*httptest.Server
	answers [][]string // deltas, as JSON
	asked   [][]Message
}

func newScript(t *testing.T, answers ...[]string) *script {
	s := &script{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Messages []Message }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/chat/completions" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		s.asked = append(s.asked, body.Messages)
		if len(s.asked) > len(s.answers) {
			http.Error(w, "no more answers", http.StatusTooManyRequests)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, delta := range s.answers[len(s.asked)-1] {
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":%s}]}\n\n", delta)
			w.(http.Flusher).Flush()
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return s
}

func said(pieces ...string) []string {
	var out []string
	for _, p := range pieces {
		text, _ := json.Marshal(map[string]string{"content": p})
		out = append(out, string(text))
	}
	return out
}

func newAgent(t *testing.T, s *script, policy stream.Policy) (*Agent, *bytes.Buffer) {
	t.Helper()
	set, problems := stream.Compile([]stream.Trigger{
		{Name: "no-unwrap", Path: ".omp/rules/no-unwrap.md", Patterns: []string{`\.unwrap\(\)`}, Body: "Use `?`."},
		{Name: "no-any", Path: ".omp/rules/no-any.md", Patterns: []string{`:\s*any\b`}, Globs: []string{"**/*.ts"}, Body: "Name the type."},
		{Name: "done", Path: "done.md", Patterns: []string{`TODO$`}, Body: "Finish."},
	}, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	w, err := stream.NewWatcher(context.Background(), set, nil, policy)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	return &Agent{Endpoint: Endpoint{URL: s.URL + "/v1", Model: "m", Client: s.Client()}, Watcher: w, Out: &out, Notes: &bytes.Buffer{}}, &out
}

func roles(messages []Message) string {
	var out []string
	for _, m := range messages {
		out = append(out, m.Role)
	}
	return strings.Join(out, " ")
}

func TestInterruptedAndCorrected(t *testing.T) {
	s := newScript(t, said("let y = x", ".unw", "rap", "();", " never read"), said("let y = ", "x?;"))
	agent, out := newAgent(t, s, stream.Policy{})
	if err := agent.Ask(context.Background(), "write it"); err != nil {
		t.Fatal(err)
	}
	if len(s.asked) != 2 || roles(s.asked[1]) != "user user" {
		t.Fatalf("asked %d times, then %q", len(s.asked), roles(s.asked[len(s.asked)-1]))
	}
	block := s.asked[1][1].Content
	want := "<system-interrupt reason=\"rule_violation\" rule=\"no-unwrap\" path=\".omp/rules/no-unwrap.md\">\nUse `?`.\n</system-interrupt>"
	if block != want {
		t.Errorf("the model is told %q", block)
	}
	if got := out.String(); got != "let y = x.unwraplet y = x?;\n" {
		t.Errorf("printed %q", got)
	}
	if last := agent.Messages[len(agent.Messages)-1]; last.Role != "assistant" || last.Content != "let y = x?;" {
		t.Errorf("the conversation ends with %+v", last)
	}
}

func TestKeptWhenAsked(t *testing.T) {
	s := newScript(t, said("a.unwrap()"), said("b"))
	agent, _ := newAgent(t, s, stream.Policy{ContextMode: stream.Keep})
	if err := agent.Ask(context.Background(), "x"); err != nil {
		t.Fatal(err)
	}
	if roles(s.asked[1]) != "user assistant user" {
		t.Errorf("asked again with %q", roles(s.asked[1]))
	}
}

func TestToolCallOfMatchingFile(t *testing.T) {
	call := func(arguments string) []string {
		text, _ := json.Marshal(arguments)
		return []string{
			`{"tool_calls":[{"index":0,"function":{"name":"edit","arguments":""}}]}`,
			fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"arguments":%s}}]}`, text),
		}
	}
	s := newScript(t, call(`{"text": "x: any", "path": "src/a.ts"}`), call(`{"text": "x: number", "path": "src/a.ts"}`), call(`{"text": "x: any", "path": "a.md"}`))
	agent, _ := newAgent(t, s, stream.Policy{})
	if err := agent.Ask(context.Background(), "x"); err != nil {
		t.Fatal(err)
	}
	if len(s.asked) != 2 {
		t.Errorf("asked %d times", len(s.asked))
	}
	if err := agent.Ask(context.Background(), "and the document"); err != nil {
		t.Fatal(err)
	}
	if len(s.asked) != 3 {
		t.Errorf("a file that the globs leave out interrupts: asked %d times", len(s.asked))
	}
}

func TestDecidedAtTheEnd(t *testing.T) {
	s := newScript(t, said("x TO", "DO"), said("done"))
	agent, _ := newAgent(t, s, stream.Policy{})
	if err := agent.Ask(context.Background(), "x"); err != nil {
		t.Fatal(err)
	}
	if len(s.asked) != 2 {
		t.Errorf("asked %d times", len(s.asked))
	}
}

func TestReminder(t *testing.T) {
	s := newScript(t, said("a.unwrap() b"), said("ok"))
	agent, out := newAgent(t, s, stream.Policy{InterruptMode: stream.InterruptNever})
	for range 2 {
		if err := agent.Ask(context.Background(), "x"); err != nil {
			t.Fatal(err)
		}
	}
	if roles(s.asked[1]) != "user assistant user user" || out.String() != "a.unwrap() b\nok\n" {
		t.Errorf("asked with %q, printed %q", roles(s.asked[1]), out)
	}
}

func TestEndpointFails(t *testing.T) {
	agent, _ := newAgent(t, newScript(t), stream.Policy{})
	if err := agent.Ask(context.Background(), "x"); err == nil || !strings.Contains(err.Error(), "429") {
		t.Errorf("the error is %v", err)
	}
}
