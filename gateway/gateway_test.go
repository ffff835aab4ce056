package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// The violation is made of letters that stand nowhere else, so that any part of it is
// found in what a client gets.
const violation = "ЖЩЮЯ"

// fire is a rule against it.
var fire = stream.Trigger{Name: "no-cyrillic", Path: ".pertain/rules/no-cyrillic.md", Body: "Write in Latin letters.", Patterns: []string{violation}}

// world is a gateway between a client and a scripted model.
type world struct {
	t       *testing.T
	model   *modeltest.Server
	server  *httptest.Server
	options gateway.Options
	journal *journal
}

// journal is one for tests.
type journal struct {
	mu      sync.Mutex
	entries []gateway.Entry
	heeded  map[string]bool
	writes  int
}

func (j *journal) Add(_ context.Context, entries ...gateway.Entry) (ids []string, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.writes++
	for _, e := range entries {
		j.entries = append(j.entries, e)
		ids = append(ids, fmt.Sprint(len(j.entries)))
	}
	return ids, nil
}

func (j *journal) Heed(_ context.Context, heeded bool, ids ...string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.writes++
	for _, id := range ids {
		j.heeded[id] = heeded
	}
	return nil
}

// told is the journal as lines.
func (j *journal) told() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []string
	for i, e := range j.entries {
		line := string(e.Action) + " " + e.Rule
		if e.Path != "" {
			line += " " + e.Path
		}
		if heeded, ok := j.heeded[fmt.Sprint(i+1)]; ok {
			line += fmt.Sprintf(" heeded=%v", heeded)
		}
		out = append(out, line)
	}
	return out
}

// set compiles triggers.
func set(t testing.TB, triggers ...stream.Trigger) *stream.Set {
	t.Helper()
	s, problems := stream.Compile(triggers, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return s
}

// open starts a gateway before a model.
func open(t *testing.T, policy stream.Policy, script modeltest.Script, triggers ...stream.Trigger) *world {
	t.Helper()
	w := &world{t: t, model: modeltest.Start(script), journal: &journal{heeded: map[string]bool{}}}
	t.Cleanup(w.model.Close)
	if triggers == nil {
		triggers = []stream.Trigger{fire}
	}
	upstream, err := url.Parse(w.model.URL)
	if err != nil {
		t.Fatal(err)
	}
	workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, triggers...), Policy: policy}
	to := gateway.Upstream{URL: upstream}
	w.options = gateway.Options{
		Workspace: func(name string) *gateway.Workspace {
			if name == "" {
				return workspace
			}
			return nil
		},
		Settings: func() gateway.Settings { return gateway.Settings{Anthropic: to, OpenAI: to, Gemini: to} },
		Journal:  w.journal,
	}
	w.start()
	return w
}

func (w *world) start() {
	w.server = httptest.NewServer(gateway.New(w.options))
	w.t.Cleanup(w.server.Close)
}

// apis are all that are spoken, in order.
var apis = []modeltest.API{modeltest.Messages, modeltest.Chat, modeltest.Responses, modeltest.Gemini}

// said is an entry of a conversation, as tests write it: one that begins with > is the
// user's, with < the model's; "<call ID" is one that calls, "=ID" its result.
type said = string

// request writes one.
func request(api modeltest.API, streamed bool, entries ...said) (path, body string) {
	var list []any
	for _, e := range entries {
		list = append(list, entry(api, e)...)
	}
	tool := map[string]any{"name": "write", "description": "writes"}
	tree := map[string]any{"model": "m"}
	switch api {
	case modeltest.Messages:
		path = "/v1/messages"
		tree["messages"], tree["system"], tree["stream"], tree["max_tokens"] = list, "be kind", streamed, 100
		tree["tools"] = []any{tool}
	case modeltest.Chat:
		path = "/v1/chat/completions"
		tree["messages"], tree["stream"] = append([]any{map[string]any{"role": "system", "content": "be kind"}}, list...), streamed
		tree["tools"] = []any{map[string]any{"type": "function", "function": tool}}
		tree["stream_options"] = map[string]any{"include_usage": true}
	case modeltest.Responses:
		path = "/v1/responses"
		tree["input"], tree["instructions"], tree["stream"] = list, "be kind", streamed
		tree["tools"] = []any{map[string]any{"type": "function", "name": "write"}}
	case modeltest.Gemini:
		path = "/v1beta/models/m:generateContent"
		if streamed {
			path = "/v1beta/models/m:streamGenerateContent?alt=sse"
		}
		tree = map[string]any{"contents": list, "systemInstruction": map[string]any{"parts": []any{map[string]any{"text": "be kind"}}}, "tools": []any{map[string]any{"functionDeclarations": []any{tool}}}}
	}
	data, _ := json.Marshal(tree)
	return path, string(data)
}

