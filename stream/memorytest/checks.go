package memorytest

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/pertain-dev/pertain/stream"
)

// load opens the conversation anew and reads it.
func load(ctx context.Context, open opener) (stream.Record, error) {
	m, err := open()
	if err != nil {
		return stream.Record{}, err
	}
	return m.Load(ctx)
}

// save opens the conversation anew and writes it.
func save(ctx context.Context, open opener, r stream.Record) error {
	m, err := open()
	if err != nil {
		return err
	}
	return m.Save(ctx, r)
}

// wants says how a record differs from the one that should be there. No map and an
// empty one are the same.
func wants(got, want stream.Record) error {
	if got.Turn == want.Turn && got.Interrupted == want.Interrupted && got.Foreign == want.Foreign && maps.Equal(got.Injected, want.Injected) {
		return nil
	}
	if max(len(want.Injected), len(got.Injected)) > 10 { // nobody would read them all
		return fmt.Errorf("loaded turn %d with %d rules and %d interruptions, want turn %d with %d and %d",
			got.Turn, len(got.Injected), got.Interrupted, want.Turn, len(want.Injected), want.Interrupted)
	}
	return fmt.Errorf("loaded %+v, want %+v", got, want)
}

// returns saves a record and looks whether the next process finds it.
func returns(ctx context.Context, open opener, record stream.Record) error {
	if err := save(ctx, open, record); err != nil {
		return err
	}
	got, err := load(ctx, open)
	if err != nil {
		return err
	}
	return wants(got, record)
}

func empty(ctx context.Context, open opener) error {
	got, err := load(ctx, open)
	if err != nil {
		return fmt.Errorf("a conversation without a record is no error: %w", err)
	}
	return wants(got, stream.Record{})
}

func keeps(ctx context.Context, open opener) error {
	return returns(ctx, open, stream.Record{
		Turn:        1<<53 + 1, // more than a float64 holds
		Injected:    map[string]int64{"no-unwrap": 3, "a/b \"c\"\n\t<&>\x00": 1<<53 + 1, "": 1, "ünïcode 😀\u2028": 2, "No-Unwrap": 4},
		Interrupted: 2,
		Foreign:     1,
	})
}

func keepsMany(ctx context.Context, open opener) error {
	record := stream.Record{Turn: 9, Injected: make(map[string]int64)}
	for i := range int64(5000) {
		record.Injected[fmt.Sprintf("rule-with-a-name-of-some-length-%d", i)] = i
	}
	return returns(ctx, open, record)
}

func replaces(ctx context.Context, open opener) error {
	if err := save(ctx, open, stream.Record{Turn: 7, Injected: map[string]int64{"x": 1, "y": 1}, Interrupted: 1}); err != nil {
		return err
	}
	return returns(ctx, open, stream.Record{Turn: 2, Injected: map[string]int64{"y": 2}})
}

func clears(ctx context.Context, open opener) error {
	if err := save(ctx, open, stream.Record{Turn: 7, Injected: map[string]int64{"x": 1}, Interrupted: 1}); err != nil {
		return err
	}
	return returns(ctx, open, stream.Record{})
}

func ownsNothing(ctx context.Context, open opener) error {
	m, err := open()
	if err != nil {
		return err
	}
	record := stream.Record{Turn: 1, Injected: map[string]int64{"x": 1}}
	if err := m.Save(ctx, record); err != nil {
		return err
	}
	record.Injected["x"], record.Injected["y"] = 9, 9
	got, err := m.Load(ctx)
	if err != nil {
		return err
	}
	if wants(got, stream.Record{Turn: 1, Injected: map[string]int64{"x": 1}}) != nil {
		return fmt.Errorf("a change to the map after Save shows: loaded %+v", got)
	}
	return nil
}

func lendsNothing(ctx context.Context, open opener) error {
	m, err := open()
	if err != nil {
		return err
	}
	record := stream.Record{Turn: 1, Injected: map[string]int64{"x": 1}}
	if err := m.Save(ctx, record); err != nil {
		return err
	}
	got, err := m.Load(ctx)
	if err != nil {
		return err
	}
	if got.Injected == nil {
		return fmt.Errorf("loaded %+v, want %+v", got, record)
	}
	got.Injected["x"], got.Injected["y"] = 8, 8
	again, err := m.Load(ctx)
	if err != nil {
		return err
	}
	if wants(again, record) != nil {
		return fmt.Errorf("a change to a loaded map shows: loaded %+v", again)
	}
	return nil
}

