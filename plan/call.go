package plan

import (
	"context"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/diag"
)

// patience is how long a preprocessor may take to come back after its time is
// over. One that takes longer is abandoned.
const patience = 50 * time.Millisecond

// maxLeft is how many calls of a preprocessor may go on that their callers took
// back, before another one waits for them: people type faster than pages are read.
const maxLeft = 4

// calls are those of a preprocessor that nobody waits for any more.
type calls struct {
	mu    sync.Mutex
	left  int           // taken back by their callers, their time is not over
	stuck int           // their time is over
	fewer chan struct{} // closed when left falls; nil: nobody waits for that
}

func (c *calls) add(left, stuck int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left += left
	c.stuck += stuck
	if left < 0 && c.fewer != nil {
		close(c.fewer)
		c.fewer = nil
	}
}

// enter waits until another call may begin, as long as ctx lasts; nil means that
// it may.
func (c *calls) enter(ctx context.Context) *Failure {
	for {
		c.mu.Lock()
		if c.stuck > 0 {
			c.mu.Unlock()
			return &Failure{Code: diag.PreprocessorTimeout, Reason: "an earlier call of it has not come back yet", Remedy: "start the program again"}
		}
		if c.left < maxLeft {
			c.mu.Unlock()
			return nil
		}
		if c.fewer == nil {
			c.fewer = make(chan struct{})
		}
		fewer := c.fewer
		c.mu.Unlock()
		select {
		case <-fewer:
		case <-ctx.Done():
			return &Failure{Code: diag.PreprocessorTimeout, Reason: "earlier calls of it have not come back in time"}
		}
	}
}

// answer is what a call of a preprocessor came to.
type answer struct {
	variables []Variable
	err       error
}

// abandon counts a call until it is done. rest is how much of its time is left.
func (c *calls) abandon(done <-chan answer, rest time.Duration) {
	if rest <= 0 {
		c.add(0, 1)
		go func() {
			<-done
			c.add(0, -1)
		}()
		return
	}
	c.add(1, 0)
	go func() {
		late := time.NewTimer(rest)
		defer late.Stop()
		select {
		case <-done:
			c.add(-1, 0)
			return
		case <-late.C:
			c.add(-1, 1)
		}
		<-done
		c.add(0, -1)
	}()
}

// call runs a preprocessor under a time limit. One that ignores it is abandoned,
// and not called again before it has come back: stuck calls never pile up. One
// whose caller is gone does not keep others from theirs.
func (m *registered) call(ctx context.Context, in Execution, limit time.Duration) ([]Variable, error) {
	start := time.Now()
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	if busy := m.calls.enter(limited); busy != nil {
		return nil, busy // whoever called looks first whether somebody still waits
	}
	done := make(chan answer, 1)
	go func() {
		variables, err := m.Process(limited, in)
		done <- answer{variables, err}
	}()
	select {
	case a := <-done:
		return m.settle(ctx, limited, limit, a.variables, a.err)
	case <-limited.Done():
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case a := <-done:
		return m.settle(ctx, limited, limit, a.variables, a.err)
	case <-wait.C:
	}
	m.calls.abandon(done, limit-time.Since(start))
	return m.settle(ctx, limited, limit, nil, context.DeadlineExceeded)
}

// settle tells the caller's cancellation, the time limit and a failure apart.
func (m *registered) settle(ctx, limited context.Context, limit time.Duration, variables []Variable, err error) ([]Variable, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && limited.Err() != nil {
		return nil, &Failure{Code: diag.PreprocessorTimeout, Reason: "it took longer than " + limit.String()}
	}
	return variables, err
}