func entry(api modeltest.API, e said) []any {
	kind, text := e[0], e[1:]
	call, isCall := strings.CutPrefix(text, "call ")
	role := map[byte]string{'>': "user", '<': "assistant", '=': "user"}[kind]
	one := func(v map[string]any) []any { return []any{v} }
	switch api {
	case modeltest.Messages:
		block := map[string]any{"type": "text", "text": text}
		if kind == '=' {
			block = map[string]any{"type": "tool_result", "tool_use_id": text, "content": "done"}
		} else if isCall {
			block = map[string]any{"type": "tool_use", "id": call, "name": "write", "input": map[string]any{"path": "a.md"}}
		}
		return one(map[string]any{"role": role, "content": []any{block}})
	case modeltest.Chat:
		if kind == '=' {
			return one(map[string]any{"role": "tool", "tool_call_id": text, "content": "done"})
		}
		if isCall {
			return one(map[string]any{"role": role, "content": "", "tool_calls": []any{map[string]any{"id": call, "type": "function", "function": map[string]any{"name": "write", "arguments": "{}"}}}})
		}
		return one(map[string]any{"role": role, "content": text})
	case modeltest.Responses:
		if kind == '=' {
			return one(map[string]any{"type": "function_call_output", "call_id": text, "output": "done"})
		}
		if isCall {
			return one(map[string]any{"type": "function_call", "call_id": call, "name": "write", "arguments": "{}"})
		}
		part := map[byte]string{'>': "input_text", '<': "output_text"}[kind]
		return one(map[string]any{"type": "message", "role": role, "content": []any{map[string]any{"type": part, "text": text}}})
	}
	part := map[string]any{"text": text}
	if kind == '=' {
		part = map[string]any{"functionResponse": map[string]any{"id": text, "name": "write", "response": map[string]any{"output": "done"}}}
	} else if isCall {
		part = map[string]any{"functionCall": map[string]any{"id": call, "name": "write", "args": map[string]any{"path": "a.md"}}}
	}
	if role == "assistant" {
		role = "model"
	}
	return one(map[string]any{"role": role, "parts": []any{part}})
}

// reply is what a client got.
type reply struct {
	status int
	header http.Header
	raw    string
	err    error // the connection broke off
	texts  string
	calls  []string
}

// ask sends a request to an address and reads all of the answer.
func ask(t *testing.T, base string, api modeltest.API, streamed bool, header map[string]string, entries ...said) *reply {
	t.Helper()
	path, body := request(api, streamed, entries...)
	return post(t, base+path, body, api, header)
}

func post(t *testing.T, address, body string, api modeltest.API, header map[string]string) *reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer secret-key")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return &reply{err: err}
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	out := &reply{status: response.StatusCode, header: response.Header, raw: string(data), err: err}
	out.read(api)
	return out
}

// ask sends a request through the gateway.
func (w *world) ask(api modeltest.API, streamed bool, entries ...said) *reply {
	w.t.Helper()
	return ask(w.t, w.server.URL, api, streamed, nil, entries...)
}

