package collect

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// TestFollowTakesMoreTime: each try has twice the time of the one before, and what comes
// next is not held back by it for longer than usual.
func TestFollowTakesMoreTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		n := newNews()
		var took []time.Duration
		var ends []error
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			n.follow(ctx, func(ctx context.Context) bool {
				began := time.Now()
				<-ctx.Done() // a program that answers nothing
				took, ends = append(took, time.Since(began)), append(ends, ctx.Err())
				return false
			}, func() {})
		}()
		n.tell()
		time.Sleep(time.Minute)
		n.tell()
		time.Sleep(settleTime + 2*refreshTime + refreshTime/2) // in the middle of reading
		n.tell()
		time.Sleep(time.Minute)
		cancel()
		<-ended
		want := []time.Duration{refreshTime, 2 * refreshTime, 4 * refreshTime, 8 * refreshTime, refreshTime, 8 * refreshTime}
		if !slices.Equal(took, want) {
			t.Errorf("it has read for %v, want %v", took, want)
		}
		if !errors.Is(ends[3], context.DeadlineExceeded) || !errors.Is(ends[4], context.Canceled) {
			t.Errorf("it ended by %v", ends)
		}
	})
}

// TestLacksTime: an answer that is not all for lack of time is read again.
func TestLacksTime(t *testing.T) {
	for code, want := range map[diag.Code]bool{"": false, diag.ExtraProviderUnavailable: false, diag.ExtraProviderTimeout: true} {
		part := facts.Part{Lacks: []facts.Lack{{Path: "extra.file_manager.selection.items", Code: code}}}
		if got := lacksTime(part); got != want {
			t.Errorf("%q: %v", code, got)
		}
	}
}

// TestFollowReadsAgain: what a program had no time for is read again, some times, and then
// only when there is news.
func TestFollowReadsAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := newNews()
	read, ended := make(chan int, 64), make(chan struct{})
	count := 0
	go func() {
		defer close(ended)
		n.follow(ctx, func(context.Context) bool {
			count++
			read <- count
			return count > maxRetries+1
		}, func() {})
	}()
	n.tell()
	for range 1 + maxRetries {
		<-read
	}
	n.tell()
	if got := <-read; got != maxRetries+2 {
		t.Errorf("look %d came after the news", got)
	}
	cancel()
	<-ended
}
