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

// maxRetries is how often it is read ahead again where a program was too slow to tell all,
// without any other news.
const maxRetries = 3

// follow reads ahead and calls changed after each burst of news, until ctx ends. refresh
// tells whether it could read all that it wanted. Nobody waits for it, so each try has
// twice the time of the one before: on a busy machine a slow program needs it.
func (n news) follow(ctx context.Context, refresh func(context.Context) bool, changed func()) {
	retries := 0
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
		whole := n.ahead(ctx, refreshTime<<retries, refresh, changed)
		changed()
		took = min(time.Since(began), refreshTime)
		switch {
		case whole:
			retries = 0
		case retries < maxRetries:
			retries++
			n.tell()
		}
	}
}

// ahead reads ahead once. A program that hangs must not hold the news back, and after
// refreshTime not what comes next either.
func (n news) ahead(ctx context.Context, limit time.Duration, refresh func(context.Context) bool, changed func()) (whole bool) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	read := make(chan struct{})
	go func() {
		defer close(read)
		whole = refresh(ctx)
	}()
	late, usual := time.NewTimer(lateTime), time.NewTimer(refreshTime)
	defer late.Stop()
	defer usual.Stop()
	for {
		select {
		case <-read:
			return whole
		case <-late.C:
			changed()
		case <-usual.C:
			select {
			case <-read:
			case <-n:
				cancel()
				<-read
				n.tell()
			}
			return whole
		}
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
