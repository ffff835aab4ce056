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
