package collect

import (
	"context"
	"testing"
)

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
