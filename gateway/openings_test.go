package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestNothingOpened: a text of which nothing was released is not opened for the client, so that it has none that is
// empty, whatever came in between.
func TestNothingOpened(t *testing.T) {
	thinks := fire
	thinks.Scope = []string{"text", "thinking"}
	const start = `{"type":"message_start","message":{"id":"m","usage":{}}}`
	messages := func(kind, field string) string {
		return data(start, `{"type":"content_block_start","index":0,"content_block":{"type":"`+kind+`","`+field+`":"","mark":"first"}}`, `{"type":"ping"}`) + ": comment\n\n" +
			data(`{"type":"content_block_delta","index":0,"delta":{"type":"`+kind+`_delta","`+field+`":"`+violation+`"}}`)
	}
	item := func(kind string) string {
		return `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"` + kind + `","id":"first","role":"assistant","content":[],"summary":[]}}`
	}
	const created = `{"type":"response.created","sequence_number":0,"response":{"id":"r1","output":[]}}`
	better := map[modeltest.API]string{
		modeltest.Messages: data(start, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Better."}}`,
			`{"type":"content_block_stop","index":0}`, `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}`, `{"type":"message_stop"}`),
		modeltest.Responses: data(created, `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"second","role":"assistant","content":[]}}`,
			`{"type":"response.content_part.added","sequence_number":2,"output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`,
			`{"type":"response.output_text.delta","sequence_number":3,"output_index":0,"content_index":0,"delta":"Better."}`,
			`{"type":"response.completed","sequence_number":4,"response":{"id":"r2","output":[{"type":"message","id":"second","role":"assistant","content":[{"type":"output_text","text":"Better."}]}]}}`),
	}
	for _, c := range []struct {
		name  string
		api   modeltest.API
		first string
	}{
		{"text", modeltest.Messages, messages("text", "text")},
		{"thinking", modeltest.Messages, messages("thinking", "thinking")},
		{"text", modeltest.Responses, data(created, item("message"), `{"type":"response.content_part.added","sequence_number":2,"output_index":0,"content_index":0,"part":{"type":"output_text","text":""}}`) + ": comment\n\n" +
			data(`{"type":"response.output_text.delta","sequence_number":3,"output_index":0,"content_index":0,"delta":"`+violation+`"}`)},
		{"thinking", modeltest.Responses, data(created, item("reasoning"), `{"type":"response.reasoning_summary_part.added","sequence_number":2,"output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}`,
			`{"type":"response.reasoning_summary_text.delta","sequence_number":3,"output_index":0,"summary_index":0,"delta":"`+violation+`"}`)},
	} {
		address, asked := scripted(t, []string{c.first, better[c.api]}, thinks)
		r := ask(t, address, c.api, true, nil, ">hello")
		if strings.Contains(r.raw, "first") || r.texts != "Better." || *asked != 2 || !r.complete(c.api) {
			t.Errorf("%s, %s: asked %d times, %v %s", c.api, c.name, *asked, r.err, r.raw)
		}
		for i, v := range r.events() { // as if it were the first
			if n, ok := get(v, "sequence_number").(float64); ok && int(n) != i {
				t.Errorf("%s, %s: number %v at %d: %s", c.api, c.name, n, i, r.raw)
			}
			for _, index := range []string{"index", "output_index"} {
				if n, ok := get(v, index).(float64); ok && n != 0 {
					t.Errorf("%s, %s: index %v: %s", c.api, c.name, n, r.raw)
				}
			}
		}
		clean := strings.ReplaceAll(c.first+better[c.api], violation, "x")
		address, _ = scripted(t, []string{clean}, thinks)
		if r := ask(t, address, c.api, true, nil, ">hello"); r.raw != clean {
			t.Errorf("%s, %s: %q, not %q", c.api, c.name, r.raw, clean)
		}
	}
}

