package gateway_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

var sizes = []int{1, 2, 3, 4, 5, 7, 11, 16, 1000}

// each runs a test for each API, streamed and not, with the model's words in pieces of
// several sizes.
func each(t *testing.T, do func(t *testing.T, api modeltest.API, streamed bool, size int)) {
	for _, api := range apis {
		t.Run(string(api), func(t *testing.T) {
			t.Parallel()
			for _, size := range sizes {
				do(t, api, true, size)
			}
			do(t, api, false, 16)
		})
	}
}

// TestNothingFires: what the client gets is what the upstream sent, byte for byte, with
// rules that are often nearly broken.
func TestNothingFires(t *testing.T) {
	near := []stream.Trigger{fire, {Name: "near", Patterns: []string{`console\.log\(`, `\w+\.unwrap\(\)`, `foo(?=bar)`, `end of all$`}, Body: "x"}}
	each(t, func(t *testing.T, api modeltest.API, streamed bool, size int) {
		script := func(*modeltest.Request) modeltest.Answer {
			return modeltest.Answer{
				Thinking: "I think about console.log", Text: "Use console.error, \"x\".unwrapped, foobaz and ЖЩЮ.\nThe end of all of it 😀", Piece: size,
				Calls: []modeltest.Call{write("console.lo\n"), write("a.unwrap(x) ЖЩЮ")},
			}
		}
		w := open(t, stream.Policy{}, script, near...)
		direct := modeltest.Start(script)
		defer direct.Close()
		got := w.ask(api, streamed, ">hello")
		want := ask(t, direct.URL, api, streamed, nil, ">hello")
		if got.raw != want.raw || got.status != want.status || got.err != nil || got.raw == "" {
			t.Errorf("pieces of %d, streamed %v: %q\nnot %q", size, streamed, got.raw, want.raw)
		}
		if got.header.Get("Content-Type") != want.header.Get("Content-Type") || got.header.Get("X-Pertain-Rules") != "2" || got.header.Get("X-Pertain-Workspace") != "/w" {
			t.Errorf("headers %v", got.header)
		}
	})
}

// TestTextFires: a violation in the model's words never reaches the client, the second
// answer goes on in the same stream, and the model was told why.
func TestTextFires(t *testing.T) {
	each(t, func(t *testing.T, api modeltest.API, streamed bool, size int) {
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			if reminded(r) > 0 {
				return modeltest.Answer{Text: "In Latin letters now.", Piece: size}
			}
			return modeltest.Answer{Thinking: "hm", Text: "It begins well, then " + violation + " and more of it.", Piece: size}
		})
		r := w.ask(api, streamed, ">hello")
		if r.hasViolation() || !strings.HasSuffix(r.texts, "In Latin letters now.") || r.err != nil {
			t.Errorf("pieces of %d, streamed %v: %q, %v", size, streamed, r.raw, r.err)
		}
		if streamed && (!r.complete(api) || size < 5 && !strings.HasPrefix(r.texts, "It begins well")) {
			t.Errorf("pieces of %d: %q", size, r.raw)
		}
		requests := w.model.Requests()
		if len(requests) != 2 || reminded(requests[1]) != 1 || !requests[1].Has("Write in Latin letters.") || requests[1].Has("It begins well") {
			t.Errorf("pieces of %d: %d requests, %s", size, len(requests), requests[len(requests)-1].Body)
		}
		if a, b := string(requests[0].Body), string(requests[1].Body); streamed && !prefixed(api, a, b) {
			t.Errorf("the second request does not go on from the first:\n%s\n%s", a, b)
		}
		same(t, "journal", w.journal.told(), []string{"interrupted no-cyrillic heeded=true"})
	})
}

// prefixed tells whether a request is another with more at the end of its list.
func prefixed(api modeltest.API, a, b string) bool {
	key := map[modeltest.API]string{modeltest.Messages: `"messages":[`, modeltest.Chat: `"messages":[`, modeltest.Responses: `"input":[`, modeltest.Gemini: `"contents":[`}[api]
	at := strings.Index(a, key)
	rest := a[at:]
	end := strings.Index(rest, "hello")
	return at >= 0 && strings.HasPrefix(b, a[:at+end])
}

// TestCallFires: a call is held until it is whole, and one that breaks a rule never
// reaches the client.
func TestCallFires(t *testing.T) {
	each(t, func(t *testing.T, api modeltest.API, streamed bool, size int) {
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			if reminded(r) > 0 {
				return modeltest.Answer{Text: "Better.", Calls: []modeltest.Call{write("latin")}, Piece: size}
			}
			return modeltest.Answer{Text: "I write it.", Calls: []modeltest.Call{write("begin " + violation + " end")}, Piece: size}
		})
		r := w.ask(api, streamed, ">hello")
		if r.hasViolation() || len(r.calls) != 1 || !strings.Contains(r.calls[0], "latin") || r.err != nil || streamed && !r.complete(api) {
			t.Errorf("pieces of %d, streamed %v: %q, %q, %v", size, streamed, r.calls, r.raw, r.err)
		}
		if strings.Contains(r.raw, "begin") {
			t.Errorf("pieces of %d: some of the call is there: %q", size, r.raw)
		}
		same(t, "journal", w.journal.told(), []string{"interrupted no-cyrillic src/a.md heeded=true"})
	})
}

