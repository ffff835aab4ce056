package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/internal/quota"
	"github.com/pertain-dev/pertain/stream"
)

// strangers are rules of a repository that match anything, and after them one of the user's own.
func strangers(count int, body string, mode stream.InterruptMode) []stream.Trigger {
	var out []stream.Trigger
	for i := range count {
		out = append(out, stream.Trigger{Name: fmt.Sprintf("a%d", i), Path: fmt.Sprintf(".pertain/rules/a%d.md", i), Body: fmt.Sprint(body, i), Patterns: []string{"."}, InterruptMode: mode})
	}
	return append(out, stream.Trigger{Name: "mine", Path: "~/mine.md", Body: "Mine first.", Patterns: []string{"."}, InterruptMode: mode, Own: true})
}

// good is a model that answers in four letters, whatever it is told.
func good(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: "good"} }

// TestManyRules: a repository with very many rules that match anything makes no reminder longer than the quota, the
// user's own rules stand first in it, the rest is counted on one line, and the journal has few of them, in few writes.
func TestManyRules(t *testing.T) {
	const count = 2000
	for _, api := range apis {
		for _, streamed := range []bool{true, false} {
			w := open(t, stream.Policy{Budget: 2}, good, strangers(count, "Body ", "")...)
			workspace := w.options.Workspace("")
			workspace.Binding = map[string]bool{"mine": true}
			if r := w.ask(api, streamed, ">hello"); r.texts != "good" {
				t.Fatalf("%q", r.raw)
			}
			requests := w.model.Requests()
			if len(requests) != 3 { // its budget
				t.Fatalf("%d requests", len(requests))
			}
			for i, r := range requests[1:] {
				grown := len(r.Text) - len(requests[i].Text)
				if grown > quota.Told || grown < quota.Told-1000 || !strings.Contains(r.Text, `rule="mine"`) || strings.Index(r.Text, `rule="mine"`) > strings.Index(r.Text, `rule="a0"`) {
					t.Errorf("%v: it grew by %d", api, grown)
				}
			}
			told := requests[1]
			shown := reminded(told)
			_, line, _ := strings.Cut(told.Text, "Broken as well are ")
			line, _, _ = strings.Cut(line, "\n")
			if !strings.HasPrefix(line, fmt.Sprintf("%d rules that did not fit here; read one with `pertain read rule://NAME` when it concerns the work: rule://a%d, ", count+1-shown, shown-1)) || !strings.HasSuffix(line, "more, which `pertain rules` lists.") || len(line) > quota.Names {
				t.Errorf("%v: %d shown: %s", api, shown, line)
			}
			if !told.Has("must comply with `mine`.") {
				t.Errorf("%v: who is to be complied with: %s", api, told.Text[len(told.Text)-300:])
			}
			w.journal.mu.Lock()
			mine := 0
			for _, e := range w.journal.entries {
				if e.Rule == "mine" {
					mine++
				}
			}
			if len(w.journal.entries) != quota.Others+mine || mine != 3 || w.journal.writes > 6 {
				t.Errorf("%v: %d entries, %d of the user's own, in %d writes", api, len(w.journal.entries), mine, w.journal.writes)
			}
			w.journal.mu.Unlock()
		}
	}
}

// TestNotShown: a rule that fired and was only named fires again in the next turn; one that was shown does not.
func TestNotShown(t *testing.T) {
	w := open(t, stream.Policy{Budget: 1}, func(r *modeltest.Request) modeltest.Answer {
		return modeltest.Answer{Text: fmt.Sprint("good ", r.Number)}
	}, strangers(500, "Body ", "")...)
	talk := []said{">hello"}
	for i := range 4 {
		r := w.ask(modeltest.Messages, true, talk...)
		talk = append(talk, "<"+r.texts, fmt.Sprintf(">more %d", i))
	}
	var all []*modeltest.Request
	for _, r := range w.model.Requests() {
		if reminded(r) > 0 {
			all = append(all, r)
		}
	}
	last := all[len(all)-1]
	for _, name := range append([]string{"mine"}, "a0", "a300", "a499") {
		if strings.Count(last.Text, fmt.Sprintf("rule=%q", name)) != 1 {
			t.Errorf("%s was shown %d times", name, strings.Count(last.Text, fmt.Sprintf("rule=%q", name)))
		}
	}
	if n := len(w.model.Requests()); n != 4+3 { // three turns were interrupted, then everything was shown
		t.Errorf("%d requests", n)
	}
}