// read takes the texts and calls out of an answer, as a client does.
func (r *reply) read(api modeltest.API) {
	var texts strings.Builder
	arguments := map[string]*strings.Builder{}
	var names []string
	call := func(id, piece string) {
		if arguments[id] == nil {
			arguments[id] = &strings.Builder{}
			names = append(names, id)
		}
		arguments[id].WriteString(piece)
	}
	for _, v := range r.events() {
		switch api {
		case modeltest.Messages:
			texts.WriteString(str(v, "delta", "text"))
			for _, b := range list(v, "content") {
				texts.WriteString(str(b, "text"))
				if str(b, "type") == "tool_use" {
					call(str(b, "id"), fmt.Sprint(get(b, "input")))
				}
			}
			if str(v, "content_block", "type") == "tool_use" {
				call(fmt.Sprint(get(v, "index")), "")
			}
			if piece := str(v, "delta", "partial_json"); piece != "" {
				call(fmt.Sprint(get(v, "index")), piece)
			}
		case modeltest.Chat:
			for _, c := range list(v, "choices") {
				texts.WriteString(str(c, "delta", "content") + str(c, "message", "content"))
				for _, part := range append(list(c, "delta", "tool_calls"), list(c, "message", "tool_calls")...) {
					call(fmt.Sprint(get(part, "index")), str(part, "function", "arguments"))
				}
			}
		case modeltest.Responses:
			if str(v, "type") == "response.output_text.delta" {
				texts.WriteString(str(v, "delta"))
			}
			if strings.HasSuffix(str(v, "type"), "_call_arguments.delta") {
				call(str(v, "item_id"), str(v, "delta"))
			}
			for _, item := range list(v, "output") {
				for _, part := range list(item, "content") {
					texts.WriteString(str(part, "text"))
				}
				if str(item, "type") == "function_call" {
					call(str(item, "id"), str(item, "arguments"))
				}
			}
		case modeltest.Gemini:
			for _, c := range list(v, "candidates") {
				for i, part := range list(c, "content", "parts") {
					if get(part, "thought") == nil {
						texts.WriteString(str(part, "text"))
					}
					if get(part, "functionCall") != nil {
						data, _ := json.Marshal(get(part, "functionCall", "args"))
						call(fmt.Sprint(len(names), i), string(data))
					}
				}
			}
		}
	}
	r.texts = texts.String()
	for _, name := range names {
		r.calls = append(r.calls, arguments[name].String())
	}
}

// events are the JSON documents of an answer, in order.
func (r *reply) events() []any {
	var out []any
	add := func(text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) == nil {
			out = append(out, v)
		}
	}
	if strings.HasPrefix(r.raw, "{") {
		add(r.raw)
		return out
	}
	for line := range strings.Lines(r.raw) {
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			add(text)
		}
	}
	return out
}

// complete tells whether an answer has its last event.
func (r *reply) complete(api modeltest.API) bool {
	end := map[modeltest.API]string{modeltest.Messages: `"message_stop"`, modeltest.Chat: "[DONE]", modeltest.Responses: `"response.completed"`, modeltest.Gemini: `"finishReason"`}[api]
	return r.err == nil && strings.Contains(r.raw, end)
}

func get(v any, keys ...string) any {
	for _, key := range keys {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

func str(v any, keys ...string) string {
	s, _ := get(v, keys...).(string)
	return s
}

func list(v any, keys ...string) []any {
	l, _ := get(v, keys...).([]any)
	return l
}

// hasViolation finds any letter of the violation in what a client got, as it is or
// escaped.
func (r *reply) hasViolation() bool {
	return strings.ContainsAny(r.raw, violation) || strings.Contains(strings.ToLower(r.raw), `\u04`) || strings.ContainsAny(r.texts, violation)
}

// write is a call that writes a file.
func write(content string) modeltest.Call {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(struct {
		Path    string `json:"path"`
		Content string `json:"content"`
	}{"/w/src/a.md", content})
	return modeltest.Call{Name: "write", Arguments: strings.TrimSpace(b.String())}
}

// reminded counts the reminders in a request to the model.
func reminded(r *modeltest.Request) int { return strings.Count(r.Text, "<system-interrupt") }

// same compares lines.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, not %q", what, got, want)
	}
}
