package gateway_test

import (
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestConversationOfAWorkspace: a conversation that is named in one workspace is another one in the next, so that a name that a
// repository sets makes nobody else's rules silent.
func TestConversationOfAWorkspace(t *testing.T) {
	w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
		if reminded(r) > 0 {
			return modeltest.Answer{Text: "fine"}
		}
		return modeltest.Answer{Text: violation}
	})
	one := w.options.Workspace("")
	other := &gateway.Workspace{Dir: "/other", Triggers: one.Triggers, Policy: one.Policy}
	w.options.Workspace = func(name string) *gateway.Workspace {
		if name == "other" {
			return other
		}
		return one
	}
	w.start()
	header := map[string]string{"x-pertain-conversation": "always the same"}
	for _, base := range []string{w.server.URL, w.server.URL + "/w/other"} {
		if got := ask(t, base, modeltest.Messages, true, header, ">hi "+base); got.hasViolation() || got.texts != "fine" {
			t.Errorf("%s: %s", base, got.raw)
		}
	}
	same(t, "journal", w.journal.told(), []string{"interrupted no-cyrillic heeded=true", "interrupted no-cyrillic heeded=true"})
}