// TestManyReminders: rules that let an answer pass have no larger quota in the next request, and hooks tell of those that do not fit.
func TestManyReminders(t *testing.T) {
	w := open(t, stream.Policy{}, good, strangers(1000, "Body ", stream.InterruptNever)...)
	var told releases
	w.options.Release = told.add
	w.start()
	ask(t, w.server.URL, modeltest.Messages, true, nil, ">hello")
	ask(t, w.server.URL, modeltest.Messages, true, nil, ">hello", "<good", ">more")
	requests := w.model.Requests()
	next := requests[len(requests)-1]
	shown := reminded(next)
	if size := len(next.Text); size > quota.Told+1000 || shown < 50 || !next.Has("Mine first.") {
		t.Errorf("%d bytes, %d rules", size, shown)
	}
	told.mu.Lock()
	defer told.mu.Unlock()
	if len(told.list) == 0 || len(told.list[0].Told) != shown {
		t.Errorf("%d releases, not with %d rules", len(told.list), shown)
	}
	for _, trigger := range told.list[0].Told {
		if !next.Has(fmt.Sprintf("rule=%q", trigger.Name)) {
			t.Errorf("hooks leave out %s, of which the model is not told", trigger.Name)
		}
	}
}

// TestTooLongRule: a rule that is longer than the quota is named, and a smaller one beside it is shown.
func TestTooLongRule(t *testing.T) {
	long := stream.Trigger{Name: "so long", Body: strings.Repeat("x", quota.Told), Patterns: []string{violation}}
	w := open(t, stream.Policy{Budget: 1}, func(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: violation} }, long, fire)
	w.ask(modeltest.Chat, true, ">hello")
	requests := w.model.Requests()
	if len(requests) != 2 || reminded(requests[1]) != 1 || !requests[1].Has("Write in Latin letters.") || !requests[1].Has("Broken as well is 1 rule that did not fit here; read one with `pertain read rule://NAME` when it concerns the work: rule://so%20long.") {
		t.Errorf("%d requests: %.500s", len(requests), requests[1].Text)
	}
}

// TestOwnRulesAreShown: the user's own rules are shown whole, however long they are and however many of a repository fire beside them.
func TestOwnRulesAreShown(t *testing.T) {
	for _, size := range []int{quota.Told - 4000, quota.Told - 100, 3 * quota.Told} {
		rules := strangers(200, "", "")
		rules[200].Body = "Mine first. " + strings.Repeat("x", size) + " Mine last."
		w := open(t, stream.Policy{Budget: 1}, good, rules...)
		w.ask(modeltest.Messages, true, ">hello")
		requests := w.model.Requests()
		if len(requests) != 2 || !requests[1].Has("Mine first.") || !requests[1].Has("Mine last.") || len(requests[1].Text) > max(quota.Told, size+200)+quota.Names+200 {
			t.Errorf("%d bytes: %d requests, the last of %d", size, len(requests), len(requests[len(requests)-1].Text))
		}
	}
}

// kept is a memory that knows how large a conversation has become.
type kept struct {
	mu      sync.Mutex
	all     map[string]gateway.Conversation
	largest int
}

func (k *kept) Load(_ context.Context, id string) (gateway.Conversation, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	text, _ := json.Marshal(k.all[id])
	var c gateway.Conversation
	return c, json.Unmarshal(text, &c)
}

func (k *kept) Update(_ context.Context, id string, change func(*gateway.Conversation)) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.all[id]
	change(&c)
	k.all[id] = c
	text, err := json.Marshal(c)
	k.largest = max(k.largest, len(text))
	return err
}

// TestLongConversation: what is remembered of a conversation stays small enough to be read, however long the reminders are in
// JSON; the last of them are there.
func TestLongConversation(t *testing.T) {
	w := open(t, stream.Policy{RepeatMode: stream.AfterGap, RepeatGap: 1}, good, stream.Trigger{Name: "r", Body: strings.Repeat("<", 20<<10), Patterns: []string{"."}})
	memory := &kept{all: map[string]gateway.Conversation{}}
	w.options.Memory = memory
	w.start()
	talk := []said{">hello"}
	for i := range 12 {
		r := ask(t, w.server.URL, modeltest.Messages, true, map[string]string{"x-pertain-conversation": "c"}, talk...)
		talk = append(talk, "<"+r.texts, fmt.Sprintf(">more %d", i))
	}
	if memory.largest < 1<<20 || memory.largest > 3<<20 {
		t.Errorf("%d bytes", memory.largest)
	}
}
