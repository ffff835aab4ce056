package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// thought asks twice: an answer that thinks first is broken off and asked for again, and then the client sends what it
// has got. events are the stream of the first answer and of the second, and history is what the client sends back. It gives the lists of the second and
// of the third request.
func thought(t *testing.T, api modeltest.API, mode stream.ContextMode, key string, events [2]string, history string) (again, next []any) {
	t.Helper()
	var bodies [][]any
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var tree map[string]any
		if err := json.NewDecoder(r.Body).Decode(&tree); err != nil {
			t.Error(err)
		}
		bodies = append(bodies, list(tree, key))
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, events[min(len(bodies), 2)-1])
	}), func(o *gateway.Options) {
		workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, fire), Policy: stream.Policy{ContextMode: mode}}
		o.Workspace = func(string) *gateway.Workspace { return workspace }
	})
	ask(t, server.URL, api, true, nil, ">hello")
	path, body := request(api, true, ">hello", ">MARK", ">go on")
	mark, _ := json.Marshal(entry(api, ">MARK")[0])
	post(t, server.URL+path, strings.Replace(body, string(mark), history, 1), api, nil)
	if len(bodies) != 3 {
		t.Fatalf("%d requests", len(bodies))
	}
	return bodies[1], bodies[2]
}

// data writes events.
func data(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "data: %s\n\n", e)
	}
	return b.String()
}

// goesOn compares a request with what has to be in it, and with what it goes on from.
func goesOn(t *testing.T, what string, again, next []any, kept, rest string) {
	t.Helper()
	text := func(v any) string {
		out, _ := json.Marshal(v)
		return string(out)
	}
	if len(next) <= len(again) || text(next[:len(again)]) != text(again) {
		t.Errorf("%s: the provider does not know the beginning:\n%s\n%s", what, text(again), text(next))
		return
	}
	if got := text(again[1 : len(again)-1]); got != kept {
		t.Errorf("%s: what was sent with the reminder: %s, not %s", what, got, kept)
	}
	if got := text(next[len(again) : len(next)-1]); got != rest {
		t.Errorf("%s: what follows the reminder: %s, not %s", what, got, rest)
	}
}

// TestReasoningPutBack: what was thought in an answer that was broken off is taken out of later requests of Responses with
// it, or stays before what was said, as it was sent with the reminder; whatever of it the agent knows it by.
func TestReasoningPutBack(t *testing.T) {
	const said, second = `{"content":[{"text":"Well. ","type":"output_text"}],"role":"assistant","type":"message"}`, `{"content":[{"text":"Good.","type":"output_text"}],"role":"assistant","type":"message"}`
	for _, c := range []struct{ name, item, kept string }{
		{"sealed", `"summary":[],"encrypted_content":"c2VhbGVk"`, `{"encrypted_content":"c2VhbGVk","summary":[],"type":"reasoning"},`},
		{
			"two summaries", `"summary":[{"type":"summary_text","text":"one"},{"type":"summary_text","text":"two"}],"encrypted_content":"c2VhbGVk"`,
			`{"encrypted_content":"c2VhbGVk","summary":[{"text":"one","type":"summary_text"},{"text":"two","type":"summary_text"}],"type":"reasoning"},`,
		},
		{"open", `"summary":[],"content":[{"type":"reasoning_text","text":"hm"}]`, `{"content":[{"text":"hm","type":"reasoning_text"}],"summary":[],"type":"reasoning"},`},
		{"kept by the provider", `"summary":[{"type":"summary_text","text":"one"}]`, ""},
	} {
		item := `{"type":"reasoning",` + c.item
		first := []string{
			`{"type":"response.created","sequence_number":0,"response":{"id":"r1","output":[]}}`,
			`{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}`,
			`{"type":"response.output_item.done","output_index":0,"item":` + item + `,"id":"rs_1","status":null}}`,
			`{"type":"response.output_item.added","output_index":1,"item":{"id":"m1","type":"message","role":"assistant","content":[]}}`,
			`{"type":"response.content_part.added","output_index":1,"content_index":0,"part":{"type":"output_text","text":""}}`,
			`{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"Well. "}`,
			`{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"` + violation + `"}`,
		}
		events := [2]string{data(first...), data(`{"type":"response.created","response":{"id":"r2"}}`, `{"type":"response.completed","response":{"id":"r2","output":[`+second+`]}}`)}
		for _, id := range []string{`,"id":"rs_1"}`, `}`} {
			history := strings.Join([]string{item + id, said, second}, ",")
			what := c.name + id
			again, next := thought(t, modeltest.Responses, stream.Discard, "input", events, history)
			goesOn(t, what+" discard", again, next, "[]", "["+second+"]")
			again, next = thought(t, modeltest.Responses, stream.Keep, "input", events, history)
			goesOn(t, what+" keep", again, next, "["+c.kept+said+"]", "["+second+"]")
		}
	}
}

