package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// repeatedKeys are events in which one reads a text and another the other, by which of two members with one key it takes.
var repeatedKeys = []struct {
	name  string
	api   modeltest.API
	event string
}{
	{"a text", modeltest.Messages, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s","text":"%s"}}`},
	{"what holds it", modeltest.Messages, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s"},"delta":{"type":"text_delta","text":"%s"}}`},
	{"an escaped key", modeltest.Messages, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","te\u0078t":"%s","text":"%s"}}`},
	{"a text", modeltest.Chat, `{"id":"c","choices":[{"index":0,"delta":{"content":"%s","content":"%s"}}]}`},
	{"the choices", modeltest.Chat, `{"id":"c","choices":[{"index":0,"delta":{"content":"%s"}}],"choices":[{"index":0,"delta":{"content":"%s"}}]}`},
	{"a text", modeltest.Responses, `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"%s","delta":"%s"}`},
	{"a text", modeltest.Gemini, `{"candidates":[{"content":{"role":"model","parts":[{"text":"%s","text":"%s"}]}}]}`},
}

// lastEvents are those after which an answer is complete.
var lastEvents = map[modeltest.API]string{
	modeltest.Messages:  `{"type":"message_stop"}`,
	modeltest.Chat:      `[DONE]`,
	modeltest.Responses: `{"type":"response.completed","response":{"id":"r","output":[]}}`,
	modeltest.Gemini:    `{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}`,
}

// TestRepeatedKeys: whichever of two members with one key a client reads, it reads no violation, be it in one event or begun
// in another that says the same to everybody.
func TestRepeatedKeys(t *testing.T) {
	half := len(violation) / 2 / 2 * 2 // letters of two bytes
	for _, c := range repeatedKeys {
		event := func(first, last string) string { return fmt.Sprintf(c.event, first, last) }
		for name, events := range map[string][]string{
			"the first":                 {event("so", "so"), event(violation, "fine")},
			"the last":                  {event("so", "so"), event("fine", violation)},
			"the first, in two":         {event("so", "so"), event(violation[:half], "fine"), event(violation[half:], "fine")},
			"the first, after a common": {event(violation[:half], violation[:half]), event(violation[half:], "fine")},
			"the first, before one":     {event(violation[:half], "fine"), event(violation[half:], violation[half:])},
		} {
			address, asked := scripted(t, []string{data(append(events, lastEvents[c.api])...), data(lastEvents[c.api])}, fire)
			r := ask(t, address, c.api, true, nil, ">hello")
			if *asked != 2 || r.hasViolation() {
				t.Errorf("%s, %s, %s: asked %d times, %q", c.api, c.name, name, *asked, r.raw)
			}
			if strings.Contains(r.raw, violation[half:]) && !strings.Contains(name, "last") {
				t.Errorf("%s, %s, %s: the end of it came through: %q", c.api, c.name, name, r.raw)
			}
		}
		calm := data(event("one", "other"), event("", "so"), event("so", ""), lastEvents[c.api])
		address, asked := scripted(t, []string{calm}, fire)
		if r := ask(t, address, c.api, true, nil, ">hello"); *asked != 1 || r.raw != calm {
			t.Errorf("%s, %s: asked %d times, %q, not %q", c.api, c.name, *asked, r.raw, calm)
		}
	}
}

// TestRepeatedKeysOfCalls: what a call adds is watched in both readings, also by rules for one kind of file.
func TestRepeatedKeysOfCalls(t *testing.T) {
	rule := fire
	rule.Scope = []string{"tool:write(*.go)"}
	hidden := `{\"path\":\"a.go\",\"content\":\"` + violation + `\"}`
	calm := `{\"path\":\"a.go\",\"content\":\"fine\"}`
	for name, events := range map[string][]string{
		"the pieces": {
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"write","input":{}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"` + hidden + `","partial_json":"` + calm + `"}}`,
			`{"type":"content_block_stop","index":0}`, `{"type":"message_stop"}`,
		},
		"the arguments": {
			`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"write","input":{}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\":\"a.go\",\"content\":\"` + violation + `\",\"content\":\"fine\"}"}}`,
			`{"type":"content_block_stop","index":0}`, `{"type":"message_stop"}`,
		},
	} {
		address, asked := scripted(t, []string{data(events...), data(`{"type":"message_stop"}`)}, rule)
		if r := ask(t, address, modeltest.Messages, true, nil, ">hello"); *asked != 2 || r.hasViolation() {
			t.Errorf("%s: asked %d times, %q", name, *asked, r.raw)
		}
	}
	chat := `{"id":"c","choices":[{"index":0,"message":{"tool_calls":[{"id":"a","type":"function","function":{"name":"write","arguments":"` + hidden + `","arguments":"` + calm + `"}}]},"finish_reason":"tool_calls"}]}`
	text := `{"id":"c","choices":[{"index":0,"message":{"content":"` + violation + `","content":"fine"},"finish_reason":"stop"}]}`
	for _, c := range []struct {
		document string
		rule     stream.Trigger
	}{{chat, rule}, {text, fire}} {
		address, asked := scripted(t, []string{c.document, `{"id":"c","choices":[]}`}, c.rule)
		if r := ask(t, address, modeltest.Chat, false, nil, ">hello"); *asked != 2 || r.hasViolation() {
			t.Errorf("whole: asked %d times, %q", *asked, r.raw)
		}
	}
}
