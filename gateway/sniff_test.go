package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// relabelled is a transport whose answers say of themselves that they are something.
type relabelled struct {
	kind   string
	before string // bytes before the answer
}

func (l relabelled) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		response.Header.Set("Content-Type", l.kind)
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(strings.NewReader(l.before), response.Body), response.Body}
	}
	return response, err
}

// TestLabels: an answer is watched for what it is, whatever it says that it is.
func TestLabels(t *testing.T) {
	for _, api := range apis {
		for _, kind := range []string{"application/json", "text/event-stream", "text/plain", "application/problem+json", ""} {
			for _, streamed := range []bool{true, false} {
				if streamed == (kind == "text/event-stream") {
					continue
				}
				w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
					if reminded(r) > 0 {
						return modeltest.Answer{Text: "Better."}
					}
					return modeltest.Answer{Text: "Say it: " + violation, Piece: 3}
				})
				for _, space := range []string{"", "\n \n"} {
					if streamed && strings.Contains(space, " ") {
						space = ": comment\n\n"
					}
					w.options.Transport = relabelled{kind, space}
					w.start()
					what := fmt.Sprintf("%s, %q, streamed %v", api, kind, streamed)
					if r := w.ask(api, streamed, ">hello"); r.hasViolation() || !strings.HasSuffix(r.texts, "Better.") || r.err != nil || r.header.Get("Content-Type") != kind {
						t.Errorf("%s: %v %q", what, r.header, r.raw)
					}
				}
			}
		}
	}
}

// TestDocumentLabelledStream: a whole answer that says of itself that it streams is watched as what it is, passes as it
// came if nothing fires, and is no broken stream.
func TestDocumentLabelledStream(t *testing.T) {
	documents := map[modeltest.API]string{
		modeltest.Messages:  `{"id":"m","type":"message","content":[{"type":"text","text":"%s"}],"stop_reason":"end_turn"}`,
		modeltest.Chat:      `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"%s"},"finish_reason":"stop"}]}`,
		modeltest.Responses: `{"id":"r","object":"response","output":[{"id":"m","type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}]}`,
		modeltest.Gemini:    `{"candidates":[{"content":{"role":"model","parts":[{"text":"%s"}]},"finishReason":"STOP"}]}`,
	}
	for _, api := range apis {
		for _, form := range []string{"%s", "%s\n", "\n  %s", "\ufeff%s"} {
			document := func(text string) string { return fmt.Sprintf(form, fmt.Sprintf(documents[api], text)) }
			address, asked := scripted(t, []string{document("Say " + violation), document("Better.")}, fire)
			if r := ask(t, address, api, true, nil, ">hello"); r.raw != document("Better.") || r.err != nil || *asked != 2 {
				t.Errorf("%s %q: asked %d times, %v %q", api, form, *asked, r.err, r.raw)
			}
			address, asked = scripted(t, []string{document("fine")}, fire)
			if r := ask(t, address, api, true, nil, ">hello"); r.raw != document("fine") || r.err != nil || *asked != 1 || r.header.Get("Content-Type") != "text/event-stream" {
				t.Errorf("%s %q: asked %d times, %v %v %q", api, form, *asked, r.err, r.header, r.raw)
			}
		}
	}
}

// TestDocumentAfterStream: a second answer that is a document reaches nobody, whatever it says that it is.
func TestDocumentAfterStream(t *testing.T) {
	first := data(`{"id":"c","choices":[{"index":0,"delta":{"content":"Well. "}}]}`, `{"id":"c","choices":[{"index":0,"delta":{"content":"`+violation+`"}}]}`)
	address, _ := scripted(t, []string{first, `{"id":"c","choices":[{"index":0,"message":{"content":"` + violation + `"}}]}`}, fire)
	if r := ask(t, address, modeltest.Chat, true, nil, ">hello"); r.hasViolation() || r.err == nil || !strings.Contains(r.raw, "second answer") {
		t.Errorf("%v %q", r.err, r.raw)
	}
}

// TestTextInOtherPlaces: text is watched in every place of a stream from which agents read it.
func TestTextInOtherPlaces(t *testing.T) {
	for _, c := range []struct {
		name  string
		api   modeltest.API
		event string
	}{
		{"message for delta", modeltest.Chat, `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"%s"},"finish_reason":"stop"}]}`},
		{"text for delta", modeltest.Chat, `{"id":"c","choices":[{"index":0,"text":"%s","finish_reason":"stop"}]}`},
		{"call in a message", modeltest.Chat, `{"id":"c","choices":[{"index":0,"message":{"tool_calls":[{"id":"a","function":{"name":"write","arguments":"{\"content\":\"%s\"}"}}]}}]}`},
		{"arguments that are no text", modeltest.Chat, `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"id":"a","function":{"name":"write","arguments":{"content":"%s"}}}]}}]}`},
		{"at the start", modeltest.Messages, `{"type":"message_start","message":{"id":"m","content":[{"type":"text","text":"%s"}]}}`},
		{"at the start", modeltest.Responses, `{"type":"response.created","response":{"id":"r","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}]}}`},
		{"with a failure", modeltest.Responses, `{"type":"response.failed","response":{"id":"r","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}]}}`},
	} {
		address, asked := scripted(t, []string{data(fmt.Sprintf(c.event, violation), "[DONE]"), data(`{"id":"c","choices":[]}`)}, fire)
		if r := ask(t, address, c.api, true, nil, ">hello"); r.hasViolation() || *asked != 2 {
			t.Errorf("%s, %s: asked %d times, %q", c.api, c.name, *asked, r.raw)
		}
	}
}

// TestSecondForm: a second answer that is not of the form of the first reaches nobody.
func TestSecondForm(t *testing.T) {
	for _, streamed := range []bool{true, false} {
		asked := 0
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			document := `{"content":[{"type":"text","text":"` + violation + `"}]}`
			if streamed == (asked == 1) {
				document = "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"" + violation + "\"}}\n\n"
			}
			_, _ = io.WriteString(w, document)
		}), func(*gateway.Options) {})
		if r := ask(t, server.URL, modeltest.Messages, streamed, nil, ">hello"); r.hasViolation() || asked != 2 || !strings.Contains(r.raw, "second answer") {
			t.Errorf("streamed %v: %d %q", streamed, asked, r.raw)
		}
	}
}
