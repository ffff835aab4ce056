package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestForm: an answer that consists of two is one for the client: one id, indexes in
// order, everything that begins ends, and the usage is that of both.
func TestForm(t *testing.T) {
	each(t, func(t *testing.T, api modeltest.API, streamed bool, size int) {
		if !streamed {
			return
		}
		own := 0
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			a := modeltest.Answer{Thinking: "hm", Text: "First part of it. " + violation, Piece: size}
			if reminded(r) > 0 {
				a = modeltest.Answer{Thinking: "oh", Text: "Second.", Calls: []modeltest.Call{write("x")}, Piece: size}
				own = len(a.Text)/4 + 1
			}
			return a
		})
		r := w.ask(api, true, ">hello")
		if !r.complete(api) || r.hasViolation() {
			t.Errorf("pieces of %d: %q", size, r.raw)
		}
		var problems []string
		switch api {
		case modeltest.Messages:
			problems = messagesForm(r, own)
		case modeltest.Chat:
			problems = chatForm(r, own)
		case modeltest.Responses:
			problems = responsesForm(r, own)
		case modeltest.Gemini:
			problems = geminiForm(r, own)
		}
		for _, p := range problems {
			t.Errorf("pieces of %d: %s in %s", size, p, r.raw)
		}
	})
}

func messagesForm(r *reply, own int) (problems []string) {
	starts, open, next := 0, -1.0, 0.0
	for _, v := range r.events() {
		index, _ := get(v, "index").(float64)
		switch str(v, "type") {
		case "message_start":
			starts++
		case "content_block_start":
			if open >= 0 || index != next {
				problems = append(problems, fmt.Sprintf("block %v begins", index))
			}
			open, next = index, index+1
		case "content_block_delta":
			if open != index {
				problems = append(problems, fmt.Sprintf("a delta of %v", index))
			}
		case "content_block_stop":
			if open != index {
				problems = append(problems, fmt.Sprintf("block %v ends", index))
			}
			open = -1
		case "message_delta":
			if n, _ := get(v, "usage", "output_tokens").(float64); int(n) <= own+1 || str(v, "delta", "stop_reason") != "tool_use" || get(v, "usage", "input_tokens") == nil {
				problems = append(problems, fmt.Sprintf("usage %v", get(v, "usage")))
			}
		}
	}
	if starts != 1 || open >= 0 {
		problems = append(problems, fmt.Sprintf("%d beginnings, %v is open", starts, open))
	}
	return problems
}

func chatForm(r *reply, own int) (problems []string) {
	finished, roles := 0, 0
	for _, v := range r.events() {
		if str(v, "id") != "chatcmpl-1" {
			problems = append(problems, "another id")
		}
		for _, c := range list(v, "choices") {
			if str(c, "finish_reason") != "" {
				finished++
			}
			if str(c, "delta", "role") != "" {
				roles++
			}
		}
		if n, ok := get(v, "usage", "completion_tokens").(float64); ok && int(n) <= own {
			problems = append(problems, "the usage is that of one")
		}
	}
	if finished != 1 || roles != 1 {
		problems = append(problems, fmt.Sprintf("finished %d times, %d roles", finished, roles))
	}
	return problems
}

func responsesForm(r *reply, own int) (problems []string) {
	added, done, next := map[float64]bool{}, map[float64]bool{}, 0.0
	for _, v := range r.events() {
		index, _ := get(v, "output_index").(float64)
		if n, _ := get(v, "sequence_number").(float64); n != next {
			problems = append(problems, fmt.Sprintf("number %v after %v", n, next-1))
		}
		next++
		switch str(v, "type") {
		case "response.output_item.added":
			if added[index] {
				problems = append(problems, "an item is added twice")
			}
			added[index] = true
		case "response.output_item.done":
			if done[index] || !added[index] {
				problems = append(problems, "an item is done that is not open")
			}
			done[index] = true
		case "response.completed":
			if n, _ := get(v, "response", "usage", "output_tokens").(float64); int(n) <= own || str(v, "response", "id") != "resp_1" || len(list(v, "response", "output")) != len(done) {
				problems = append(problems, fmt.Sprintf("it ends as %v", v))
			}
		}
	}
	if len(added) != len(done) || len(done) < 3 {
		problems = append(problems, fmt.Sprintf("%d items are added and %d done", len(added), len(done)))
	}
	return problems
}

