package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestChainAfterEnd: an answer that was ended after a released call is one that the
// provider never kept. A request that goes on from it repeats what was said up to it, in
// its order, without the violation and without ids of what nobody knows.
func TestChainAfterEnd(t *testing.T) {
	for _, c := range []struct{ name, input, before string }{
		{"first", `[{"role":"user","content":"hello"}]`, ""},
		{"text", `"hello"`, ""},
		{"later", `[{"role":"user","content":"hello"}]`, "resp_0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
				if len(r.Results) > 0 {
					return modeltest.Answer{Text: "Done."}
				}
				return modeltest.Answer{Thinking: "hm", Text: "Two of them.", Calls: []modeltest.Call{write("fine"), write(violation)}}
			})
			const head = `{"model":"m","stream":true,"tools":[{"type":"function","name":"write"}],"input":%s%s}`
			before := ""
			if c.before != "" {
				before = fmt.Sprintf(`,"previous_response_id":%q`, c.before)
			}
			first := post(t, w.server.URL+"/v1/responses", fmt.Sprintf(head, c.input, before), modeltest.Responses, nil)
			if first.hasViolation() || len(first.calls) != 1 || !first.complete(modeltest.Responses) {
				t.Fatal(first.raw)
			}
			for range 2 { // agents repeat what broke off
				next := post(t, w.server.URL+"/v1/responses", fmt.Sprintf(head, `[{"type":"function_call_output","call_id":"call_1_0","output":"ok"}]`, `,"previous_response_id":"resp_1"`), modeltest.Responses, nil)
				if next.texts != "Done." {
					t.Error(next.raw)
				}
				requests := w.model.Requests()
				last := requests[len(requests)-1]
				var got struct {
					Previous *string `json:"previous_response_id"`
					Input    []map[string]any
				}
				if err := json.Unmarshal(last.Body, &got); err != nil {
					t.Fatal(err)
				}
				if (got.Previous != nil) != (c.before != "") || got.Previous != nil && *got.Previous != c.before {
					t.Errorf("it goes on from %v: %s", got.Previous, last.Body)
				}
				var kinds []string
				for _, item := range got.Input {
					kind := str(item, "type")
					if kind == "" || kind == "message" {
						kind = str(item, "role")
					}
					kinds = append(kinds, kind)
					if item["id"] != nil {
						t.Errorf("%v has an id that the provider does not know", item)
					}
				}
				same(t, "input", kinds, []string{"user", "reasoning", "assistant", "function_call", "function_call_output", "user"})
				if reminded(last) != 1 || strings.Contains(string(last.Body), violation) {
					t.Errorf("%s", last.Body)
				}
			}
		})
	}
}

// TestEndingsOfOthers: what was said up to an answer that the provider never kept is sent for the client that has got it, in the
// conversation that it names. An id, or the name of a conversation that the provider keeps, is no secret: a stranger's request goes on
// as it is, and so does one that only counts.
func TestEndingsOfOthers(t *testing.T) {
	for _, where := range []string{`"previous_response_id":"resp_1"`, `"conversation":"conv"`} {
		var counted string
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			if len(r.Results) > 0 {
				return modeltest.Answer{Text: "Done."}
			}
			return modeltest.Answer{Text: "Two of them.", Calls: []modeltest.Call{write("fine"), write(violation)}}
		})
		server := before(t, http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/input_tokens") {
				body, _ := io.ReadAll(r.Body)
				counted = string(body)
				return
			}
			w.model.ServeHTTP(to, r)
		}), nil)
		const head = `{"model":"m","stream":true,"tools":[{"type":"function","name":"write"}],%s,"input":%s}`
		kept := strings.Replace(where, "resp_1", "resp_0", 1)
		alice := map[string]string{"Authorization": "Bearer alice", "X-Pertain-Conversation": "hers"}
		post(t, server.URL+"/v1/responses", fmt.Sprintf(head, kept, `"a secret of hers"`), modeltest.Responses, alice)
		next := fmt.Sprintf(head, where, `[{"type":"function_call_output","call_id":"call_1_0","output":"ok"}]`)
		for _, c := range []struct {
			key, conversation string
			own               bool
		}{{"bob", "his", false}, {"bob", "hers", false}, {"alice", "another", false}, {"", "hers", false}, {"alice", "hers", true}} {
			header := map[string]string{"Authorization": "Bearer " + c.key, "X-Pertain-Conversation": c.conversation}
			post(t, server.URL+"/v1/responses/input_tokens", next, modeltest.Responses, header)
			post(t, server.URL+"/v1/responses", next, modeltest.Responses, header)
			requests := w.model.Requests()
			for _, body := range []string{counted, string(requests[len(requests)-1].Body)} {
				if strings.Contains(body, "a secret of hers") != c.own || !c.own && !strings.Contains(body, where) {
					t.Errorf("%v: %s", c, body)
				}
			}
		}
	}
}