// matching is a record whose parts all say the same number.
func matching(n int64) stream.Record {
	r := stream.Record{Turn: n, Interrupted: int(n), Injected: make(map[string]int64)}
	for i := range 100 {
		r.Injected[fmt.Sprintf("rule %d", i)] = n
	}
	return r
}

// wholly loads through one memory while another saves.
func wholly(ctx context.Context, open opener) error {
	if err := save(ctx, open, matching(1)); err != nil {
		return err
	}
	writer, err := open()
	if err != nil {
		return err
	}
	reader, err := open()
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		for n := range int64(50) {
			if err := writer.Save(ctx, matching(n+2)); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	last := int64(0)
	for {
		got, err := reader.Load(ctx)
		if err == nil {
			if err = wants(got, matching(got.Turn)); err == nil && got.Turn < last {
				err = fmt.Errorf("turn %d is back after turn %d", got.Turn, last)
			}
			last = got.Turn
		}
		if err != nil {
			<-done
			return fmt.Errorf("while another memory saves: %w", err)
		}
		select {
		case err := <-done:
			if err != nil {
				return err
			}
			got, err := reader.Load(ctx)
			if err != nil {
				return err
			}
			return wants(got, matching(51))
		default:
		}
	}
}

// together saves and loads from several goroutines.
func together(ctx context.Context, open opener) error {
	m, err := open()
	if err != nil {
		return err
	}
	wrong := make(chan error, 100)
	var all sync.WaitGroup
	for i := range int64(4) {
		all.Go(func() {
			for j := range int64(5) {
				if err := m.Save(ctx, matching(100*i+j+1)); err != nil {
					wrong <- err
				}
				got, err := m.Load(ctx)
				if err == nil {
					err = wants(got, matching(got.Turn))
				}
				if err != nil {
					wrong <- err
				}
			}
		})
	}
	all.Wait()
	close(wrong)
	return <-wrong
}

// cancelled: a memory may answer a cancelled call or not, but it leaves a whole record.
func cancelled(ctx context.Context, open opener) error {
	if err := save(ctx, open, matching(1)); err != nil {
		return err
	}
	m, err := open()
	if err != nil {
		return err
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	saved := m.Save(over, matching(2))
	got, err := m.Load(ctx)
	switch {
	case err != nil:
		return err
	case saved == nil:
		return wants(got, matching(2))
	case got.Turn == 2:
		return wants(got, matching(2))
	default:
		return wants(got, matching(1))
	}
}

// watched: what was injected, and the budget, hold in the next process.
func watched(ctx context.Context, open opener) error {
	if err := save(ctx, open, stream.Record{}); err != nil {
		return err
	}
	set, _ := stream.Compile([]stream.Trigger{{Name: "one", Patterns: []string{"one"}}, {Name: "two", Patterns: []string{"two"}}}, stream.Options{})
	for i, want := range []stream.Verdict{
		{Fired: make([]stream.Fired, 1), Interrupt: true}, // one
		{Fired: make([]stream.Fired, 1)},                  // two, and the budget is used up
		{},
	} {
		m, err := open()
		if err != nil {
			return err
		}
		w, err := stream.NewWatcher(ctx, set, m, stream.Policy{Budget: 1})
		if err != nil {
			return err
		}
		w.StartTurn()
		piece := "one"
		if i > 0 {
			piece = "one two"
		}
		got, err := w.Feed(ctx, stream.Source{Kind: stream.Text}, piece)
		if err != nil {
			return err
		}
		if len(got.Fired) != len(want.Fired) || got.Interrupt != want.Interrupt {
			return fmt.Errorf("process %d: %d rules fired, interrupt %t, want %d and %t", i+1, len(got.Fired), got.Interrupt, len(want.Fired), want.Interrupt)
		}
		if err := w.Injected(ctx, got); err != nil {
			return err
		}
	}
	return nil
}
