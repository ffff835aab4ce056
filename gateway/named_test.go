package gateway_test

import (
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// violating is a model that breaks a rule until it is reminded.
func violating(r *modeltest.Request) modeltest.Answer {
	if reminded(r) > 0 {
		return modeltest.Answer{Text: "fine"}
	}
	return modeltest.Answer{Text: violation}
}

// TestNamesByHeader: what one header says is no name that another one gives.
func TestNamesByHeader(t *testing.T) {
	w := open(t, stream.Policy{}, violating)
	for _, header := range []string{"x-pertain-conversation", "x-claude-code-session-id", "session_id", "x-session-id"} {
		for i, fires := range []bool{true, false} { // once in each
			got := ask(t, w.server.URL, modeltest.Messages, true, map[string]string{header: "fixed"}, []said{">hi", ">ho"}[i])
			if got.hasViolation() == fires {
				t.Errorf("%s, request %d: %s", header, i, got.raw)
			}
		}
	}
}

// TestNameAfterRestart: what was remembered under a name before the gateway was started belongs to requests that go on with it; a
// conversation that begins under the same name is another one, whatever is said first.
func TestNameAfterRestart(t *testing.T) {
	for _, api := range apis {
		w := open(t, stream.Policy{}, violating)
		w.options.Memory = &sharedMemory{}
		w.start()
		said := func(fires bool, entries ...said) *reply {
			t.Helper()
			got := ask(t, w.server.URL, api, true, map[string]string{"x-pertain-conversation": "fixed"}, entries...)
			if got.hasViolation() == fires {
				t.Errorf("%s %q: %s", api, entries, got.raw)
			}
			return got
		}
		said(true, ">one")
		said(false, ">one", "<other", ">more", "<other", ">more")
		said(false, ">two") // the name is the conversation
		w.start()
		said(false, ">one", "<other", ">more", "<other", ">more", "<other", ">on") // the rule is known, and nothing was put back
		said(false, ">three")
		w.start()
		said(true, ">three")
		said(false, ">three", "<other", ">more")
		w.start()
		said(true, ">three") // a script that asks the same each time
		said(false, ">four")
		w.start()
		said(true, ">one", "<other", ">more") // it is shorter than it was
		w.start()
		said(true, ">five", "<other", ">more", "<other", ">more", "<other", ">more", "<other", ">more")
	}
}

// TestNameGoesOn: an answer that a reminder belongs to shows that a conversation goes on, even if it begins in another way by now.
func TestNameGoesOn(t *testing.T) {
	w := open(t, stream.Policy{}, violating)
	w.options.Memory = &sharedMemory{}
	w.start()
	header := map[string]string{"x-pertain-conversation": "fixed"}
	got := ask(t, w.server.URL, modeltest.Messages, true, header, ">today is Monday")
	w.start()
	ask(t, w.server.URL, modeltest.Messages, true, header, ">today is Tuesday", "<"+got.texts, ">go on")
	if last := w.model.Requests()[len(w.model.Requests())-1]; reminded(last) != 1 {
		t.Errorf("the reminder is lost: %s", last.Body)
	}
}

// TestTold: a release names the rules that the model is told of, and not those that let pass what they have found.
func TestTold(t *testing.T) {
	mild := fire
	mild.InterruptMode = stream.InterruptNever
	for _, c := range []struct {
		what       string
		trigger    stream.Trigger
		policy     stream.Policy
		always     bool // the model does not heed reminders
		call, text []string
	}{
		{"a rule that reminds", mild, stream.Policy{}, true, []string{"no-cyrillic"}, []string{"no-cyrillic"}},
		{"one that interrupts", fire, stream.Policy{}, false, nil, []string{"no-cyrillic"}},
		{"one whose budget is used up", fire, stream.Policy{Budget: 1}, true, nil, nil},
	} {
		for _, api := range apis {
			w := open(t, c.policy, func(r *modeltest.Request) modeltest.Answer {
				if !c.always && reminded(r) > 0 {
					return modeltest.Answer{Text: "fine", Calls: []modeltest.Call{write("fine")}}
				}
				return modeltest.Answer{Text: "so", Calls: []modeltest.Call{write(violation)}}
			}, c.trigger)
			var told releases
			w.options.Release = told.add
			w.start()
			ask(t, w.server.URL, api, true, nil, ">hi")
			calls, texts := 0, 0
			for _, r := range told.list {
				want := c.text
				if r.Tool != "" {
					want = c.call
					calls++
				} else {
					texts++
				}
				if got := names(r); !slices.Equal(got, want) {
					t.Errorf("%s, %s: %q is told of %+v, want %q", c.what, api, got, r, want)
				}
			}
			if calls == 0 || texts == 0 {
				t.Errorf("%s, %s: %d calls, %d texts", c.what, api, calls, texts)
			}
			// In the next turn the rule has fired before, and lets it pass.
			told.list = nil
			if c.always {
				ask(t, w.server.URL, api, true, nil, ">hi", "<other", ">go on")
				for _, r := range told.list {
					if len(r.Told) > 0 {
						t.Errorf("%s, %s: %+v", c.what, api, r)
					}
				}
			}
		}
	}
}

func names(r gateway.Release) (out []string) {
	for _, trigger := range r.Told {
		out = append(out, trigger.Name)
	}
	return out
}

// TestCwd: relative paths of calls count from where the agent works.
func TestCwd(t *testing.T) {
	inSrc := fire
	inSrc.Globs = []string{"src/**/*.md"}
	w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
		if reminded(r) > 0 {
			return modeltest.Answer{Text: "fine"}
		}
		return modeltest.Answer{Calls: []modeltest.Call{{Name: "write", Arguments: `{"path":"a.md","content":"` + violation + `"}`}}}
	}, inSrc)
	here := *w.options.Workspace("")
	w.options.Workspace = func(string) *gateway.Workspace { return &here }
	w.start()
	if got := w.ask(modeltest.Messages, true, ">hi"); !got.hasViolation() {
		t.Errorf("it is not below src: %s", got.raw)
	}
	here.Cwd = "/w/src"
	if got := w.ask(modeltest.Messages, true, ">ho"); got.hasViolation() {
		t.Errorf("%s", got.raw)
	}
}
