package stream_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// brokenMemory cannot save as long as it is full.
type brokenMemory struct {
	stream.Forgetful
	full  bool
	saved int
}

var errFull = errors.New("the disk is full")

func (m *brokenMemory) Save(ctx context.Context, record stream.Record) error {
	if m.full {
		return errFull
	}
	m.saved++
	return m.Forgetful.Save(ctx, record)
}

// TestMemoryFails: what a memory could not save counts all the same, and the next call saves it.
func TestMemoryFails(t *testing.T) {
	set := compile(t, "bad", "worse")
	memory := &brokenMemory{full: true}
	w, err := stream.NewWatcher(t.Context(), set, memory, stream.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	w.StartTurn()
	v, err := w.Feed(t.Context(), text, "a bad one")
	if !errors.Is(err, errFull) || !v.Interrupt || len(v.Fired) != 1 {
		t.Fatal(v, err)
	}
	if err := w.Injected(t.Context(), v); !errors.Is(err, errFull) || !w.Silent(0) || w.Silent(1) {
		t.Errorf("%v, silent %v %v", err, w.Silent(0), w.Silent(1))
	}
	memory.full = false
	for range 2 {
		if v, err := w.Feed(t.Context(), text, " and so on"); err != nil || len(v.Fired) > 0 {
			t.Error(v, err)
		}
	}
	if r, _ := memory.Load(t.Context()); memory.saved != 1 || r.Interrupted != 1 || r.Injected["0"] != 1 {
		t.Errorf("saved %d times: %+v", memory.saved, r)
	}
}

// TestInjectedByOthers: a rule that the host has shown without a watcher counts as shown in the present turn.
func TestInjectedByOthers(t *testing.T) {
	w := watch(t, stream.Policy{RepeatMode: stream.AfterGap, RepeatGap: 2}, stream.Trigger{Name: "bad", Patterns: []string{"bad"}})
	w.StartTurn()
	shown(t, w, stream.Verdict{Fired: []stream.Fired{{Trigger: &stream.Trigger{Name: "bad"}}}})
	for turn, want := range []string{"", "", "bad!"} {
		v, err := w.Feed(t.Context(), text, "bad")
		if got := told(t, v, err); got != want {
			t.Errorf("%d turns later: %q, want %q", turn, got, want)
		}
		w.StartTurn()
	}
}

// TestForgetfulKeepsNoMap: what a caller does to its map afterwards changes nothing that is kept, nor what others have loaded.
func TestForgetfulKeepsNoMap(t *testing.T) {
	var memory stream.Forgetful
	mine := map[string]int64{"r": 1}
	if err := memory.Save(t.Context(), stream.Record{Turn: 1, Injected: mine}); err != nil {
		t.Fatal(err)
	}
	mine["r"] = 7
	loaded, _ := memory.Load(t.Context())
	if loaded.Injected["r"] != 1 {
		t.Errorf("the saved map was kept: %v", loaded)
	}
	loaded.Injected["r"] = 8
	if again, _ := memory.Load(t.Context()); again.Injected["r"] != 1 {
		t.Errorf("the kept map was given away: %v", again)
	}
}
