package hook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/quota"
)

// turnEnds are how agents tell that a turn ends: with what was said last, and, but for those that do not tell, whether a hook made it go on.
var turnEnds = map[string]struct {
	untold bool
	end    func(w *world, message string, continued bool) fields
}{
	"claude": {end: claudeEnd("Stop", "last_assistant_message")},
	"codex":  {end: claudeEnd("Stop", "last_assistant_message")},
	"qwen":   {end: claudeEnd("Stop", "last_assistant_message")},
	"droid":  {end: claudeEnd("Stop", "last_assistant_message")},
	"gemini": {end: claudeEnd("AfterAgent", "prompt_response")},
	"copilot": {end: func(w *world, message string, continued bool) fields {
		return fields{"sessionId": "s", "cwd": w.dir, "hookEventName": "agentStop", "lastAssistantMessage": message, "stopHookActive": continued}
	}},
	"cursor": {untold: true, end: func(w *world, message string, _ bool) fields {
		return fields{"conversation_id": "s", "workspace_roots": []string{w.dir}, "hook_event_name": "stop", "text": message}
	}},
	"opencode": {untold: true, end: pluginEnd},
	"pi":       {untold: true, end: pluginEnd},
}

func claudeEnd(event, message string) func(*world, string, bool) fields {
	return func(w *world, said string, continued bool) fields {
		return fields{"session_id": "s", "cwd": w.dir, "hook_event_name": event, message: said, "stop_hook_active": continued}
	}
}

func pluginEnd(w *world, message string, _ bool) fields {
	return fields{"event": "end", "conversation": "s", "cwd": w.dir, "message": message}
}

// noisy is a project that breaks off each turn, and a home with a rule of the user's.
func noisy(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.file(".omp/rules/noise.md", "---\ncondition: '[a-z]'\nscope: text\n---\nSay it again.\n")
	w.file("~/.omp/agent/rules/mine.md", "---\ncondition: EVIL\n---\nNever evil.\n")
	return w
}

// turn is what an agent gets whose model says some messages, the last one for ever, until the turn is over.
func (w *world) turn(agent string, messages ...string) []string {
	w.t.Helper()
	var out []string
	for continued := false; len(out) < 6; continued = true {
		said := messages[min(len(out), len(messages)-1)]
		answer := w.event(turnEnds[agent].end(w, said, continued), agent)
		if !strings.Contains(answer, "breaks rules") {
			return out
		}
		out = append(out, answer)
	}
	w.t.Errorf("%s: the turn goes on for ever", agent)
	return out
}

