package stream_test

import (
	"context"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestPolicyInterrupts: nothing interrupts where triggers are disabled or there is no budget, whatever a trigger says.
func TestPolicyInterrupts(t *testing.T) {
	for _, c := range []struct {
		policy      stream.Policy
		mode        stream.InterruptMode
		text, calls bool
	}{
		{stream.Policy{}, "", true, true},
		{stream.Policy{Budget: 1}, "", true, true},
		{stream.Policy{Disabled: true}, "", false, false},
		{stream.Policy{Disabled: true, Budget: -1}, stream.InterruptAlways, false, false},
		{stream.Policy{Budget: -1}, stream.InterruptAlways, false, false},
		{stream.Policy{}, stream.ProseOnly, true, false},
		{stream.Policy{InterruptMode: stream.ProseOnly}, stream.ToolOnly, false, true},
		{stream.Policy{InterruptMode: stream.InterruptNever}, "", false, false},
		{stream.Policy{InterruptMode: stream.InterruptNever}, stream.InterruptAlways, true, true},
	} {
		trigger := &stream.Trigger{InterruptMode: c.mode}
		if text, calls := c.policy.Interrupts(trigger, stream.Text), c.policy.Interrupts(trigger, stream.Tool); text != c.text || calls != c.calls {
			t.Errorf("%+v, %q: in text %v, in calls %v", c.policy, c.mode, text, calls)
		}
	}
}

// remembering watches a conversation of which a record is known.
func remembering(t *testing.T, record stream.Record, policy stream.Policy, triggers ...stream.Trigger) *stream.Watcher {
	t.Helper()
	memory := &stream.Forgetful{}
	if err := memory.Save(t.Context(), record); err != nil {
		t.Fatal(err)
	}
	set, _ := stream.Compile(triggers, stream.Options{})
	w, err := stream.NewWatcher(t.Context(), set, memory, policy)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestRepeatInOtherTurns: a gap begins with the turn in which a rule was shown; another process may be in that turn, or further.
func TestRepeatInOtherTurns(t *testing.T) {
	for shown, silent := range map[int64]bool{3: false, 4: false, 5: true, 6: true, 9: true} {
		w := remembering(t, stream.Record{Turn: 5, Injected: map[string]int64{"r": shown}}, stream.Policy{RepeatMode: stream.AfterGap, RepeatGap: 1}, stream.Trigger{Name: "r", Patterns: []string{"x"}})
		if got := w.Silent(0); got != silent {
			t.Errorf("shown in turn %d, in turn 5 it is silent: %v", shown, got)
		}
	}
}

// TestBudgetOfRecords: interruptions by a user's own rules use up the budget of the rules of others, and not the other way round; counts
// that cannot be are taken for the nearest that can.
func TestBudgetOfRecords(t *testing.T) {
	for _, c := range []struct {
		interrupted, foreign int
		own, others          bool
	}{
		{2, 0, true, true},
		{3, 0, false, false},
		{3, -7, false, false},
		{3, 1, true, false},
		{4, 1, false, false},
		{3, 3, true, false},
		{3, 9, true, false},
		{-2, 1, true, true},
	} {
		record := stream.Record{Turn: 1, Interrupted: c.interrupted, Foreign: c.foreign}
		for _, own := range []bool{true, false} {
			w := remembering(t, record, stream.Policy{Budget: 3}, stream.Trigger{Name: "r", Patterns: []string{"x"}, Own: own})
			want := map[bool]bool{true: c.own, false: c.others}[own]
			v, err := w.Feed(context.Background(), text, "x")
			if err != nil || v.Interrupt != want {
				t.Errorf("%+v, own %v: %+v, %v", record, own, v, err)
			}
		}
	}
}