// TestBlankTakenOut: white space that was released of an answer that was broken off is taken out of later requests, in the
// form of a text of its own that providers refuse.
func TestBlankTakenOut(t *testing.T) {
	for _, mode := range []stream.ContextMode{stream.Discard, stream.Keep} {
		for _, blank := range []string{"\n\n", " "} {
			w := open(t, stream.Policy{ContextMode: mode}, func(r *modeltest.Request) modeltest.Answer {
				if reminded(r) > 0 {
					return modeltest.Answer{Text: "Better."}
				}
				return modeltest.Answer{Text: blank + violation, Piece: len(blank)}
			})
			for _, api := range []modeltest.API{modeltest.Messages, modeltest.Responses} {
				if r := w.ask(api, true, ">hello"); !strings.HasPrefix(r.texts, blank) {
					t.Errorf("%s: the white space was not released: %q", api, r.raw)
				}
				path, body := request(api, true, ">hello", "<MARK", ">go on")
				split := map[modeltest.API]string{modeltest.Messages: `"},{"type":"text","text":"`, modeltest.Responses: `"}],"role":"assistant","type":"message"},{"content":[{"type":"output_text","text":"`}[api]
				old := map[modeltest.API]string{modeltest.Messages: `{"text":"MARK","type":"text"}`, modeltest.Responses: `{"text":"MARK","type":"output_text"}`}[api]
				quoted := strings.Trim(fmt.Sprintf("%q", blank), `"`)
				body = strings.Replace(body, old, `{"type":"`+map[modeltest.API]string{modeltest.Messages: "text", modeltest.Responses: "output_text"}[api]+`","text":"`+quoted+split+`Better."}`, 1)
				post(t, w.server.URL+path, body, api, nil)
				last := w.model.Requests()[len(w.model.Requests())-1]
				if strings.Contains(string(last.Body), `"text":"`+quoted+`"`) || !last.Has("Better.") || reminded(last) != 1 {
					t.Errorf("%s, %s, %q: %s", api, mode, blank, last.Body)
				}
			}
		}
	}
}

// TestSpentUnseen: tokens of an answer of which the client has got nothing are in the usage, too.
func TestSpentUnseen(t *testing.T) {
	for _, c := range []struct {
		api           modeltest.API
		first, second string
		keys          []string
	}{
		{
			modeltest.Chat, data(`{"id":"a","choices":[{"index":0,"delta":{"content":"` + violation + `"}}],"usage":{"completion_tokens":20}}`),
			data(`{"id":"b","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}],"usage":{"completion_tokens":3}}`, "[DONE]"),
			[]string{"usage", "completion_tokens"},
		},
		{
			modeltest.Responses, data(`{"type":"response.completed","response":{"id":"a","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + violation + `"}]}],"usage":{"output_tokens":20}}}`),
			data(`{"type":"response.completed","response":{"id":"b","output":[],"usage":{"output_tokens":3}}}`),
			[]string{"response", "usage", "output_tokens"},
		},
		{
			modeltest.Gemini, data(`{"candidates":[{"content":{"parts":[{"text":"` + violation + `"}]}}],"usageMetadata":{"candidatesTokenCount":20}}`),
			data(`{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}],"usageMetadata":{"candidatesTokenCount":3}}`),
			[]string{"usageMetadata", "candidatesTokenCount"},
		},
	} {
		address, asked := scripted(t, []string{c.first, c.second}, fire)
		r := ask(t, address, c.api, true, nil, ">hello")
		if n := get(r.events()[0], c.keys...); *asked != 2 || n != 23.0 {
			t.Errorf("%s: asked %d times, %v in %q", c.api, *asked, n, r.raw)
		}
	}
}

// TestOpenedLong: an upstream that opens a text and then only shows that it is alive is not remembered without end: the client has
// what was opened by then, and every byte.
func TestOpenedLong(t *testing.T) {
	opened := data(`{"type":"message_start","message":{"id":"m","usage":{}}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","mark":"first"}}`)
	said := data(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"`+violation+`"}}`, `{"type":"message_stop"}`)
	for name, quiet := range map[string]string{"lines": strings.Repeat("\n", 256<<10), "comments": strings.Repeat(":\r\n\r\n", 64<<10), "pings": strings.Repeat(data(`{"type":"ping"}`), 1<<10)} {
		address, _ := scripted(t, []string{opened + quiet + said, data(`{"type":"message_stop"}`)}, fire)
		if r := ask(t, address, modeltest.Messages, true, nil, ">hello"); !strings.HasPrefix(r.raw, opened+quiet[:len(quiet)/2]) || r.hasViolation() {
			t.Errorf("%s: %d bytes, %v", name, len(r.raw), r.err)
		}
		calm := opened + quiet + data(`{"type":"message_stop"}`)
		address, _ = scripted(t, []string{calm}, fire)
		if r := ask(t, address, modeltest.Messages, true, nil, ">hello"); r.raw != calm {
			t.Errorf("%s: %d bytes came of %d", name, len(r.raw), len(calm))
		}
	}
}