// TestTurnOfTheOwn: where a repository's rules made a turn go on, the user's own may do so once more, and then it ends, whatever is said.
func TestTurnOfTheOwn(t *testing.T) {
	for agent := range turnEnds {
		t.Run(agent, func(t *testing.T) {
			w := noisy(t)
			for range 2 { // one turn after the other
				out := w.turn(agent, "fine", "this is EVIL")
				if len(out) != 2 {
					t.Fatalf("it went on %d times: %q", len(out), out)
				}
				has(t, out[0], "Say it again.")
				lacks(t, out[0], "Never evil.")
				has(t, out[1], "Never evil.")
				lacks(t, out[1], "Say it again.")
			}
			want := []string{
				"noise interrupted false", "noise passed", "mine interrupted false", "noise passed", "mine passed",
				"noise interrupted false", "noise passed", "mine interrupted false", "noise passed", "mine passed",
			}
			got := w.journal()
			for _, list := range [][]string{want, got} {
				for i := range list { // those of one call are in no order that matters here
					if i%5 == 1 && list[i] > list[i+1] || i%5 == 3 && list[i] > list[i+1] {
						list[i], list[i+1] = list[i+1], list[i]
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			for _, messages := range [][]string{{"this is EVIL"}, {"EVIL", "fine"}, {"fine"}} { // both at once, the own alone, the other alone
				if out := w.turn(agent, messages...); len(out) != 1 {
					t.Errorf("%q: it went on %d times: %q", messages, len(out), out)
				}
			}
		})
	}
}

// TestTurnWithoutMemory: where nothing can be remembered, or read of it, a turn goes on once if the agent knows that it did, and else not at all.
func TestTurnWithoutMemory(t *testing.T) {
	for agent, is := range turnEnds {
		for name, lose := range map[string]func(w *world){
			"no folder":  func(w *world) { w.env = map[string]string{} },
			"no writing": func(w *world) { w.file("~/.local/state/pertain", "a file") },
			"no reading": func(w *world) {
				w.turn(agent, "EVIL")
				kept, err := filepath.Glob(filepath.Join(w.state(), "hooks", "*.jsonl"))
				if err != nil || len(kept) != 1 {
					t.Fatal(kept, err)
				}
				if err := os.WriteFile(kept[0]+".1", make([]byte, 3<<20), 0o600); err != nil {
					t.Fatal(err)
				}
			},
		} {
			w := noisy(t)
			lose(w)
			want := 1
			if is.untold {
				want = 0
			}
			if out := w.turn(agent, "fine", "this is EVIL"); len(out) != want {
				t.Errorf("%s, %s: it went on %d times: %q", agent, name, len(out), out)
			}
			has(t, w.lastErrs, "cannot be read or written")
		}
	}
}

// TestTurnNotTold: a turn that the agent was not told to go on with has not gone on.
func TestTurnNotTold(t *testing.T) {
	w := noisy(t)
	evil := func(agent string, continued bool) fields { return turnEnds[agent].end(w, "EVIL", continued) }
	for range 3 {
		if errs, code := w.unread(evil("pi", true), "pi"); code != 0 || !strings.Contains(errs, "cannot be written") {
			t.Errorf("exit %d, %q", code, errs)
		}
	}
	has(t, w.event(evil("pi", true), "pi"), "Never evil.")
	lacks(t, w.event(evil("pi", true), "pi"), "Never evil.")

	w = noisy(t)
	has(t, w.event(turnEnds["copilot"].end(w, "fine", false), "copilot"), "Say it again.")
	w.unread(evil("copilot", true), "copilot")
	has(t, w.event(evil("copilot", true), "copilot"), "Never evil.")
	lacks(t, w.event(evil("copilot", true), "copilot"), "Never evil.")
}

// TestTurnOfVeryMany: however many rules of a repository break off calls and turns, the memory of the conversation stays small enough to be
// read, and what is in it of the user's own rules counts as ever.
func TestTurnOfVeryMany(t *testing.T) {
	w := noisy(t)
	w.file("~/.omp/agent/rules/other.md", "---\ncondition: BAD\n---\nNever bad.\n")
	for i := range 1_500 {
		w.file(fmt.Sprintf(".omp/rules/%s%d.md", strings.Repeat("n", 230), i), "---\ncondition: '[a-z]'\n---\nNoise.\n")
	}
	for i := range 6 {
		out := w.write("a.js", fmt.Sprintf("BAD %d", i)) // three denials by the user's own rule
		if strings.Contains(out, `"deny"`) != (i < 3) {
			t.Errorf("call %d: %.100s", i, out)
		}
		w.write("b.js", fmt.Sprintf("some noise %d", i))
		if strings.Contains(w.lastErrs, "cannot be read") {
			t.Fatalf("call %d: %s", i, w.lastErrs)
		}
	}
	out := w.turn("claude", "fine", "this is EVIL")
	if len(out) != 2 || !strings.Contains(out[1], "Never evil.") {
		t.Errorf("it went on %d times", len(out))
	}
}

// TestJournalOfVeryMany: rules of a repository that break off each call write only so much into the journal, and the user's own are in it.
func TestJournalOfVeryMany(t *testing.T) {
	w := noisy(t)
	for i := range 150 {
		w.file(fmt.Sprintf(".omp/rules/a%d.md", i), "---\ncondition: '[a-z]'\n---\nNoise.\n")
	}
	for _, c := range []struct {
		what string
		call func()
		want string
	}{
		{"a call", func() { w.write("a.js", "this is EVIL") }, "mine denied a.js"},
		{"a turn", func() { w.event(turnEnds["claude"].end(w, "this is EVIL", false), "claude") }, "mine interrupted"},
	} {
		before := len(w.journal())
		c.call()
		told := w.journal()[before:]
		if len(told) != quota.Others+1 || !slices.Contains(told, c.want) {
			t.Errorf("%s: %d entries: %q", c.what, len(told), told[len(told)-1])
		}
	}
}