func geminiForm(r *reply, own int) (problems []string) {
	finished, most := 0, 0
	for _, v := range r.events() {
		if str(v, "responseId") != "scripted" {
			problems = append(problems, "another id")
		}
		if n, ok := get(v, "usageMetadata", "candidatesTokenCount").(float64); ok {
			most = max(most, int(n))
		}
		for _, c := range list(v, "candidates") {
			if str(c, "finishReason") != "" {
				finished++
			}
		}
	}
	if finished != 1 || most <= own {
		problems = append(problems, fmt.Sprintf("finished %d times, usage %d", finished, most))
	}
	return problems
}

// TestThinkingFires: a rule that watches what a model thinks breaks that off; what was
// not finished is never sent back.
func TestThinkingFires(t *testing.T) {
	thinks := fire
	thinks.Scope = []string{"thinking"}
	w := open(t, stream.Policy{ContextMode: stream.Keep}, func(r *modeltest.Request) modeltest.Answer {
		if reminded(r) > 0 {
			return modeltest.Answer{Thinking: "good", Text: "Now I know."}
		}
		return modeltest.Answer{Thinking: "I think of it: " + violation, Text: "never", Piece: 3}
	}, thinks)
	r := w.ask(modeltest.Messages, true, ">hello")
	if r.hasViolation() || r.texts != "Now I know." || !r.complete(modeltest.Messages) {
		t.Errorf("%q", r.raw)
	}
	if again := w.model.Requests()[1]; again.Has("I think of it") || again.Said != 0 {
		t.Errorf("%s", again.Body)
	}
	body := `{"model":"m","stream":true,"system":"be kind","tools":[{"name":"write"}],"messages":[{"role":"user","content":[{"text":"hello","type":"text"}]},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"I think of it: "},{"type":"thinking","thinking":"good","signature":"c2lnbmVk"},{"type":"text","text":"Now I know."}]},{"role":"user","content":"go on"}]}`
	post(t, w.server.URL+"/v1/messages", body, modeltest.Messages, nil)
	last := string(w.model.Requests()[2].Body)
	if strings.Contains(last, "I think of it") || !strings.Contains(last, `{"type":"thinking","thinking":"good","signature":"c2lnbmVk"}`) || strings.Count(last, "<system-interrupt") != 1 {
		t.Errorf("%s", last)
	}
}

// TestConversations: memory goes by the agent's own name for a conversation, and a
// request without tools has one of its own.
func TestConversations(t *testing.T) {
	w := open(t, stream.Policy{}, func(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: "Again " + violation} })
	asks := func(name string, entries ...said) int {
		before := len(w.model.Requests())
		header := map[string]string{"X-Claude-Code-Session-Id": name}
		ask(t, w.server.URL, modeltest.Messages, true, header, entries...)
		return len(w.model.Requests()) - before
	}
	if n := asks("one", ">hello"); n != 4 {
		t.Errorf("the first turn: asked %d times", n)
	}
	if n := asks("one", ">hello", "<call call_9_9", "=call_9_9"); n != 1 {
		t.Errorf("the same turn, its budget is used up: asked %d times", n)
	}
	if n := asks("one", ">hello", "<x", ">more"); n != 1 {
		t.Errorf("the next turn, the rule was shown: asked %d times", n)
	}
	if n := asks("two", ">hello"); n != 4 {
		t.Errorf("another conversation: asked %d times", n)
	}
	body := `{"model":"m","stream":true,"messages":[{"role":"user","content":"a title, please"}]}`
	before := len(w.model.Requests())
	post(t, w.server.URL+"/v1/messages", body, modeltest.Messages, map[string]string{"X-Claude-Code-Session-Id": "one"})
	if n := len(w.model.Requests()) - before; n != 4 {
		t.Errorf("a request without tools: asked %d times", n)
	}
}

