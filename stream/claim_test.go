package stream_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// claim has one process of a conversation claim what fires in a text.
func claim(t *testing.T, set *stream.Set, memory stream.Memory, policy stream.Policy, said string) stream.Verdict {
	t.Helper()
	ctx := context.Background()
	w, err := stream.NewWatcher(ctx, set, memory, policy)
	if err != nil {
		t.Error(err)
		return stream.Verdict{}
	}
	if err := w.StartShared(ctx); err != nil {
		t.Error(err)
	}
	st := set.Stream()
	found := slices.Concat(st.Feed(said), st.End())
	v, err := w.Claim(ctx, text, found)
	if err != nil {
		t.Error(err)
	}
	return v
}

// TestClaims: each process is a turn. What it claims counts as shown, interruptions in a
// row have a budget, and a turn that is not interrupted gives it back.
func TestClaims(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talk.json")
	set, _ := stream.Compile([]stream.Trigger{
		{Name: "own", Patterns: []string{"own"}, Own: true},
		{Name: "other", Patterns: []string{"bad"}},
		{Name: "mild", Patterns: []string{"mild"}, InterruptMode: stream.InterruptNever},
		{Name: "tool", Patterns: []string{"bad"}, Scope: []string{"tool"}},
	}, stream.Options{})
	always := stream.Policy{RepeatMode: stream.AfterGap, RepeatGap: -1, Budget: 2}
	for i, c := range []struct {
		policy     stream.Policy
		said, want string
	}{
		{always, "bad", "other!"},
		{always, "mild bad", "mild,other!"},
		{always, "bad", "other"},          // the budget is used up
		{always, "bad", "other!"},         // and was given back
		{always, "harmless", ""},          // again
		{always, "bad", "other!"},         // 1
		{always, "bad", "other!"},         // 2
		{always, "own bad", "own,other!"}, // none is left, but for the user's own
		{stream.Policy{}, "bad own mild", ""},
	} {
		memory, err := stream.OpenFileMemory(path)
		if err != nil {
			t.Fatal(err)
		}
		v := claim(t, set, memory, c.policy, c.said)
		if got := told(t, v, nil); got != c.want {
			t.Errorf("process %d, %s: %q, want %q", i+1, c.said, got, c.want)
		}
		if r, _ := memory.Load(context.Background()); r.Turn != int64(i+1) {
			t.Errorf("process %d: turn %d", i+1, r.Turn)
		}
	}
}

// TestClaimsAtOnce: of processes that run at once, one is told of a rule.
func TestClaimsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "talk.json")
	set, _ := stream.Compile([]stream.Trigger{{Name: "r", Patterns: []string{"bad"}}}, stream.Options{})
	var told atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			memory, err := stream.OpenFileMemory(path)
			if err != nil {
				t.Error(err)
				return
			}
			told.Add(int32(len(claim(t, set, memory, stream.Policy{}, "bad").Fired)))
		})
	}
	group.Wait()
	memory, _ := stream.OpenFileMemory(path)
	if r, err := memory.Load(context.Background()); told.Load() != 1 || r.Turn != 8 || err != nil {
		t.Errorf("%d were told, in turn %d, %v", told.Load(), r.Turn, err)
	}
}

// TestMayInterrupt: what is left of the budget, what was shown and what rules say
// themselves decide whether anything can interrupt.
func TestMayInterrupt(t *testing.T) {
	mild := stream.Trigger{Name: "mild", Patterns: []string{"x"}, InterruptMode: stream.ToolOnly}
	strict := stream.Trigger{Name: "strict", Patterns: []string{"x"}}
	for _, c := range []struct {
		triggers []stream.Trigger
		record   stream.Record
		policy   stream.Policy
		want     bool
	}{
		{nil, stream.Record{}, stream.Policy{}, false},
		{[]stream.Trigger{mild}, stream.Record{}, stream.Policy{}, false},
		{[]stream.Trigger{mild, strict}, stream.Record{}, stream.Policy{}, true},
		{[]stream.Trigger{mild, strict}, stream.Record{Injected: map[string]int64{"strict": 1}}, stream.Policy{}, false},
		{[]stream.Trigger{strict}, stream.Record{Interrupted: 3, Foreign: 3}, stream.Policy{}, false},
		{[]stream.Trigger{{Name: "own", Patterns: []string{"x"}, Own: true}}, stream.Record{Interrupted: 3, Foreign: 3}, stream.Policy{}, true},
		{[]stream.Trigger{strict}, stream.Record{}, stream.Policy{Disabled: true}, false},
		{[]stream.Trigger{strict}, stream.Record{}, stream.Policy{Budget: -1}, false},
	} {
		set, _ := stream.Compile(c.triggers, stream.Options{})
		memory := &stream.Forgetful{}
		if err := memory.Save(t.Context(), c.record); err != nil {
			t.Fatal(err)
		}
		w, err := stream.NewWatcher(t.Context(), set, memory, c.policy)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.MayInterrupt(text); got != c.want {
			t.Errorf("%+v, %+v: %v", c.record, c.policy, got)
		}
	}
}

