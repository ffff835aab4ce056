package files

import (
	"context"
	"testing"
	"time"
)

// TestFollowLost holds that everything is looked at again when the system says that it dropped something, and that what has no
// mark, or one that is not needed any more, is nothing.
func TestFollowLost(t *testing.T) {
	hints, lost := make(chan hint, 1), make(chan struct{}, 1)
	f := newFollower(Restrict(t.Context(), Means{Deaf: true, Blind: true}), FollowOptions{Debounce: time.Millisecond})
	f.notify = &notifier{hints: hints, lost: lost}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	lost <- struct{}{}
	if !f.wait(ctx, newNotes(), 0, 0) {
		t.Error("what was lost is not looked for")
	}
	brief, end := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer end()
	hints <- hint{mark: 7, name: "x", moved: true}
	if f.wait(brief, newNotes(), 0, 0) {
		t.Error("a hint about nothing was followed")
	}
}