// TestSecondAskFails: an upstream that does not answer again is told to the client.
func TestSecondAskFails(t *testing.T) {
	for _, api := range apis {
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			if reminded(r) > 0 {
				return modeltest.Answer{Status: 529, Body: `{"type":"error","error":{"type":"overloaded_error","message":"too much"}}`}
			}
			return modeltest.Answer{Text: "It begins. " + violation, Piece: 4}
		})
		if r := w.ask(api, true, ">hello"); r.hasViolation() || !strings.Contains(r.raw, "too much") || r.err == nil || r.complete(api) {
			t.Errorf("%s: %q %v", api, r.raw, r.err)
		}
		if r := w.ask(api, false, ">hello"); r.status != 529 || !strings.Contains(r.raw, "too much") {
			t.Errorf("%s: %d %q", api, r.status, r.raw)
		}
	}
}

// TestKeepAsSent: what was kept of an answer is put back as it was sent with the
// reminder, byte for byte, also where the agent has trimmed it, so that the provider
// still knows the beginning of the conversation.
func TestKeepAsSent(t *testing.T) {
	for _, api := range apis {
		for _, text := range []string{"Do. ", "\n Do \t it.\n\n", "Do."} {
			w := open(t, stream.Policy{ContextMode: stream.Keep}, func(r *modeltest.Request) modeltest.Answer {
				if reminded(r) > 0 {
					return modeltest.Answer{Text: "Second."}
				}
				return modeltest.Answer{Text: text + violation, Piece: len(text)}
			})
			r := w.ask(api, true, ">hello")
			again := string(w.model.Requests()[1].Body)
			begin := again[:strings.Index(again, "keep to it.")]
			for _, kept := range []string{r.texts, strings.TrimSpace(r.texts)} {
				w.ask(api, true, ">hello", "<"+kept, ">go on")
				last := string(w.model.Requests()[len(w.model.Requests())-1].Body)
				if !strings.HasPrefix(last, begin) || !strings.Contains(again, "Do") {
					t.Errorf("%s, %q:\n%s\n%s", api, kept, again, last)
				}
			}
		}
	}
}

// TestKeepThinking: thinking that an agent writes in another way is put back as it was
// sent.
func TestKeepThinking(t *testing.T) {
	w := open(t, stream.Policy{ContextMode: stream.Keep}, func(r *modeltest.Request) modeltest.Answer {
		if reminded(r) > 0 {
			return modeltest.Answer{Text: "Second."}
		}
		return modeltest.Answer{Thinking: "hm <é>", Text: "Do. " + violation, Piece: 4}
	})
	w.ask(modeltest.Messages, true, ">hello")
	again := string(w.model.Requests()[1].Body)
	begin := again[:strings.Index(again, "keep to it.")]
	at := strings.Index(again, `"signature":"`) + len(`"signature":"`)
	end := at + strings.Index(again[at:], `"`)
	path, body := request(modeltest.Messages, true, ">hello", "<MARK", ">go on")
	body = strings.Replace(body, `{"text":"MARK","type":"text"}`, `{"signature":"`+again[at:end]+`", "thinking":"hm \u003cé>", "type":"thinking"},{"type":"text","text":"Do."},{"type":"text","text":"Second."}`, 1)
	post(t, w.server.URL+path, body, modeltest.Messages, nil)
	if last := string(w.model.Requests()[2].Body); !strings.HasPrefix(last, begin) || !strings.Contains(begin, "hm <") {
		t.Errorf("\n%s\n%s", again, last)
	}
}

// TestComply: the reminder says that the model must comply with rules that the user
// stands behind, and not with those of strangers.
func TestComply(t *testing.T) {
	mine := stream.Trigger{Name: "my `rule`", Body: "Mine.", Patterns: []string{"ЮЯ"}}
	for _, c := range []struct {
		binding map[string]bool
		want    string
	}{{nil, ""}, {map[string]bool{"my `rule`": true}, "must comply with `my 'rule'`."}, {map[string]bool{"my `rule`": true, "no-cyrillic": true}, "must comply with them."}} {
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			if reminded(r) > 0 {
				return modeltest.Answer{Text: "Better."}
			}
			return modeltest.Answer{Text: violation}
		}, fire, mine)
		workspace := w.options.Workspace("")
		workspace.Binding = c.binding
		w.ask(modeltest.Chat, true, ">hello")
		again := w.model.Requests()[1]
		if again.Has("must comply") != (c.want != "") || !again.Has(c.want) || reminded(again) != 2 {
			t.Errorf("%v: %s", c.binding, again.Body)
		}
	}
}
