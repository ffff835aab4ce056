// Package cputime limits what a piece of work may use of the processor.
//
// What a stranger's folder makes a command do has a limit, and how long that takes by
// the clock on the wall depends on what else the machine does. The processor time of this
// process does not. Begin with [New]; [Meter.Within] is a context that ends with its limit.
package cputime

import (
	"context"
	"time"
)

// Meter is a limit, and how much of it is used up. It counts from [New] on, and it
// counts everything that the process does, on all cores.
type Meter struct {
	limit time.Duration
	used  func() time.Duration // of the process so far
	begun time.Duration        // what was used when it began
}

// New begins a meter. used is the processor time of the process; nil: as the system tells it.
func New(limit time.Duration, used func() time.Duration) *Meter {
	if used == nil {
		used = Used
	}
	return &Meter{limit: limit, used: used, begun: used()}
}

// Limit is what there was when it began.
func (m *Meter) Limit() time.Duration { return m.limit }

// Left is what is left of the limit; not positive: nothing.
func (m *Meter) Left() time.Duration { return m.limit - (m.used() - m.begun) }

// often is how often a context looks at its meter.
const often = 5 * time.Millisecond

// Within is a context that ends when a share of the meter is used up from now on, or the
// whole. The function ends it before; it must be called.
func (m *Meter) Within(ctx context.Context, share time.Duration) (context.Context, context.CancelFunc) {
	within, stop := context.WithCancel(ctx)
	least := max(0, m.Left()-share)
	go func() {
		ticker := time.NewTicker(often)
		defer ticker.Stop()
		for {
			if m.Left() <= least {
				stop()
				return
			}
			select {
			case <-within.Done():
				return
			case <-ticker.C:
			}
		}
	}()
	return within, stop
}

// wall stands in where a system does not tell: what one core has worked is never more
// than what has passed.
func wall() time.Duration { return time.Duration(time.Now().UnixNano()) }