// TestSecondCallFires: calls before it were released and are run, so the message ends
// there, and the rule is told after their results.
func TestSecondCallFires(t *testing.T) {
	each(t, func(t *testing.T, api modeltest.API, streamed bool, size int) {
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			if reminded(r) > 0 {
				return modeltest.Answer{Text: "Done."}
			}
			return modeltest.Answer{Text: "Two.", Calls: []modeltest.Call{write("first"), write(violation)}, Piece: size}
		})
		r := w.ask(api, streamed, ">hello")
		if !streamed {
			if r.hasViolation() || r.texts != "Done." {
				t.Errorf("%q", r.raw)
			}
			return
		}
		if r.hasViolation() || len(r.calls) != 1 || !strings.Contains(r.calls[0], "first") || !r.complete(api) {
			t.Errorf("pieces of %d: %q, %v", size, r.raw, r.err)
		}
		if len(w.model.Requests()) != 1 {
			t.Errorf("%d requests", len(w.model.Requests()))
		}
		for range 2 { // now, and whenever the conversation is sent again
			w.ask(api, true, ">hello", "<call call_1_0", "=call_1_0")
			last := w.model.Requests()[len(w.model.Requests())-1]
			body := string(last.Body)
			if reminded(last) != 1 || strings.Index(body, "system-interrupt") < strings.Index(body, "done") {
				t.Errorf("the next request: %s", body)
			}
		}
		same(t, "journal", w.journal.told(), []string{"interrupted no-cyrillic src/a.md heeded=true"})
	})
}

// TestBudget: within a turn a rule fires again and again, until the budget is used up.
func TestBudget(t *testing.T) {
	each(t, func(t *testing.T, api modeltest.API, streamed bool, size int) {
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			return modeltest.Answer{Text: "Try. " + violation, Piece: size}
		})
		r := w.ask(api, streamed, ">hello")
		if !strings.Contains(r.texts, violation) || streamed && !r.complete(api) || len(w.model.Requests()) != 4 {
			t.Errorf("pieces of %d, streamed %v: %q after %d requests", size, streamed, r.raw, len(w.model.Requests()))
		}
		if last := w.model.Requests()[3]; reminded(last) != 3 {
			t.Errorf("%d reminders", reminded(last))
		}
		same(t, "journal", w.journal.told(), []string{
			"interrupted no-cyrillic heeded=false", "interrupted no-cyrillic heeded=false", "interrupted no-cyrillic heeded=false", "passed no-cyrillic",
		})
	})
}

// TestNever: what only reminds goes through as it is, and the model is reminded with
// the next request.
func TestNever(t *testing.T) {
	each(t, func(t *testing.T, api modeltest.API, streamed bool, size int) {
		script := func(*modeltest.Request) modeltest.Answer {
			return modeltest.Answer{Text: "All of " + violation + " goes.", Piece: size}
		}
		w := open(t, stream.Policy{InterruptMode: stream.InterruptNever}, script)
		direct := modeltest.Start(script)
		defer direct.Close()
		r, want := w.ask(api, streamed, ">hello"), ask(t, direct.URL, api, streamed, nil, ">hello")
		if r.raw != want.raw {
			t.Errorf("pieces of %d: %q\nnot %q", size, r.raw, want.raw)
		}
		w.ask(api, streamed, ">hello", "<All of "+violation+" goes.", ">and now?")
		last := w.model.Requests()[1]
		if reminded(last) != 1 || strings.Index(string(last.Body), "system-interrupt") < strings.Index(string(last.Body), "and now?") {
			t.Errorf("%s", last.Body)
		}
		same(t, "journal", w.journal.told(), []string{"reminded no-cyrillic"})
	})
}

// TestKeep: with contextMode keep, what the client got stays in the conversation.
func TestKeep(t *testing.T) {
	each(t, func(t *testing.T, api modeltest.API, streamed bool, size int) {
		if !streamed || size > 4 {
			return
		}
		w := open(t, stream.Policy{ContextMode: stream.Keep}, func(r *modeltest.Request) modeltest.Answer {
			if reminded(r) > 0 {
				return modeltest.Answer{Text: "Second."}
			}
			return modeltest.Answer{Thinking: "hm", Text: "First part. " + violation, Piece: size}
		})
		r := w.ask(api, true, ">hello")
		again := w.model.Requests()[1]
		if !again.Has("First part.") || strings.ContainsAny(string(again.Body), violation) || again.Said != 1 {
			t.Errorf("%s", again.Body)
		}
		w.ask(api, true, ">hello", "<"+r.texts, ">go on")
		last := w.model.Requests()[2]
		body := string(last.Body)
		first, rem, second := strings.Index(body, "First part."), strings.Index(body, "system-interrupt"), strings.Index(body, "Second.")
		if reminded(last) != 1 || first < 0 || rem < first || second < rem {
			t.Errorf("%q: %s", r.texts, body)
		}
	})
}

