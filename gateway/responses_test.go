package gateway_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// dropping is a transport that leaves out events of streams.
type dropping []string

func (d dropping) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	var kept [][]byte
	for event := range bytes.SplitAfterSeq(body, []byte("\n\n")) {
		name, _, _ := strings.Cut(string(event), "\n")
		drop := false
		for _, part := range d {
			drop = drop || strings.Contains(name, part)
		}
		if !drop {
			kept = append(kept, event)
		}
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(bytes.Join(kept, nil))), -1
	return response, err
}

// TestResponsesWithoutPieces: texts and calls that come whole are watched at the first
// event that has them.
func TestResponsesWithoutPieces(t *testing.T) {
	for _, left := range []dropping{{".delta"}, {".delta", "output_text.done"}, {".delta", "output_text", "content_part", "arguments"}, {".delta", "output_text", "content_part", "arguments", "output_item"}} {
		for _, bad := range []modeltest.Answer{{Text: "Say " + violation + "."}, {Text: "Say.", Calls: []modeltest.Call{write(violation)}}} {
			w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
				if reminded(r) > 0 {
					return modeltest.Answer{Text: "Better."}
				}
				return bad
			})
			w.options.Transport = left
			w.start()
			r := w.ask(modeltest.Responses, true, ">hello")
			if r.hasViolation() || !strings.Contains(r.raw, "Better.") || !r.complete(modeltest.Responses) || len(w.model.Requests()) != 2 {
				t.Errorf("without %q: %d requests, %v, %s", left, len(w.model.Requests()), r.err, r.raw)
			}
		}
	}
}

// TestResponsesThoughtWhole: what is thought and comes whole is watched, too.
func TestResponsesThoughtWhole(t *testing.T) {
	thinks := fire
	thinks.Scope = []string{"thinking"}
	for _, event := range []string{
		`{"type":"response.reasoning_text.done","output_index":0,"content_index":0,"text":"` + violation + `"}`,
		`{"type":"response.reasoning_summary_text.done","output_index":0,"summary_index":0,"text":"` + violation + `"}`,
		`{"type":"response.reasoning_summary_part.done","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"` + violation + `"}}`,
		`{"type":"response.content_part.done","output_index":0,"content_index":0,"part":{"type":"reasoning_text","text":"` + violation + `"}}`,
		`{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","summary":[{"type":"summary_text","text":"` + violation + `"}]}}`,
	} {
		asked := 0
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			if asked++; asked == 1 {
				_, _ = io.WriteString(w, "data: "+event+"\n\n")
			}
			_, _ = io.WriteString(w, "data: {\"type\":\"response.completed\",\"response\":{}}\n\n")
		}), func(o *gateway.Options) {
			workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, thinks)}
			o.Workspace = func(string) *gateway.Workspace { return workspace }
		})
		if r := ask(t, server.URL, modeltest.Responses, true, nil, ">hello"); r.hasViolation() || asked != 2 {
			t.Errorf("%s: %d %s", event, asked, r.raw)
		}
	}
}
