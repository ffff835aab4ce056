package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

// TestChatThinkingFields: what is thought is watched wherever servers write it, in pieces and whole, also beside another field.
func TestChatThinkingFields(t *testing.T) {
	rule := fire
	rule.Scope = []string{"thinking"}
	for _, field := range []string{
		`"reasoning_content":"%s"`, `"reasoning":"%s"`, `"reasoning_text":"%s"`, `"thinking":"%s"`,
		`"reasoning_content":"so","reasoning":"%s"`, `"reasoning":"so","reasoning_details":[{"type":"reasoning.text","text":"%s"}]`,
		`"reasoning_details":[{"type":"reasoning.summary","summary":"%s"}]`, `"thinking_blocks":[{"type":"thinking","thinking":"%s"}]`,
		`"content":[{"type":"thinking","thinking":[{"type":"text","text":"%s"}]}]`, `"content":[{"type":"thinking","thinking":"%s"}]`,
	} {
		event := func(text string) string {
			return `{"id":"c","choices":[{"index":0,"delta":{` + fmt.Sprintf(field, text) + `}}]}`
		}
		address, asked := scripted(t, []string{data(event(violation[:4]), event(violation[4:]), "[DONE]"), data("[DONE]")}, rule)
		if r := ask(t, address, modeltest.Chat, true, nil, ">hello"); *asked != 2 || strings.Contains(r.raw, violation[4:]) {
			t.Errorf("%s: asked %d times, %q", field, *asked, r.raw)
		}
		document := func(text string) string {
			return `{"id":"c","choices":[{"index":0,"message":{` + fmt.Sprintf(field, text) + `},"finish_reason":"stop"}]}`
		}
		address, asked = scripted(t, []string{document(violation), document("so")}, rule)
		if r := ask(t, address, modeltest.Chat, false, nil, ">hello"); *asked != 2 || r.hasViolation() {
			t.Errorf("%s, whole: asked %d times, %q", field, *asked, r.raw)
		}
	}
}

// TestOutputText: what a server of Responses says to be all text is watched where it is something else.
func TestOutputText(t *testing.T) {
	answer := func(text string) string {
		return `{"id":"r","output":[{"type":"message","content":[{"type":"output_text","text":"so"}]}],"output_text":"` + text + `"}`
	}
	for _, streamed := range []bool{true, false} {
		say := answer
		if streamed {
			say = func(text string) string { return data(`{"type":"response.completed","response":` + answer(text) + `}`) }
		}
		address, asked := scripted(t, []string{say(violation), say("so")}, fire)
		if r := ask(t, address, modeltest.Responses, streamed, nil, ">hello"); *asked != 2 || r.hasViolation() {
			t.Errorf("%v: asked %d times, %q", streamed, *asked, r.raw)
		}
		address, asked = scripted(t, []string{say("so")}, fire)
		if r := ask(t, address, modeltest.Responses, streamed, nil, ">hello"); *asked != 1 || r.raw != say("so") {
			t.Errorf("%v: asked %d times, %q", streamed, *asked, r.raw)
		}
	}
}

// TestPlainText: a text that answers a request for a stream is watched as it stands.
func TestPlainText(t *testing.T) {
	for name, text := range map[string]string{"a line": "it is " + violation, "after others": "so\n\nit is " + violation + "\n\n", "a strange field": "note: " + violation + "\n\n"} {
		asked := 0
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			asked++
			_, _ = io.WriteString(w, map[bool]string{true: text, false: data(lastEvents[modeltest.Messages])}[asked == 1])
		}), nil)
		if r := ask(t, server.URL, modeltest.Messages, true, nil, ">hello"); asked != 2 || r.hasViolation() {
			t.Errorf("%s: asked %d times, %q", name, asked, r.raw)
		}
	}
}

// TestJoinedTexts: texts of a document of Responses are watched as SDKs join them, over parts, messages and calls; what is no text of
// a message is none of them.
func TestJoinedTexts(t *testing.T) {
	message := func(parts ...string) string {
		return `{"type":"message","role":"assistant","content":[` + strings.Join(parts, ",") + `]}`
	}
	head, rest := `{"type":"output_text","text":"`+violation[:4]+`"}`, `{"type":"output_text","text":"`+violation[4:]+`"}`
	fine := message(`{"type":"output_text","text":"fine"}`)
	for _, c := range []struct {
		output string
		asked  int
	}{
		{message(head, rest), 2},
		{message(head) + "," + message(rest), 2},
		{message(head) + `,{"type":"function_call","id":"f","call_id":"c","name":"n","arguments":"{}"},` + message(rest), 2},
		{message(head) + `,{"type":"reasoning","content":[{"type":"reasoning_text","text":"` + violation[4:] + `"}]}`, 1},
		{message(head) + "," + fine + "," + message(rest), 1},
	} {
		document := func(output string) string { return `{"id":"r","output":[` + output + `]}` }
		address, asked := scripted(t, []string{document(c.output), document(fine)}, fire)
		want := map[int]string{1: c.output, 2: fine}[c.asked]
		if r := ask(t, address, modeltest.Responses, false, nil, ">hello"); *asked != c.asked || r.raw != document(want) {
			t.Errorf("%s: asked %d times, %q", c.output, *asked, r.raw)
		}
	}
}
