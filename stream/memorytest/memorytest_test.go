package memorytest_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/stream/memorytest"
)

func TestForgetful(t *testing.T) {
	kept := &stream.Forgetful{}
	memorytest.Run(t, func(*testing.T) stream.Memory { return kept })
}

// faulty is a memory with a mistake.
type faulty struct {
	mu     sync.Mutex
	record stream.Record
	load   func(*faulty) (stream.Record, error)
	save   func(*faulty, context.Context, stream.Record) error
}

func (f *faulty) Load(context.Context) (stream.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.load != nil {
		return f.load(f)
	}
	r := f.record
	r.Injected = maps.Clone(r.Injected)
	return r, nil
}

func (f *faulty) Save(ctx context.Context, r stream.Record) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.save != nil {
		return f.save(f, ctx, r)
	}
	r.Injected = maps.Clone(r.Injected)
	f.record = r
	return nil
}

// TestFindsMistakes: each mistake is found, by the check that is for it.
func TestFindsMistakes(t *testing.T) {
	for _, c := range []struct {
		name string
		bad  *faulty
		want string // in what is told; "" for nothing
	}{
		{"none", &faulty{}, ""},
		{"an error when there is nothing", &faulty{load: func(f *faulty) (stream.Record, error) {
			if f.record.Turn == 0 {
				return stream.Record{}, errors.New("no such conversation")
			}
			return f.record, nil
		}}, "empty: a conversation without a record is no error"},
		{"forgets the interruptions", &faulty{save: func(f *faulty, _ context.Context, r stream.Record) error {
			f.record = stream.Record{Turn: r.Turn, Injected: maps.Clone(r.Injected)}
			return nil
		}}, "lets a watcher go on: process 2: 1 rules fired, interrupt true, want 1 and false"},
		{"merges", &faulty{save: func(f *faulty, _ context.Context, r stream.Record) error {
			injected := maps.Clone(f.record.Injected)
			if injected == nil {
				injected = map[string]int64{}
			}
			maps.Copy(injected, r.Injected)
			f.record = stream.Record{Turn: r.Turn, Injected: injected, Interrupted: r.Interrupted}
			return nil
		}}, "goes back to nothing: loaded turn"},
		{"keeps the map", &faulty{save: func(f *faulty, _ context.Context, r stream.Record) error {
			f.record = r
			return nil
		}}, "does not keep the map: a change"},
		{"lends its map", &faulty{load: func(f *faulty) (stream.Record, error) { return f.record, nil }}, "does not lend its map: a change"},
		{"writes in parts", &faulty{save: func(f *faulty, _ context.Context, r stream.Record) error {
			f.record = stream.Record{Turn: r.Turn, Injected: f.record.Injected}
			f.load = func(f *faulty) (stream.Record, error) {
				seen := f.record
				f.record = stream.Record{Turn: r.Turn, Injected: maps.Clone(r.Injected), Interrupted: r.Interrupted}
				f.load = nil
				return seen, nil
			}
			return nil
		}}, "never shows a part: while another memory saves"},
		{"loses what was cancelled", &faulty{save: func(f *faulty, ctx context.Context, r stream.Record) error {
			if ctx.Err() != nil {
				f.record = stream.Record{}
				return ctx.Err()
			}
			r.Injected = maps.Clone(r.Injected)
			f.record = r
			return nil
		}}, "ends when cancelled: loaded"},
		{"ignores case", &faulty{save: func(f *faulty, _ context.Context, r stream.Record) error {
			injected := map[string]int64{}
			for name, turn := range r.Injected {
				injected[strings.ToLower(name)] = turn
			}
			r.Injected = injected
			f.record = r
			return nil
		}}, "keeps everything: loaded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := memorytest.Check(t.Context(), func() (stream.Memory, error) { return c.bad, nil })
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("told %v, want %q", err, c.want)
			}
		})
	}
}

func TestOpenFails(t *testing.T) {
	closed := errors.New("closed")
	if err := memorytest.Check(t.Context(), func() (stream.Memory, error) { return nil, closed }); !errors.Is(err, closed) {
		t.Error(err)
	}
}
