package gateway_test

import (
	"bytes"
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

// chained sends a request that goes on from an answer by its id.
func (w *world) chained(t *testing.T, streamed bool, before string, entries ...said) (r *reply, id string) {
	t.Helper()
	path, body := request(modeltest.Responses, streamed, entries...)
	if before != "" {
		body = strings.TrimSuffix(body, "}") + fmt.Sprintf(`,"previous_response_id":%q}`, before)
	}
	r = post(t, w.server.URL+path, body, modeltest.Responses, nil)
	for _, v := range r.events() {
		if id = str(v, "response", "id"); id == "" {
			id = str(v, "id")
		}
	}
	return r, id
}

// TestChain: a request that goes on from an answer by the id that the client has of it
// goes on from the last answer of the model, also after a restart, and however often.
func TestChain(t *testing.T) {
	for _, streamed := range []bool{true, false} {
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			if r.Has("hello") && reminded(r) == 0 {
				return modeltest.Answer{Text: "Say " + violation}
			}
			return modeltest.Answer{Text: "Better."}
		})
		w.options.Memory = &sharedMemory{}
		w.start()
		_, id := w.chained(t, streamed, "", ">hello")
		if streamed && id != "resp_1" {
			t.Errorf("the client has %s", id)
		}
		for range 2 {
			w.chained(t, streamed, id, ">go on")
			last := w.model.Requests()[len(w.model.Requests())-1]
			if !strings.Contains(string(last.Body), `"previous_response_id":"resp_2"`) || reminded(last) != 0 {
				t.Errorf("streamed %v: %s", streamed, last.Body)
			}
			w.start() // another process
		}
	}
}

// TestChainTurn: interruptions of a turn are counted over all of its requests.
func TestChainTurn(t *testing.T) {
	w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
		if reminded(r) > 0 {
			return modeltest.Answer{Calls: []modeltest.Call{write("fine")}}
		}
		return modeltest.Answer{Calls: []modeltest.Call{write(violation)}}
	})
	w.options.Memory = &sharedMemory{}
	w.start()
	var got []bool
	_, id := w.chained(t, true, "", ">hello")
	for range 4 {
		var r *reply
		r, id = w.chained(t, true, id, "=call_x")
		got = append(got, r.hasViolation())
	}
	if fmt.Sprint(got) != "[false false true true]" {
		t.Error(got)
	}
	same(t, "journal", w.journal.told()[3:], []string{"passed no-cyrillic src/a.md", "passed no-cyrillic src/a.md"})
}

// TestChainReminder: a reminder for the next request goes into the one that names the
// answer, whether that has a list or a text.
func TestChainReminder(t *testing.T) {
	for _, input := range []string{`"and now?"`, `[{"role":"user","content":"and now?"}]`} {
		w := open(t, stream.Policy{InterruptMode: stream.InterruptNever}, func(*modeltest.Request) modeltest.Answer {
			return modeltest.Answer{Text: "Say " + violation}
		})
		_, id := w.chained(t, true, "", ">hello")
		post(t, w.server.URL+"/v1/responses", fmt.Sprintf(`{"model":"m","tools":[{"type":"function","name":"write"}],"stream":true,"previous_response_id":%q,"input":%s}`, id, input), modeltest.Responses, nil)
		last := w.model.Requests()[1]
		if reminded(last) != 1 || strings.Index(string(last.Body), "system-interrupt") < strings.Index(string(last.Body), "and now?") || !json.Valid(last.Body) {
			t.Errorf("%s", last.Body)
		}
	}
}

// TestAnswerByID: an answer that is asked for by the id that the client has of it is the
// last one of the model. What a stranger asks for goes on as it is.
func TestAnswerByID(t *testing.T) {
	var paths []string
	asked := 0
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			paths = append(paths, r.Method+" "+r.URL.Path)
			return
		}
		asked++
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: {\"type\":\"response.created\",\"response\":{\"id\":\"r%d\"}}\n\n", asked)
		if asked == 1 {
			_, _ = io.WriteString(w, "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\""+violation+"\"}\n\n")
		}
		_, _ = io.WriteString(w, "data: {\"type\":\"response.completed\",\"response\":{}}\n\n")
	}), nil)
	ask(t, server.URL, modeltest.Responses, true, nil, ">hello")
	const own = "Bearer secret-key"
	for _, c := range [][3]string{{"GET", "/v1/responses/r1", own}, {"GET", "/v1/responses/r1/input_items", own}, {"DELETE", "/v1/responses/r3", own}, {"GET", "/v1/responses/r1", "Bearer another"}} {
		r, _ := http.NewRequestWithContext(t.Context(), c[0], server.URL+c[1], nil)
		r.Header.Set("Authorization", c[2])
		if response, err := http.DefaultClient.Do(r); err == nil {
			_ = response.Body.Close()
		}
	}
	same(t, "paths", paths, []string{"GET /v1/responses/r2", "GET /v1/responses/r2/input_items", "DELETE /v1/responses/r3", "GET /v1/responses/r1"})
}
