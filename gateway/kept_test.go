package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestCompact: what has the provider make a conversation shorter is sent with the reminders of it, before what must be last,
// and its answer passes as it is.
func TestCompact(t *testing.T) {
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		if reminded(r) > 0 {
			return modeltest.Answer{Text: "Better."}
		}
		return modeltest.Answer{Text: violation}
	})
	t.Cleanup(model.Close)
	const path, short = "/v1/responses/compact", `{"id":"c", "object":"response.compaction","output":[{"type":"compaction","encrypted_content":"` + violation + `"}]}`
	var sent []string
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			model.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		sent = append(sent, string(body))
		_, _ = io.WriteString(w, short)
	}), nil)
	ask(t, server.URL, modeltest.Responses, true, nil, ">hello")
	_, plain := request(modeltest.Responses, true, ">hello", "<Better.", ">and?")
	_, other := request(modeltest.Responses, true, ">good day", "<Better not.", ">and?")
	for _, body := range []string{plain, other} {
		if got := post(t, server.URL+path, body, modeltest.Responses, nil); got.raw != short {
			t.Errorf("it came as %q", got.raw)
		}
	}
	ask(t, server.URL, modeltest.Responses, true, nil, ">hello", "<Better.", ">and?")
	requests := model.Requests()
	if want := string(requests[len(requests)-1].Body); len(sent) != 2 || sent[0] != want || sent[1] != other {
		t.Fatalf("%q was sent, not %q and %q", sent, want, other)
	}
}

// TestCompactionTrigger: a request whose last item asks for that has it last, with a reminder as well.
func TestCompactionTrigger(t *testing.T) {
	w := open(t, stream.Policy{InterruptMode: stream.InterruptNever}, func(*modeltest.Request) modeltest.Answer {
		return modeltest.Answer{Text: violation}
	})
	const head = `{"model":"m","stream":true,"tools":[{"type":"function","name":"write"}],"input":[{"role":"user","content":"hello"}%s]}`
	for _, more := range []string{"", `,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + violation + `"}]},{"type":"compaction_trigger"}`} {
		post(t, w.server.URL+"/v1/responses", fmt.Sprintf(head, more), modeltest.Responses, nil)
	}
	requests := w.model.Requests()
	last := requests[len(requests)-1]
	var got struct{ Input []map[string]any }
	if err := json.Unmarshal(last.Body, &got); err != nil || reminded(last) != 1 || len(got.Input) != 4 || got.Input[3]["type"] != "compaction_trigger" {
		t.Errorf("%v: %s", err, last.Body)
	}
}

// TestKeptConversation: in a conversation that the provider keeps, and to which it never added an answer that was ended, the next
// request brings along what was said up to there, until one was answered.
func TestKeptConversation(t *testing.T) {
	for _, kept := range []string{`"conv_1"`, `{"id":"conv_1"}`} {
		fail := false
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			switch {
			case fail:
				return modeltest.Answer{Status: http.StatusServiceUnavailable}
			case len(r.Results) > 0 || strings.Contains(string(r.Body), "go on"):
				return modeltest.Answer{Text: "Done."}
			}
			return modeltest.Answer{Text: "Two of them.", Calls: []modeltest.Call{write("fine"), write(violation)}}
		})
		send := func(input string) (*reply, []string) {
			got := post(t, w.server.URL+"/v1/responses", `{"model":"m","stream":true,"tools":[{"type":"function","name":"write"}],"conversation":`+kept+`,"input":`+input+`}`, modeltest.Responses, nil)
			requests := w.model.Requests()
			var body struct {
				Conversation json.RawMessage
				Input        []map[string]any
			}
			if err := json.Unmarshal(requests[len(requests)-1].Body, &body); err != nil || string(body.Conversation) != kept {
				t.Errorf("%v: %s", err, requests[len(requests)-1].Body)
			}
			var kinds []string
			for _, item := range body.Input {
				kind := str(item, "type")
				if kind == "" || kind == "message" {
					kind = str(item, "role")
				}
				kinds = append(kinds, kind)
			}
			return got, kinds
		}
		first, _ := send(`[{"role":"user","content":"hello"}]`)
		if first.hasViolation() || len(first.calls) != 1 {
			t.Fatal(first.raw)
		}
		const result = `[{"type":"function_call_output","call_id":"call_1_0","output":"ok"}]`
		want := []string{"user", "assistant", "function_call", "function_call_output", "user"}
		fail = true
		_, kinds := send(result)
		same(t, "an answer that failed", kinds, want)
		fail = false
		next, kinds := send(result)
		same(t, "the next", kinds, want)
		if next.texts != "Done." {
			t.Error(next.raw)
		}
		_, kinds = send(`[{"role":"user","content":"go on"}]`)
		same(t, "after it", kinds, []string{"user"})
	}
}