// TestAnswersOfOthers: the id that the provider has of an answer, and the conversation of it, are for the client that has got it.
func TestAnswersOfOthers(t *testing.T) {
	w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
		if reminded(r) == 0 && r.Said == 0 && len(r.Results) == 0 && !strings.Contains(string(r.Body), "previous_response_id") {
			return modeltest.Answer{Text: "So: " + violation, Piece: 4}
		}
		return modeltest.Answer{Text: "Better."}
	})
	const head = `{"model":"m","stream":true,"tools":[{"type":"function","name":"write"}],%s"input":"hello"}`
	post(t, w.server.URL+"/v1/responses", fmt.Sprintf(head, ""), modeltest.Responses, map[string]string{"Authorization": "Bearer alice"})
	for key, id := range map[string]string{"bob": "resp_1", "alice": "resp_2"} {
		post(t, w.server.URL+"/v1/responses", fmt.Sprintf(head, `"previous_response_id":"resp_1",`), modeltest.Responses, map[string]string{"Authorization": "Bearer " + key})
		requests := w.model.Requests()
		if body := string(requests[len(requests)-1].Body); !strings.Contains(body, `"previous_response_id":"`+id+`"`) {
			t.Errorf("%s: %s", key, body)
		}
	}
}

// TestCount: what is counted is what will be sent, reminders and all, and counting changes
// nothing.
func TestCount(t *testing.T) {
	var counted, asked []string
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		asked = append(asked, string(r.Body))
		if reminded(r) > 0 {
			return modeltest.Answer{Text: "Better."}
		}
		return modeltest.Answer{Text: violation}
	})
	t.Cleanup(model.Close)
	for api, path := range map[modeltest.API]string{
		modeltest.Messages: "/v1/messages/count_tokens", modeltest.Responses: "/v1/responses/input_tokens", modeltest.Gemini: "/v1beta/models/m:countTokens",
	} {
		counted, asked = nil, nil
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != path {
				model.ServeHTTP(w, r)
				return
			}
			body, _ := io.ReadAll(r.Body)
			counted = append(counted, string(body))
			_, _ = io.WriteString(w, "{}")
		}), nil)
		ask(t, server.URL, api, true, nil, ">hello")
		_, body := request(api, true, ">hello", "<Better.", ">and?")
		bodies := []string{body, body}
		if api == modeltest.Gemini {
			bodies[1] = `{"generateContentRequest":` + body + `}`
		}
		for _, body := range bodies {
			post(t, server.URL+path, body, api, nil)
		}
		post(t, server.URL+path, "no JSON", api, nil)
		ask(t, server.URL, api, true, nil, ">hello", "<Better.", ">and?")
		if len(counted) != 3 || len(asked) != 3 {
			t.Fatalf("%s: %d counted, %d asked", api, len(counted), len(asked))
		}
		if counted[0] != asked[2] || !strings.Contains(counted[1], "<system-interrupt") || !json.Valid([]byte(counted[1])) || counted[2] != "no JSON" {
			t.Errorf("%s: counted %q, asked %q", api, counted, asked[2])
		}
	}
}

