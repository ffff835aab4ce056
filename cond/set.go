package cond

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/diag"
)

// Member is one program of a set with its own time limits.
type Member struct {
	Program *Program
	Limits  Limits
}

// Hit is a member whose condition holds, or one that could not be decided in
// time.
type Hit struct {
	Member      int
	Result      Tri
	Duration    time.Duration
	Diagnostics diag.List
}

// Walk evaluates every member one after the other and yields those that are
// true or ran out of time. It needs no preparation, so it is the way for a
// single match; a [Set] pays off from the second one on.
func Walk(ctx context.Context, members []Member, ev *Evaluation, yield func(Hit)) {
	for i := range members {
		if i%256 == 0 && ctx.Err() != nil {
			return
		}
		var list diag.List
		start := time.Now()
		result := members[i].Program.Eval(ev, members[i].Limits, &list)
		if result == True || len(list) > 0 {
			yield(Hit{Member: i, Result: result, Duration: time.Since(start), Diagnostics: list})
		}
	}
}
