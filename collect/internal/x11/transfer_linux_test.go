package x11

import (
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
