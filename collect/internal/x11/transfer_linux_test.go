package x11

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestTransfersWait: closing waits for transfers as long as they go on, not for
// owners that hang, and never for long.
func TestTransfersWait(t *testing.T) {
	const stall, limit = 500 * time.Millisecond, 5 * time.Second
	for name, tt := range map[string]struct {
		open  int
		steps int           // pieces that come, each a little before the wait would end
		ends  time.Duration // when all have ended; 0: never
		want  time.Duration
	}{
		"none":            {want: 0},
		"quick":           {open: 1, ends: 20 * time.Millisecond, want: 20 * time.Millisecond},
		"several":         {open: 3, ends: 20 * time.Millisecond, want: 20 * time.Millisecond},
		"one that hangs":  {open: 1, want: stall},
		"stops halfway":   {open: 1, steps: 4, want: 5 * stall},
		"one that's long": {open: 1, steps: 6, ends: 3 * time.Second, want: 3 * time.Second},
		"endless":         {open: 1, steps: 100, want: limit},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var all Transfers
				for range tt.open {
					all.begin()
				}
				go func() {
					for range tt.steps {
						time.Sleep(stall - time.Millisecond/10)
						all.step()
					}
				}()
				if tt.ends > 0 {
					go func() {
						time.Sleep(tt.ends)
						for range tt.open {
							all.end()
						}
					}()
				}
				began := time.Now()
				all.wait(stall, limit)
				if got := time.Since(began); got != tt.want {
					t.Errorf("waited %s, want %s", got, tt.want)
				}
				time.Sleep(time.Minute) // until the others end
			})
		})
	}
}

// TestTransfersTurn: an owner that owes answers is not asked for more and more, and others are not held up by it.
func TestTransfersTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all Transfers
		for range mostOwed {
			if err := all.turn(t.Context(), 7); err != nil {
				t.Fatal(err)
			}
			all.owe(7, 1)
		}
		if err := all.turn(t.Context(), 8); err != nil {
			t.Errorf("another owner: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := all.turn(ctx, 7); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an owner that owes %d answers: %v", mostOwed, err)
		}
		began := time.Now()
		go func() {
			time.Sleep(time.Minute)
			all.owe(7, -1)
		}()
		if err := all.turn(t.Context(), 7); err != nil || time.Since(began) != time.Minute {
			t.Errorf("after an answer: %v, %s", err, time.Since(began))
		}
		for range mostOwed - 1 {
			all.owe(7, -1)
		}
		if len(all.owing) > 0 {
			t.Errorf("what is left of those who have answered: %v", all.owing)
		}
	})
}

// TestKept: a window that has the number of one that is gone is not taken for the older one.
func TestKept(t *testing.T) {
	words := func(list []byte) []uint32 {
		var out []uint32
		for ; len(list) >= 4; list = list[4:] {
			out = append(out, binary.LittleEndian.Uint32(list))
		}
		return out
	}
	var list []byte
	for i, c := range []struct {
		window         uint32
		want, replaced []uint32
	}{
		{1, []uint32{1}, nil},
		{2, []uint32{1, 2}, nil},
		{1, []uint32{2, 1}, nil},
		{3, []uint32{2, 1, 3}, nil},
		{4, []uint32{1, 3, 4}, []uint32{2}},
		{3, []uint32{1, 4, 3}, nil},
	} {
		var replaced []uint32
		if list, replaced = kept(list, c.window, 3); !slices.Equal(words(list), c.want) || !slices.Equal(replaced, c.replaced) {
			t.Errorf("%d: %v, without %v; want %v, without %v", i, words(list), replaced, c.want, c.replaced)
		}
	}
}
