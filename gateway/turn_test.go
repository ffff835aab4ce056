package gateway_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// TestRepeated: a request that an agent sends again, as it was or without streaming, is
// of the same turn: the rule fires again as long as the budget lasts, and what passes
// then is in the journal. The next thing that the user says begins a turn.
func TestRepeated(t *testing.T) {
	for _, api := range apis {
		w := open(t, stream.Policy{RepeatMode: stream.AfterGap, RepeatGap: 1}, func(r *modeltest.Request) modeltest.Answer {
			if reminded(r) > 0 {
				return modeltest.Answer{Text: "Better."}
			}
			return modeltest.Answer{Text: "Say " + violation}
		})
		w.options.Memory = &sharedMemory{}
		w.start()
		var got []string
		for try := range 5 {
			r := w.ask(api, try%2 == 0, ">hello", "<hm", ">and now?")
			got = append(got, map[bool]string{true: "passes", false: "is stopped"}[r.hasViolation()])
			if try == 1 {
				w.start() // another process
			}
		}
		same(t, string(api), got, []string{"is stopped", "is stopped", "is stopped", "passes", "passes"})
		if told := w.journal.told(); len(told) != 5 || !strings.HasPrefix(told[2], "interrupted") || told[3] != "passed no-cyrillic" || told[4] != "passed no-cyrillic" {
			t.Errorf("%s: %q", api, told)
		}
		if r := w.ask(api, true, ">hello", "<hm", ">and now?", "<Say "+violation, ">go on"); r.hasViolation() {
			t.Errorf("%s: the next turn has no budget: %q", api, r.raw)
		}
	}
}

// TestRepeatedAfterCut: an agent whose answer broke off asks the same again. The rule has
// not been heeded yet, and is watched for.
func TestRepeatedAfterCut(t *testing.T) {
	for _, api := range apis {
		asked := 0
		w := open(t, stream.Policy{}, func(r *modeltest.Request) modeltest.Answer {
			asked++
			switch {
			case asked == 2:
				return modeltest.Answer{Text: "never", Cut: 1}
			case reminded(r) > 0:
				return modeltest.Answer{Text: "Better."}
			}
			return modeltest.Answer{Calls: []modeltest.Call{write(violation)}}
		})
		header := map[string]string{"X-Claude-Code-Session-Id": "s"}
		if r := ask(t, w.server.URL, api, true, header, ">hello"); r.err == nil {
			t.Errorf("%s: no cut: %q", api, r.raw)
		}
		r := ask(t, w.server.URL, api, false, header, ">hello")
		if r.texts != "Better." || len(r.calls) > 0 || r.hasViolation() {
			t.Errorf("%s: %q", api, r.raw)
		}
	}
}