// TestPutBack: the reminder is put back into later requests, before the answer that
// followed it, without what the client got of the first; after a restart too.
func TestPutBack(t *testing.T) {
	each(t, func(t *testing.T, api modeltest.API, streamed bool, size int) {
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			if reminded(r) > 0 {
				return modeltest.Answer{Text: "Second answer.", Piece: size}
			}
			return modeltest.Answer{Text: "First part. " + violation, Piece: size}
		})
		memory := &sharedMemory{}
		w.options.Memory = memory
		w.start()
		r := w.ask(api, streamed, ">hello")
		for round := range 2 {
			if round == 1 {
				w.start() // another process
			}
			w.ask(api, streamed, ">hello", "<"+r.texts, ">go on")
			last := w.model.Requests()[len(w.model.Requests())-1]
			body := string(last.Body)
			hello, rem, second, on := strings.Index(body, "hello"), strings.Index(body, "system-interrupt"), strings.Index(body, "Second answer."), strings.Index(body, "go on")
			if reminded(last) != 1 || rem < hello || second < rem || on < second || strings.Contains(body, "First part") {
				t.Errorf("pieces of %d, streamed %v: %s", size, streamed, body)
			}
			if again := string(w.model.Requests()[1].Body); !strings.HasPrefix(body, strings.TrimRight(again[:strings.Index(again, "keep to it.")], "}]")) {
				t.Errorf("the provider does not know the beginning:\n%s\n%s", again, body)
			}
		}
		for _, text := range memory.texts() {
			if strings.Contains(text, "First part") || strings.Contains(text, "Second answer") || strings.Contains(text, "secret-key") {
				t.Errorf("the memory holds text: %s", text)
			}
		}
	})
}

// TestCut: an answer that breaks off, or ends without its last event, breaks off for
// the client, and nothing of a call that is not whole has reached it.
func TestCut(t *testing.T) {
	for _, api := range apis {
		for _, clean := range []bool{false, true} {
			w := open(t, stream.Policy{}, func(*modeltest.Request) modeltest.Answer {
				a := modeltest.Answer{Text: "Some text.", Calls: []modeltest.Call{write(strings.Repeat("long content ", 20))}, Piece: 4}
				if at := 16; clean {
					a.Ends = at
				} else {
					a.Cut = at
				}
				if api == modeltest.Gemini {
					a.Cut, a.Ends = min(a.Cut, 3), min(a.Ends, 3)
				}
				return a
			})
			r := w.ask(api, true, ">hello")
			if r.err == nil || r.complete(api) || strings.Contains(r.raw, "long") || len(r.calls) > 0 {
				t.Errorf("%s, clean %v: %q, %v", api, clean, r.raw, r.err)
			}
		}
	}
}

// TestNoDone: an answer of Chat that has a reason for its end and no last event, as some
// servers write it, is passed on as it came; a cut after the reason stays a cut.
func TestNoDone(t *testing.T) {
	for _, c := range []struct {
		end, rest string
		cut, ok   bool
	}{
		{`"stop"`, "", false, true},
		{`"stop"`, "data: {\"choices\":[],\"usage\":{\"completion_tokens\":3}}\n\n", false, true},
		{`"stop"`, "", true, false},
		{"null", "", false, false},
		{`"stop"`, "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"x\"}}]}\n\n", false, false},
	} {
		text := "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"nearly ЖЩ\"}}]}\n\n" +
			"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":" + c.end + "}]}\n\n" + c.rest
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, text)
			_ = http.NewResponseController(w).Flush()
			if c.cut {
				panic(http.ErrAbortHandler)
			}
		}), nil)
		r := ask(t, server.URL, modeltest.Chat, true, nil, ">hello")
		if (r.err == nil) != c.ok || c.ok && r.raw != text {
			t.Errorf("%s %q: %v %q", c.end, c.rest, r.err, r.raw)
		}
	}
}

// TestHoldTime: text is not held for longer than it may be.
func TestHoldTime(t *testing.T) {
	w := open(t, stream.Policy{}, func(*modeltest.Request) modeltest.Answer {
		return modeltest.Answer{Text: "a ЖЩ", Piece: 1, Pause: 30 * time.Millisecond}
	})
	w.options.Limits.Wait = 10 * time.Millisecond
	w.start()
	if r := w.ask(modeltest.Messages, true, ">hello"); r.texts != "a ЖЩ" || r.err != nil {
		t.Errorf("%q, %v", r.raw, r.err)
	}
}
