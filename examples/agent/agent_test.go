package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/stream"
)

// script is a server that answers one request after the other with the events that
// are written down for it, and keeps what it was asked.
type script struct {
	*httptest.Server
	answers [][]string // deltas as JSON, or whole lines that begin with `data:`
	asked   [][]Message
	aborted chan bool // told when a client leaves in the middle of an answer that hangs
}

// hang is a line at which the server waits until the client leaves.
const hang = "data: hang"

func newScript(t *testing.T, answers ...[]string) *script {
	s := &script{answers: answers, aborted: make(chan bool, 1)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Messages []Message }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/chat/completions" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		s.asked = append(s.asked, body.Messages)
		if len(s.asked) > len(s.answers) {
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, `{"error":{"message":"no more\n answers"}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		raw := false
		for _, line := range s.answers[len(s.asked)-1] {
			if line == hang {
				<-r.Context().Done()
				s.aborted <- true
				return
			}
			if strings.HasPrefix(line, "{") {
				line = fmt.Sprintf("data: {\"choices\":[{\"delta\":%s}]}", line)
			} else {
				raw = true
			}
			fmt.Fprint(w, line+"\n\n")
			w.(http.Flusher).Flush()
		}
		if !raw {
			fmt.Fprint(w, "data: [DONE]\n\n")
		}
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
	return &Agent{
		Endpoint: Endpoint{URL: s.URL + "/v1", Model: "m", Client: s.Client()},
		Watcher:  w, Set: set, Root: "/w", Out: &out, Notes: &bytes.Buffer{},
	}, &out
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
	if roles(s.asked[1]) != "user assistant user" || s.asked[1][1].Content != "a.unwrap()" {
		t.Errorf("asked again with %+v", s.asked[1])
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

// Rules see what a call writes, and not the JSON around it: quotes stand there as they do in the file.
func TestDecodedCall(t *testing.T) {
	arguments, _ := json.Marshal(`{"content": "eval(\"1\")", "path": "src/a.ts"}`)
	write := fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"name":"write","arguments":%s}}]}`, arguments)
	s := newScript(t, []string{write}, said("better"))
	agent, _ := newAgent(t, s, stream.Policy{})
	set, problems := stream.Compile([]stream.Trigger{{Name: "no-eval", Patterns: []string{`eval\("`}, Body: "No eval.", Globs: []string{"**/*.ts"}}}, stream.Options{})
	watcher, err := stream.NewWatcher(t.Context(), set, nil, stream.Policy{Budget: 3})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	agent.Set, agent.Watcher = set, watcher
	if err := agent.Ask(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if len(s.asked) != 2 {
		t.Errorf("asked %d times", len(s.asked))
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

// An interruption ends the request at once: the server is not listened to.
func TestAborts(t *testing.T) {
	s := newScript(t, append(said("x.unwrap()"), hang), said("x?"))
	agent, _ := newAgent(t, s, stream.Policy{})
	if err := agent.Ask(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	<-s.aborted
	if len(s.asked) != 2 {
		t.Errorf("asked %d times", len(s.asked))
	}
}

// What was to be a reminder is told with the rule that interrupts.
func TestReminderBeforeInterruption(t *testing.T) {
	call := `{"tool_calls":[{"index":0,"function":{"name":"edit","arguments":"{\"text\": \"x: any \", \"path\": \"/w/src/a.ts\"}"}}]}`
	s := newScript(t, append(said("a.unwrap() "), call), said("ok"))
	agent, _ := newAgent(t, s, stream.Policy{InterruptMode: stream.ToolOnly})
	if err := agent.Ask(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if len(s.asked) != 2 || roles(s.asked[1]) != "user user" {
		t.Fatalf("asked %d times, then %q", len(s.asked), roles(s.asked[len(s.asked)-1]))
	}
	if block := s.asked[1][1].Content; !strings.Contains(block, `rule="no-unwrap"`) || !strings.Contains(block, `rule="no-any"`) {
		t.Errorf("the model is told %q", block)
	}
}

// After three interruptions rules only remind, so that a model that does not listen
// comes to an end.
func TestBudget(t *testing.T) {
	broken := said("x.unwrap()")
	s := newScript(t, broken, broken, broken, broken)
	agent, out := newAgent(t, s, stream.Policy{RepeatMode: stream.AfterGap, RepeatGap: -1})
	if err := agent.Ask(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if len(s.asked) != 4 || out.String() != "x.unwrap()\n" {
		t.Errorf("asked %d times, printed %q", len(s.asked), out)
	}
	if got := roles(agent.Messages); got != "user user user user assistant user" {
		t.Errorf("the conversation is %q", got)
	}
}

func TestUndecidedIsTold(t *testing.T) {
	s := newScript(t, said(strings.Repeat("x", 64)+"zy"))
	agent, _ := newAgent(t, s, stream.Policy{})
	agent.Set, _ = stream.Compile([]stream.Trigger{{Name: "slow", Patterns: []string{`(x+x+)+z\1y`}}}, stream.Options{})
	agent.Watcher, _ = stream.NewWatcher(t.Context(), agent.Set, nil, stream.Policy{})
	if err := agent.Ask(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if notes := fmt.Sprint(agent.Notes); !strings.Contains(notes, "[rule slow may have missed something: pattern 1 is undecided") {
		t.Errorf("noted is %q", notes)
	}
}

func TestEndpointFails(t *testing.T) {
	for _, c := range []struct {
		answer []string // nil: there is none
		want   string   // "": it does not fail
	}{
		{nil, "the endpoint answers 429 Too Many Requests: no more answers"},
		{[]string{`data: {"choices":[{"delta":{"content":"a"}}]}`}, "the answer was cut off"},
		{[]string{`data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`}, ""},
		{[]string{`: alive`, `data:{"choices":[{"delta":{"content":"a"}}]}`, `data: {"choices":[],"usage":{}}`, `data: [DONE]`}, ""},
		{[]string{`data: {"choices":[{"delta":{"content":"a"}}]}`, `data: {"error":{"message":"out of memory"}}`}, "the endpoint broke off: out of memory"},
		{[]string{`data: {"error":{}}`}, "the endpoint broke off: it does not say why"},
		{[]string{`data: {"error":"out of\nmemory"}`}, "the endpoint broke off: out of memory"},
		{[]string{`data: {"error":5}`}, "the endpoint broke off: it does not say why"},
		{[]string{`data: {"error":null,"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`}, ""},
		{[]string{`data: {"choices":`}, "an event that is no JSON"},
		{[]string{`<html>`}, "the answer was cut off"},
		{[]string{"data: " + strings.Repeat("x", 2<<20)}, "too long"},
	} {
		var answers [][]string
		if c.answer != nil {
			answers = append(answers, c.answer)
		}
		agent, _ := newAgent(t, newScript(t, answers...), stream.Policy{})
		err := agent.Ask(t.Context(), "x")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.80q: the error is %v, want %q", c.answer, err, c.want)
		}
	}
	agent, _ := newAgent(t, newScript(t), stream.Policy{})
	agent.Endpoint.URL = "http://127.0.0.1:1"
	if err := agent.Ask(t.Context(), "x"); err == nil {
		t.Error("nobody answers, and that is no error")
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newScript(t, append(said("a"), hang))
	agent, _ := newAgent(t, s, stream.Policy{})
	agent.Out = writerFunc(func() { cancel() }) // when the first piece has come
	if err := agent.Ask(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	<-s.aborted
}

type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) { f(); return len(p), nil }

func TestRelative(t *testing.T) {
	for path, want := range map[string]string{"src/a.ts": "src/a.ts", "./src/../a.ts": "a.ts", "/w/src/a.ts": "src/a.ts"} {
		if got := (&answer{root: "/w"}).relative(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// With a memory the next call knows which rules the model was shown; without, each
// begins afresh.
func TestMemory(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".omp", "rules", "no-unwrap.md")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("---\nttsr_trigger: '\\.unwrap\\(\\)'\n---\nUse `?`.\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		options options
		want    []int // requests of each call
	}{
		{options{memory: filepath.Join(dir, "kept", "talk.json")}, []int{2, 1, 1}},
		{options{}, []int{2, 2, 2}},
	} {
		for i, want := range c.want {
			s := newScript(t, said("x.unwrap()"), said("b"))
			env := pertain.Environment{Dir: dir, Env: func(name string) string { return map[string]string{"HOME": dir}[name] }}
			agent, err := open(t.Context(), Endpoint{URL: s.URL + "/v1", Client: s.Client()}, env, c.options)
			if err != nil {
				t.Fatal(err)
			}
			agent.Out, agent.Notes = io.Discard, io.Discard
			if err := agent.Ask(t.Context(), "x"); err != nil {
				t.Fatal(err)
			}
			if len(s.asked) != want {
				t.Errorf("%+v: call %d asked %d times, want %d", c.options, i+1, len(s.asked), want)
			}
		}
	}
	if _, err := open(t.Context(), Endpoint{}, pertain.Environment{Dir: dir, Env: func(string) string { return "" }}, options{memory: filepath.Join(path, "x")}); err == nil {
		t.Error("a memory in a file is no error")
	}
}

// The rules and settings of a folder are in force.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":               "",
		".omp/rules/no-unwrap.md": "---\nttsr_trigger: '\\.unwrap\\(\\)'\n---\nUse `?`.\n",
		".omp/rules/style.md":     "---\nalwaysApply: true\n---\nBe brief.\n",
		"config.yaml":             "ttsr: {contextMode: keep}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	s := newScript(t, said("a ", "x.unwrap()"), said("b"))
	env := map[string]string{"HOME": dir, "PERTAIN_CONFIG": filepath.Join(dir, "config.yaml")}
	agent, err := open(t.Context(), Endpoint{URL: s.URL + "/v1", Client: s.Client()}, pertain.Environment{Dir: dir, Env: func(name string) string { return env[name] }}, options{})
	if err != nil {
		t.Fatal(err)
	}
	agent.Out, agent.Notes = io.Discard, io.Discard
	if err := agent.Ask(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if roles(s.asked[1]) != "system user assistant user" || !strings.Contains(s.asked[0][0].Content, "Be brief.") {
		t.Errorf("asked with %+v", s.asked)
	}
}