// TestHiddenThinkingPutBack: thinking of Messages that nobody may read is known by its signature.
func TestHiddenThinkingPutBack(t *testing.T) {
	const thinking, said = `{"signature":"c2ln","thinking":"","type":"thinking"}`, `{"text":"Well. ","type":"text"}`
	block := func(index int, start string, deltas ...string) string {
		events := []string{fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, start)}
		for _, d := range deltas {
			events = append(events, fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, d))
		}
		return data(append(events, fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index))...)
	}
	const start, text = `{"type":"message_start","message":{"id":"m","usage":{}}}`, `{"type":"text","text":""}`
	events := [2]string{
		data(start) + block(0, `{"type":"thinking","thinking":"","signature":""}`, `{"type":"signature_delta","signature":"c2ln"}`) +
			block(1, text, `{"type":"text_delta","text":"Well. "}`, `{"type":"text_delta","text":"`+violation+`"}`),
		data(start) + block(0, text, `{"type":"text_delta","text":"Good."}`) + data(`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, `{"type":"message_stop"}`),
	}
	const second = `{"content":[{"text":"Good.","type":"text"}],"role":"assistant"}`
	history := `{"content":[` + thinking + `,` + said + `,{"text":"Good.","type":"text"}],"role":"assistant"}`
	again, next := thought(t, modeltest.Messages, stream.Discard, "messages", events, history)
	goesOn(t, "discard", again, next, "[]", "["+second+"]")
	again, next = thought(t, modeltest.Messages, stream.Keep, "messages", events, history)
	goesOn(t, "keep", again, next, `[{"content":[`+thinking+`,`+said+`],"role":"assistant"}]`, "["+second+"]")
}

// TestThoughtInPartsPutBack: thoughts of Gemini that a client sends back in the parts in which they came are taken out, too.
func TestThoughtInPartsPutBack(t *testing.T) {
	chunk := func(parts, more string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[` + parts + `]}` + more + `}],"responseId":"g"}`
	}
	const one, two, said, good = `{"text":"I ","thought":true}`, `{"text":"think","thought":true}`, `{"text":"Well. "}`, `{"text":"Good."}`
	events := [2]string{
		data(chunk(one, ""), chunk(two, ""), chunk(said, ""), chunk(`{"text":"`+violation+`"}`, "")),
		data(chunk(good, `,"finishReason":"STOP"`)),
	}
	again, next := thought(t, modeltest.Gemini, stream.Discard, "contents", events, `{"role":"model","parts":[`+strings.Join([]string{one, two, said, good}, ",")+`]}`)
	goesOn(t, "discard", again, next, "[]", `[{"parts":[`+good+`],"role":"model"}]`)
}

// TestReasoningContentPutBack: what was thought for an answer that was broken off is taken out of a message of Chat that has it
// joined with what was thought for the next.
func TestReasoningContentPutBack(t *testing.T) {
	chunk := func(delta, more string) string {
		return `{"id":"c","choices":[{"index":0,"delta":{` + delta + `}` + more + `}]}`
	}
	for _, key := range []string{"reasoning_content", "reasoning"} {
		thinks := func(text string) string { return chunk(`"`+key+`":"`+text+`"`, "") }
		last := []string{thinks("Again, "), thinks("better"), chunk(`"content":"Good."`, ""), chunk("", `,"finish_reason":"stop"`), "[DONE]"}
		for _, c := range []struct{ name, said, content string }{
			{"said something", "Well. ", `Well. \n\nGood.`},
			{"said nothing", "", "Good."},
		} {
			first := []string{thinks("I "), thinks("think")}
			if c.said != "" {
				first = append(first, chunk(`"content":"`+c.said+`"`, ""))
			}
			events := [2]string{data(append(first, chunk(`"content":"`+violation+`"`, ""))...), data(last...)}
			for sent, want := range map[string]string{
				`,"` + key + `":"I thinkAgain, better"`: `,"` + key + `":"Again, better"`,
				`,"` + key + `":"Again, better"`:        `,"` + key + `":"Again, better"`, // what agents leave out is not looked for
				``:                                      ``,
			} {
				again, next := thought(t, modeltest.Chat, stream.Discard, "messages", events, `{"content":"`+c.content+`"`+sent+`,"role":"assistant"}`)
				goesOn(t, key+", "+c.name+", "+sent, again, next, `[{"content":"hello","role":"user"}]`, `[{"content":"Good."`+want+`,"role":"assistant"}]`)
			}
		}
	}
}
