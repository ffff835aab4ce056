package cases

import (
	"context"
	"fmt"
	"time"
)

// Budget is what all cases of a run may cost together: what each of them costs has limits, but a repository may hold any
// number, and one context under many names.
type Budget struct {
	Bytes int64     // of test files, contexts, each case counted anew, and prompts, as often as they are looked through
	Until time.Time // then nothing more is begun, and what runs ends; the zero time: no end

	over string // which of the two is used up; empty: none
	kept kept   // contexts that cases share
}

// What a run may cost.
const (
	runBytes = 1 << 30
	runTime  = 5 * time.Minute
	caseCost = 4 << 10 // bytes that a case costs at least

	attachCost = 256 // bytes that a file costs which a case attaches
)

// NewBudget is the usual one of a run that begins now.
func NewBudget() *Budget { return &Budget{Bytes: runBytes, Until: time.Now().Add(runTime)} }

// Spend takes bytes off the budget; false: there is not so much left, or no time.
func (b *Budget) Spend(bytes int) bool {
	switch b.Bytes -= int64(bytes); {
	case b.over != "":
	case b.Bytes < 0:
		b.over = fmt.Sprintf("the %d MiB", runBytes>>20)
	case !b.Until.IsZero() && time.Now().After(b.Until):
		b.outOfTime()
	}
	return b.over == ""
}

// within is a context that ends with the time of the run.
func (b *Budget) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.Until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, b.Until)
}

// outOfTime notes that there is no time left.
func (b *Budget) outOfTime() {
	if b.over == "" {
		b.over = fmt.Sprintf("the %.0f minutes", runTime.Minutes())
	}
}

// Refusal says that cases were not run, in a failed case of its own.
func (b *Budget) Refusal(path string, line int, what string) Result {
	return Result{File: path, Line: line, Message: what + " not run: the cases before have used up " + b.over + " that one run has; name fewer files, or make their contexts smaller"}
}
