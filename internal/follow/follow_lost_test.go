package follow

import (
	"context"
	"testing"
	"time"
)

// TestFollowLost holds that everything is looked at again when the system says that it dropped something, and that what has no
// mark, or one that is not needed any more, is nothing.
func TestFollowLost(t *testing.T) {
	hints, lost := make(chan hint, 1), make(chan struct{}, 1)
	f := newFollower(Restrict(t.Context(), Means{Deaf: true, Blind: true}), Options{Debounce: time.Millisecond})
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

// TestRestlessFolder: a folder that files come into and leave all the time is looked at
// less often, and at once again when it has been quiet; others are not affected.
func TestRestlessFolder(t *testing.T) {
	f := newFollower(Restrict(t.Context(), Means{Deaf: true}), Options{})
	busy, other := "/tmp", "/w/rules"
	for range restlessLooks {
		if d := f.restlessness(busy); d != 0 {
			t.Fatalf("a look waits %v", d)
		}
	}
	for range 20 {
		if d := f.restlessness(busy); d != restlessDelay {
			t.Fatalf("it waits %v", d)
		}
	}
	if !f.restless(busy) || f.restless(other) || f.restlessness(other) != 0 {
		t.Error("another folder is restless, or this one is not")
	}
	f.came = []string{"/tmp/junk", "/w/x"}
	if f.calm(newNotes()); !f.restless(busy) || len(f.came) != 0 {
		t.Error("what nobody has noted makes the folder calm")
	}
	notes := newNotes()
	notes.states["/tmp/new.strategy.md"] = fileState{}
	f.came = []string{"/tmp/junk", "/tmp/new.strategy.md"}
	if f.calm(notes); f.restless(busy) {
		t.Error("a folder into which something has come that matters is restless")
	}
	f.traffic[busy] = traffic{100, time.Now().Add(-2 * restlessTime)}
	if d := f.restlessness(busy); d != 0 || f.restless(busy) {
		t.Errorf("after a while of quiet it waits %v", d)
	}
}
