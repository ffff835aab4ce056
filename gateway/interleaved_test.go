package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// scripted is a gateway with triggers before a model that sends these streams, the last again and again. It counts them.
func scripted(t *testing.T, answers []string, triggers ...stream.Trigger) (address string, asked *int) {
	t.Helper()
	asked = new(int)
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, answers[min(*asked, len(answers)-1)])
		*asked++
	}), func(o *gateway.Options) {
		workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, triggers...)}
		o.Workspace = func(string) *gateway.Workspace { return workspace }
	})
	return server.URL, asked
}

// deltaOf is an event of Chat with pieces of calls, each "INDEX ID ARGUMENTS"; an id of - is none.
func deltaOf(kind string, pieces ...string) string {
	var calls []string
	for _, p := range pieces {
		fields := strings.SplitN(p, " ", 3)
		head := ""
		if fields[1] != "-" {
			head = `"id":"` + fields[1] + `","type":"` + kind + `",`
		}
		tool, field := "write", "arguments"
		if kind == "custom" {
			tool, field = "apply_patch", "input"
		}
		calls = append(calls, fmt.Sprintf(`{"index":%s,%s"%s":{"name":"%s","%s":%s}}`, fields[0], head, kind, tool, field, strconv.Quote(fields[2])))
	}
	return `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[` + strings.Join(calls, ",") + `]}}]}`
}

// TestChatCallsInterleaved: pieces of several calls in any order are watched as the calls that an agent puts together,
// with the files that they touch.
func TestChatCallsInterleaved(t *testing.T) {
	const finish = `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	const head = `{"path":"/w/a.ts","content":"`
	markdown := fire
	markdown.Globs = []string{"*.ts"}
	markdown.Scope = []string{"tool"}
	for _, c := range []struct {
		name   string
		events []string
	}{
		{"after the next", []string{deltaOf("function", "0 a "+head+"ЖЩ"), deltaOf("function", "1 b "+head+`x"}`), deltaOf("function", `0 - ЮЯ"}`)}},
		{"path before, text after", []string{deltaOf("function", "0 a "+head), deltaOf("function", "1 b "+head+`x"}`), deltaOf("function", `0 - ЖЩЮЯ"}`)}},
		{"names first", []string{deltaOf("function", "0 a "), deltaOf("function", "1 b "), deltaOf("function", `1 - `+head+`x"}`), deltaOf("function", "0 - "+head+`ЖЩЮЯ"}`)}},
		{"in one event", []string{deltaOf("function", "0 a "+head+"ЖЩ", "1 b "+head), deltaOf("function", `0 - ЮЯ"}`, `1 - x"}`)}},
		{"after the reason", []string{deltaOf("function", "0 a "+head+"ЖЩ"), finish, deltaOf("function", `0 - ЮЯ"}`)}},
		{"one index", []string{deltaOf("function", `0 a {"path":"/w/a.md","content":"x"}`), deltaOf("function", "0 b "+head+"ЖЩ"), deltaOf("function", `0 - ЮЯ"}`)}},
		{"bare", []string{deltaOf("custom", "0 a *** Begin Patch\n*** Add File: a.ts\n+{}ЖЩ"), deltaOf("custom", "1 b {}"), deltaOf("custom", "0 - ЮЯ\n*** End Patch")}},
	} {
		for _, trigger := range []stream.Trigger{fire, markdown} {
			events := append(append([]string{}, c.events...), finish, "[DONE]")
			better := data(`{"id":"d","choices":[{"index":0,"delta":{"content":"Better."},"finish_reason":"stop"}]}`, "[DONE]")
			address, asked := scripted(t, []string{data(events...), better}, trigger)
			r := ask(t, address, modeltest.Chat, true, nil, ">hello")
			second := *asked == 2 || c.name == "one index" && *asked == 1 // there, a call before it was released
			if strings.Contains(r.raw, "ЮЯ") || !second || !r.complete(modeltest.Chat) {
				t.Errorf("%s, globs %q: asked %d times, %v %s", c.name, trigger.Globs, *asked, r.err, r.raw)
			}
		}
		clean := strings.NewReplacer("ЖЩ", "ok", "ЮЯ", "ok").Replace(data(append(append([]string{}, c.events...), finish, "[DONE]")...))
		address, asked := scripted(t, []string{clean}, fire)
		if r := ask(t, address, modeltest.Chat, true, nil, ">hello"); r.raw != clean || *asked != 1 {
			t.Errorf("%s: %q, not %q", c.name, r.raw, clean)
		}
	}
}

// TestGeminiArgumentsInterleaved: arguments that arrive in pieces for several places are watched as what they are put
// together, with the file that the call touches, and a call that comes between them, too.
func TestGeminiArgumentsInterleaved(t *testing.T) {
	chunk := func(call, more string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{` + call + `}}]}` + more + `}]}`
	}
	piece := func(path, text string) string {
		return chunk(`"partialArgs":[{"jsonPath":"`+path+`","stringValue":"`+text+`"}],"willContinue":true`, "")
	}
	begin := chunk(`"name":"write","willContinue":true`, "")
	const stop = `,"finishReason":"STOP"`
	markdown := fire
	markdown.Globs = []string{"*.ts"}
	for name, events := range map[string][]string{
		"two places":         {begin, piece("$.content", "ЖЩ"), piece("$.path", "a.ts"), piece("$.content", "ЮЯ"), chunk("", stop)},
		"nested":             {begin, piece("$.path", "a.ts"), piece("$.edits[0].new_text", "ЖЩ"), piece("$['edits'][0]['old_text']", "x"), piece("$.edits[0].new_text", "ЮЯ"), chunk("", stop)},
		"without an end":     {begin, piece("$.content", "ЖЩ"), piece("$.path", "a.ts"), piece("$.content", "ЮЯ"), `{"candidates":[{"finishReason":"STOP"}]}`},
		"another in between": {begin, piece("$.content", "x"), chunk(`"name":"write","args":{"path":"a.ts","content":"ЖЩЮЯ"}`, stop)},
	} {
		for _, trigger := range []stream.Trigger{fire, markdown} {
			better := data(`{"candidates":[{"content":{"role":"model","parts":[{"text":"Better."}]},"finishReason":"STOP"}]}`)
			address, asked := scripted(t, []string{data(events...), better}, trigger)
			r := ask(t, address, modeltest.Gemini, true, nil, ">hello")
			if strings.Contains(r.raw, "ЮЯ") || name != "another in between" && *asked != 2 || !r.complete(modeltest.Gemini) {
				t.Errorf("%s, globs %q: asked %d times, %v %s", name, trigger.Globs, *asked, r.err, r.raw)
			}
		}
		clean := strings.NewReplacer("ЖЩ", "ok", "ЮЯ", "ok").Replace(data(events...))
		address, asked := scripted(t, []string{clean}, fire)
		if r := ask(t, address, modeltest.Gemini, true, nil, ">hello"); r.raw != clean || *asked != 1 {
			t.Errorf("%s: %q, not %q", name, r.raw, clean)
		}
	}
}
