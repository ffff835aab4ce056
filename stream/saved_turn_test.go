package stream_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestRestoreTurnDamaged: whatever one byte of a saved turn is changed to, it is refused, or a turn of which nothing was left out and
// that goes on; one that was refused has changed nothing.
func TestRestoreTurnDamaged(t *testing.T) {
	ctx := context.Background()
	set, _ := stream.Compile([]stream.Trigger{
		{Name: "a", Patterns: []string{"a"}},
		{Name: "b", Patterns: []string{"b"}},
		{Name: "c", Patterns: []string{"c"}, Globs: []string{"*.ts"}},
		{Name: "slow", Patterns: []string{`(q+)+\1r`}},
	}, stream.Options{})
	begin := func() *stream.Watcher {
		w, err := stream.NewWatcher(ctx, set, nil, stream.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		w.StartTurn()
		return w
	}
	w := begin()
	for _, feed := range []func() (stream.Verdict, error){
		func() (stream.Verdict, error) { return w.Feed(ctx, tool("edit", "1", "x.md"), "c") },
		func() (stream.Verdict, error) { return w.Feed(ctx, tool("edit", "2"), strings.Repeat("q", 40)+" r") },
		func() (stream.Verdict, error) {
			return w.FeedCall(ctx, stream.Call{Tool: "write", ID: "3"}, `{"content": "c`)
		},
		func() (stream.Verdict, error) { return w.Feed(ctx, text, "a b") },
	} {
		if _, err := feed(); err != nil {
			t.Fatal(err)
		}
	}
	saved, empty := w.Save(), begin().Save()
	for i := range saved {
		for _, value := range []byte{0, 1, 2, 3, 4, 0x7f, saved[i] + 1, saved[i] - 1} {
			changed := slices.Clone(saved)
			changed[i] = value
			w := begin()
			if err := w.Restore(changed); err != nil {
				if !bytes.Equal(w.Save(), empty) {
					t.Errorf("byte %d is %d: refused, and changed", i, value)
				}
				continue
			}
			if got := w.Save(); len(got) != len(saved) && value != 0 { // 0: a position that is there twice is kept once
				t.Errorf("byte %d is %d: of %d bytes %d were restored", i, value, len(saved), len(got))
			}
			_, _ = w.Feed(ctx, tool("edit", "1", "x.ts"), "")
			_, _ = w.FeedCall(ctx, stream.Call{Tool: "write", ID: "3"}, `", "path": "x.ts"}`)
			if err := begin().Restore(w.Save()); err != nil {
				t.Errorf("byte %d is %d: restored, and cannot be once more: %v", i, value, err)
			}
		}
	}
}

// TestRestoreTurnTwice: two streams that have one name are no turn.
func TestRestoreTurnTwice(t *testing.T) {
	ctx := context.Background()
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "a", Patterns: []string{"a"}})
	for _, id := range []string{"call-1", "call-2"} {
		if _, err := w.Feed(ctx, tool("edit", id), "x"); err != nil {
			t.Fatal(err)
		}
	}
	saved := w.Save()
	if err := w.Restore(saved); err != nil {
		t.Fatal(err)
	}
	if err := w.Restore(bytes.ReplaceAll(saved, []byte("call-2"), []byte("call-1"))); err == nil {
		t.Error("restored")
	}
}

// TestRestoreTurnOfOthers: that it is a turn of other triggers is told of bytes that say no more than that, and nothing of fewer.
func TestRestoreTurnOfOthers(t *testing.T) {
	saved := watch(t, stream.Policy{}, stream.Trigger{Name: "a", Patterns: []string{"a"}}).Save()
	other := watch(t, stream.Policy{}, stream.Trigger{Name: "a", Patterns: []string{"b"}})
	for n := range saved {
		if err := other.Restore(saved[:n]); errors.Is(err, stream.ErrOtherSet) != (n >= 9) {
			t.Errorf("of %d bytes: %v", n, err)
		}
	}
}

// TestRestoreTurnCounts: of a turn that the memory knows, the memory says how often it was interrupted, which may have gone on since;
// of one that it has not heard of, what was saved does.
func TestRestoreTurnCounts(t *testing.T) {
	ctx := context.Background()
	set, _ := stream.Compile([]stream.Trigger{{Name: "a", Patterns: []string{"a"}}, {Name: "b", Patterns: []string{"b"}}}, stream.Options{})
	begin := func(record stream.Record) *stream.Watcher {
		memory := &stream.Forgetful{}
		if err := memory.Save(ctx, record); err != nil {
			t.Fatal(err)
		}
		w, err := stream.NewWatcher(ctx, set, memory, stream.Policy{Budget: 2})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := begin(stream.Record{Turn: 4})
	w.StartTurn()
	if v, err := w.Feed(ctx, text, "a"); told(t, v, err) != "a!" {
		t.Fatal(v)
	}
	saved := w.Save()
	for _, c := range []struct {
		known stream.Record
		want  string
		turn  int64
	}{
		{stream.Record{Turn: 4}, "b!", 5},
		{stream.Record{Turn: 4, Interrupted: 2, Foreign: 2}, "b!", 5},
		{stream.Record{Turn: 5, Interrupted: 2, Foreign: 2}, "b", 5},
		{stream.Record{Turn: 6, Interrupted: 2, Foreign: 2}, "b", 6},
	} {
		w := begin(c.known)
		if err := w.Restore(saved); err != nil {
			t.Fatal(err)
		}
		v, err := w.Feed(ctx, text, "b")
		if got := told(t, v, err); got != c.want || w.Turn() != c.turn {
			t.Errorf("the memory knows %+v: %q in turn %d", c.known, got, w.Turn())
		}
	}
}

// TestRestoreTurnUndecided: what was told to be undecided is not told again, all of it.
func TestRestoreTurnUndecided(t *testing.T) {
	ctx := context.Background()
	triggers := []stream.Trigger{{Name: "one", Patterns: []string{`(a+)+\1c`, `([ab]+)+\1d`}}, {Name: "two", Patterns: []string{`(a+)+\1e`}}}
	w := watch(t, stream.Policy{}, triggers...)
	undecided := 0
	for _, piece := range []string{strings.Repeat("a", 40), "! c d e ", strings.Repeat("a", 40) + "! c d e"} {
		v, err := w.Feed(ctx, text, piece)
		if err != nil {
			t.Fatal(err)
		}
		undecided += len(v.Undecided)
		saved := w.Save()
		if w = watch(t, stream.Policy{}, triggers...); w.Restore(saved) != nil {
			t.Fatal("not restored")
		}
	}
	if undecided != 3 {
		t.Errorf("told %d times", undecided)
	}
}
