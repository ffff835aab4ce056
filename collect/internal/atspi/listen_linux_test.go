package atspi

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestCatchUpLimit: an application gets half of the time that is left to say that nothing
// has changed, and a little where hardly any is left.
func TestCatchUpLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if got := catchUpLimit(t.Context()); got != catchUpTime {
			t.Errorf("without a deadline it is %v", got)
		}
		for left, want := range map[time.Duration]time.Duration{200 * time.Millisecond: 100 * time.Millisecond, 10 * time.Millisecond: catchUpTime, -time.Second: catchUpTime} {
			ctx, cancel := context.WithTimeout(t.Context(), left)
			if got := catchUpLimit(ctx); got != want {
				t.Errorf("with %v left it is %v", left, got)
			}
			cancel()
		}
	})
}
