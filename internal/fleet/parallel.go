package fleet

import (
	"context"
	"errors"
	"sync"

	"github.com/nats-io/nats.go"
)

// lanes is how many questions are under way at once.
const lanes = 16

// inParallel asks for each item, and hands each answer over, one at a time. The first error ends it.
func inParallel[T, A any](ctx context.Context, items []T, ask func(context.Context, T) (A, error), take func(T, A)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := 0
	for range min(lanes, len(items)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(items) {
					return
				}
				answer, err := ask(ctx, items[i])
				if err != nil {
					cancel(err)
					return
				}
				if take != nil {
					mu.Lock()
					take(items[i], answer)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// IsAway tells whether an error is about reaching the servers, not about what they have.
func IsAway(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, nats.ErrTimeout) ||
		errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrDisconnected) ||
		errors.Is(err, nats.ErrReconnectBufExceeded) || errors.Is(err, nats.ErrConnectionReconnecting) || errors.Is(err, ErrClosed)
}
