//go:build linux || windows

package collect

import (
	"context"
	"time"
)

// settleTime is how long a watch waits after news: a user's step is a burst of
// events, and what is shown afterwards should be there before it is asked for.
const settleTime = 40 * time.Millisecond

// lateTime is how long reading ahead may hold the news back.
const lateTime = 400 * time.Millisecond

// news is that something has happened, which those who listen tell the watch.
type news chan struct{}

func newNews() news { return make(news, 1) }

func (n news) tell() {
	select {
	case n <- struct{}{}:
	default: // it is known already that there is news
	}
}

// follow reads ahead and calls changed after each burst of news, until ctx ends.
func (n news) follow(ctx context.Context, refresh func(context.Context), changed func()) {
	for took := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-n:
		}
		// Whatever a program keeps telling, two thirds of its time stay its own.
		if !sleep(ctx, max(settleTime, 2*took)) {
			return
		}
		select {
		case <-n: // all of one burst
		default:
		}
		began := time.Now()
		read := make(chan struct{})
		go func() {
			defer close(read)
			refresh(ctx)
		}()
		late := time.NewTimer(lateTime)
		select {
		case <-read:
		case <-late.C: // a program that hangs must not hold the news back
			changed()
			<-read
		}
		late.Stop()
		changed()
		took = time.Since(began)
	}
}

// sleep waits, unless ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
