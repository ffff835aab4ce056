package cputime_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/cputime"
)

// TestMeter: what was used before does not count, what is used after does.
func TestMeter(t *testing.T) {
	used := 10 * time.Second
	m := cputime.New(3*time.Second, func() time.Duration { return used })
	for _, want := range []time.Duration{3 * time.Second, 2 * time.Second, 0, -time.Second} {
		used = 13*time.Second - want
		if got := m.Left(); got != want || m.Limit() != 3*time.Second {
			t.Errorf("%s of %s are left, want %s", got, m.Limit(), want)
		}
	}
}

// TestWithin: a context ends with its share, and with the whole where that is less; with whoever waits; and it ends alone.
func TestWithin(t *testing.T) {
	for name, c := range map[string]struct {
		share, uses time.Duration
		ends        bool
	}{
		"its share":        {time.Second, time.Second, true},
		"the whole":        {time.Hour, 3 * time.Second, true},
		"nothing was left": {0, 0, true},
		"there is more":    {2 * time.Second, time.Second, false},
	} {
		var used atomic.Int64
		m := cputime.New(3*time.Second, func() time.Duration { return time.Duration(used.Load()) })
		ctx, stop := m.Within(t.Context(), c.share)
		used.Add(int64(c.uses))
		if c.ends {
			select {
			case <-ctx.Done():
			case <-time.After(time.Minute):
				t.Errorf("%s does not end it", name)
			}
		} else if ctx.Err() != nil {
			t.Errorf("%s: %v", name, ctx.Err())
		}
		stop()
	}
	outer, leave := context.WithCancel(t.Context())
	ctx, stop := cputime.New(time.Hour, nil).Within(outer, time.Hour)
	defer stop()
	if leave(); !errors.Is(ctx.Err(), context.Canceled) {
		t.Error("it outlives whoever waits")
	}
}

// TestUsed: the time of a process goes on while it works, and never back.
func TestUsed(t *testing.T) {
	first := cputime.Used()
	for sum := uint64(1); cputime.Used() == first; sum = sum*31 + 1 {
		if sum == 0 {
			t.Log("as good as impossible")
		}
	}
	if now := cputime.Used(); now < first || first < 0 {
		t.Errorf("%s after %s", now, first)
	}
}