// TestChatRefusal: a refusal is text, too, streamed and not, and is found again in the
// agent's next request.
func TestChatRefusal(t *testing.T) {
	for _, streamed := range []bool{true, false} {
		var bodies []string
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			bodies = append(bodies, string(body))
			text := "I must not say " + violation
			if len(bodies) > 1 {
				text = "I must not."
			}
			if !streamed {
				_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":null,"refusal":%q},"finish_reason":"stop"}]}`, text)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			for _, piece := range strings.SplitAfter(text, " ") {
				_, _ = fmt.Fprintf(w, "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"refusal\":%q},\"finish_reason\":null}]}\n\n", piece)
			}
			_, _ = io.WriteString(w, "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		}), nil)
		r := ask(t, server.URL, modeltest.Chat, streamed, nil, ">hello")
		if r.hasViolation() || len(bodies) != 2 || !strings.Contains(r.raw, "not.") {
			t.Errorf("streamed %v: %d, %s", streamed, len(bodies), r.raw)
		}
		said := "I must not."
		if streamed { // what it had got of the first goes on with the second
			said = "I must not say I must not."
		}
		_, next := request(modeltest.Chat, streamed, ">hello", "<X", ">and?")
		next = strings.Replace(next, `"content":"X"`, fmt.Sprintf(`"content":null,"refusal":%q`, said), 1)
		post(t, server.URL+"/v1/chat/completions", next, modeltest.Chat, nil)
		if last := bodies[2]; strings.Count(last, "system-interrupt") == 0 || !strings.Contains(last, `"refusal":"I must not."`) || !json.Valid([]byte(last)) {
			t.Errorf("streamed %v: %s", streamed, last)
		}
	}
}

// TestCompletions: texts that a model continues are watched, and asked for again with the
// reminder at the end of the prompt.
func TestCompletions(t *testing.T) {
	for _, streamed := range []bool{true, false} {
		for _, prompt := range []string{`"hello"`, `["hello","you"]`, `[1,2]`} {
			var bodies []string
			server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				bodies = append(bodies, string(body))
				text := "So it goes: " + violation + "!"
				if len(bodies) > 1 {
					text = "Well."
				}
				if !streamed {
					_, _ = fmt.Fprintf(w, `{"id":"c","object":"text_completion","choices":[{"index":0,"text":%q,"finish_reason":"stop"}],"usage":{"completion_tokens":3,"total_tokens":5}}`, text)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				for _, piece := range strings.SplitAfter(text, " ") {
					_, _ = fmt.Fprintf(w, "data: {\"id\":\"c%d\",\"object\":\"text_completion\",\"created\":7,\"choices\":[{\"index\":0,\"text\":%q,\"finish_reason\":null}]}\n\n", len(bodies), piece)
				}
				_, _ = fmt.Fprintf(w, "data: {\"id\":\"c%d\",\"object\":\"text_completion\",\"created\":7,\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", len(bodies))
			}), nil)
			r := post(t, server.URL+"/v1/completions", fmt.Sprintf(`{"model":"m","stream":%v,"prompt":%s}`, streamed, prompt), modeltest.Chat, nil)
			if prompt == `[1,2]` { // to numbers nothing can be added: it passes as it is
				if len(bodies) != 1 || !r.hasViolation() {
					t.Errorf("%s: %q %s", prompt, bodies, r.raw)
				}
				continue
			}
			var text strings.Builder
			for _, v := range r.events() {
				for _, choice := range list(v, "choices") {
					text.WriteString(str(choice, "text"))
				}
			}
			want := "Well."
			if streamed {
				want = "So it goes: \n\nWell."
			}
			if r.hasViolation() || len(bodies) != 2 || text.String() != want || strings.Contains(r.raw, `"c2"`) && streamed {
				t.Errorf("streamed %v, %s: %d, %q, %s", streamed, prompt, len(bodies), text.String(), r.raw)
				continue
			}
			var again struct{ Prompt any }
			if err := json.Unmarshal([]byte(bodies[1]), &again); err != nil {
				t.Fatal(err)
			}
			prompts, ok := again.Prompt.([]any)
			if !ok {
				prompts = []any{again.Prompt}
			}
			for _, p := range prompts {
				if s, _ := p.(string); !strings.Contains(s, "\n\n<system-interrupt") || strings.Contains(s, violation) {
					t.Errorf("%q", p)
				}
			}
		}
	}
}

// TestSplitAnswer: an agent may keep what it got of two answers as two messages; the
// second stays as it is.
func TestSplitAnswer(t *testing.T) {
	for _, api := range []modeltest.API{modeltest.Messages, modeltest.Chat} {
		for _, calls := range []bool{false, true} {
			w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
				if reminded(r) == 0 {
					return modeltest.Answer{Text: "First. " + violation, Piece: 7}
				}
				if calls {
					return modeltest.Answer{Calls: []modeltest.Call{write("x")}}
				}
				return modeltest.Answer{Text: "Second."}
			})
			w.ask(api, true, ">hello")
			entries := []said{">hello", "<First.", "<Second.", ">and?"}
			if calls {
				entries = []said{">hello", "<First.", "<call call_2_0", "=call_2_0"}
			}
			path, body := request(api, true, entries...)
			body = strings.Replace(body, `[{"text":"Second.","type":"text"}]`, `"Second."`, 1)
			body = strings.Replace(body, `{"content":"","role":"assistant",`, `{"role":"assistant",`, 1) // a message need not have a content
			post(t, w.server.URL+path, body, api, nil)
			requests := w.model.Requests()
			last := requests[len(requests)-1]
			if len(requests) != 3 || last.Said != 1 || reminded(last) != 1 || strings.Contains(string(last.Body), "First.") {
				t.Errorf("%s: %s", api, last.Body)
			}
		}
	}
}

// addresses is a transport that takes note of where requests go.
type addresses []string

func (a *addresses) RoundTrip(r *http.Request) (*http.Response, error) {
	*a = append(*a, r.URL.String())
	return &http.Response{StatusCode: http.StatusTeapot, Body: http.NoBody, Header: http.Header{}, Request: r}, nil
}

// TestChatGPT: what is logged in by ChatGPT goes to ChatGPT's address, unless another is set.
func TestChatGPT(t *testing.T) {
	var to addresses
	set := gateway.Settings{}
	server := before(t, http.NotFoundHandler(), func(o *gateway.Options) {
		o.Transport = &to
		o.Settings = func() gateway.Settings { return set }
	})
	login := map[string]string{"ChatGPT-Account-ID": "acc"}
	post(t, server.URL+"/v1/responses", "{}", modeltest.Responses, login)
	post(t, server.URL+"/v1/responses", "{}", modeltest.Responses, nil)
	set.OpenAI.URL, _ = url.Parse("https://own.example/v1")
	post(t, server.URL+"/v1/responses", "{}", modeltest.Responses, login)
	same(t, "addresses", to, []string{"https://chatgpt.com/backend-api/codex/responses", "https://api.openai.com/v1/responses", "https://own.example/v1/responses"})
}