// TestClaimAfterTheMemoryIsGone: a memory that somebody has removed meanwhile does not go back to an earlier turn.
func TestClaimAfterTheMemoryIsGone(t *testing.T) {
	set := compile(t, "a")
	memory := &stream.Forgetful{}
	w, err := stream.NewWatcher(t.Context(), set, memory, stream.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := w.StartShared(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := memory.Save(t.Context(), stream.Record{}); err != nil {
		t.Fatal(err)
	}
	if v, err := w.Claim(t.Context(), text, []stream.Firing{{Trigger: 0, Offset: 1, Decided: 1}}); err != nil || !v.Interrupt {
		t.Fatal(v, err)
	}
	if got, _ := memory.Load(t.Context()); got.Turn != 2 || got.Injected["0"] != 2 || got.Interrupted != 1 {
		t.Errorf("%+v", got)
	}
}

// TestClaimIsSaved: what a watcher has claimed is in the memory, and it does not write it there again over what others have claimed since.
func TestClaimIsSaved(t *testing.T) {
	ctx := t.Context()
	set, _ := stream.Compile([]stream.Trigger{{Name: "a", Patterns: []string{"a"}}, {Name: "b", Patterns: []string{"b"}}}, stream.Options{})
	memory := &stream.Forgetful{}
	var watchers []*stream.Watcher
	for range 2 {
		w, err := stream.NewWatcher(ctx, set, memory, stream.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.StartShared(ctx); err != nil {
			t.Fatal(err)
		}
		watchers = append(watchers, w)
	}
	for i, w := range watchers {
		if v, err := w.Claim(ctx, text, []stream.Firing{{Trigger: i, Offset: 1, Decided: 1}}); err != nil || !v.Interrupt {
			t.Fatal(v, err)
		}
	}
	for _, w := range watchers {
		if v, err := w.Feed(ctx, text, "none of these"); err != nil || len(v.Fired) > 0 {
			t.Fatal(v, err)
		}
		if record, _ := memory.Load(ctx); len(record.Injected) != 2 || record.Turn != 2 {
			t.Errorf("%+v", record)
		}
	}
}

// counted is a memory that counts what it is asked for, and may fail to load.
type counted struct {
	stream.Forgetful
	broken       error
	loads, saves int
}

func (c *counted) Load(ctx context.Context) (stream.Record, error) {
	c.loads++
	record, _ := c.Forgetful.Load(ctx)
	return record, c.broken
}

func (c *counted) Save(ctx context.Context, record stream.Record) error {
	c.saves++
	return c.Forgetful.Save(ctx, record)
}

// countedUpdates is one that several processes share.
type countedUpdates struct {
	counted
	updates int
}

func (c *countedUpdates) Update(ctx context.Context, change func(*stream.Record) bool) error {
	c.updates++
	record, err := c.Forgetful.Load(ctx)
	if err != nil || !change(&record) {
		return err
	}
	return c.Forgetful.Save(ctx, record)
}

// TestClaimAsksTheMemory: a memory that is shared changes its record itself; nothing is written where nothing is to be told, nor where
// what was there could not be read, and what does not apply is no question to it.
func TestClaimAsksTheMemory(t *testing.T) {
	ctx := t.Context()
	set, _ := stream.Compile([]stream.Trigger{{Name: "a", Patterns: []string{"a"}}, {Name: "tool", Patterns: []string{"t"}, Scope: []string{"tool"}}}, stream.Options{})
	begin := func(memory stream.Memory) *stream.Watcher {
		w, err := stream.NewWatcher(ctx, set, memory, stream.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	claim := func(w *stream.Watcher, trigger int) error {
		_, err := w.Claim(ctx, text, []stream.Firing{{Trigger: trigger, Offset: 1, Decided: 1}})
		return err
	}
	alone := &counted{}
	w := begin(alone)
	for i, c := range []struct{ trigger, loads, saves int }{{1, 1, 0}, {0, 2, 1}, {0, 3, 1}, {1, 3, 1}} {
		if err := claim(w, c.trigger); err != nil || alone.loads != c.loads || alone.saves != c.saves {
			t.Errorf("claim %d: loaded %d times, saved %d times, %v", i+1, alone.loads, alone.saves, err)
		}
	}
	fresh := &counted{}
	w = begin(fresh)
	fresh.broken = errors.New("not now")
	if err := claim(w, 0); !errors.Is(err, fresh.broken) || fresh.saves > 0 {
		t.Errorf("saved %d times, %v", fresh.saves, err)
	}
	if err := w.StartShared(ctx); !errors.Is(err, fresh.broken) || fresh.saves > 0 {
		t.Errorf("started: saved %d times, %v", fresh.saves, err)
	}
	shared := &countedUpdates{}
	w = begin(shared)
	if err := claim(w, 0); err != nil || shared.updates != 1 || shared.loads != 1 || shared.saves != 0 {
		t.Errorf("shared: %+v, %v", shared, err)
	}
}
