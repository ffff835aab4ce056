package cases

import (
	"context"
	"fmt"
	"time"

	"github.com/pertain-dev/pertain/internal/cputime"
)

// Budget is what all cases of a run may cost together: what each of them costs has limits, but a repository may hold any
// number, and one context under many names.
type Budget struct {
	Bytes int64          // of test files (see [File.Effort]), contexts, each case counted anew, and prompts, as often as they are looked through
	Until time.Time      // then nothing more is begun, and what runs ends; the zero time: no end
	Work  *cputime.Meter // as Until, by what the process works; nil: no end

	over   string // which of them is used up; empty: none
	remedy string // what to do then
	kept   kept   // contexts that cases share
}

// What a run may cost.
const (
	runBytes     = 1 << 30
	runTime      = 5 * time.Minute
	strangerWork = 2 * time.Second // in a workspace that is not trusted; thousands of ordinary cases take less

	caseCost = 4 << 10 // bytes that a case costs at least

	attachCost = 256 // bytes that a file costs which a case attaches
)

// NewBudget is the usual one of a run that begins now, of files that the user named or trusts.
func NewBudget() *Budget { return &Budget{Bytes: runBytes, Until: time.Now().Add(runTime)} }

// NewStrangerBudget is that of files which somebody else wrote: nobody asked for minutes of work.
func NewStrangerBudget() *Budget {
	b := NewBudget()
	b.Work = cputime.New(strangerWork, nil)
	return b
}

// Spend takes bytes off the budget; false: there is not so much left, or no time.
func (b *Budget) Spend(bytes int) bool {
	switch b.Bytes -= int64(bytes); {
	case b.over != "":
	case b.Bytes < 0:
		b.over, b.remedy = fmt.Sprintf("the %d MiB that one run has", runBytes>>20), smaller
	default:
		b.look()
	}
	return b.over == ""
}

// What to do when a budget is used up.
const (
	smaller = "name fewer files, or make their contexts smaller"
	trusted = "name some of its files, or trust it with `pertain trust`"
)

// look notes whether there is time left.
func (b *Budget) look() {
	switch {
	case b.over != "":
	case b.Work != nil && b.Work.Left() <= 0:
		b.over, b.remedy = fmt.Sprintf("the %s of processor time that one run has in a workspace that is not trusted", b.Work.Limit()), trusted
	case !b.Until.IsZero() && !time.Now().Before(b.Until):
		b.over, b.remedy = fmt.Sprintf("the %.0f minutes that one run has", runTime.Minutes()), smaller
	}
}

// Share is the part of what is left of the work that one of several files may have at first; the other half is for those which
// need more. 0: it may have everything, since there is no limit, or it is the only one. Negative: nothing is left of that half.
func (b *Budget) Share(files int) time.Duration {
	if b.Work == nil || files <= 1 {
		return 0
	}
	half := b.Work.Left() - b.Work.Limit()/2
	if half <= 0 {
		return -1
	}
	return max(half/time.Duration(files), 1)
}

// turn is the time in which cases of one file are run: a context, and the work that may be left at its end.
type turn struct {
	context.Context
	stop  context.CancelFunc
	work  *cputime.Meter // nil: it has no limit
	least time.Duration
}

// turn begins one that ends with the time of the run, or with a share of its work; 0: with all of it.
func (b *Budget) turn(ctx context.Context, share time.Duration) turn {
	t := turn{Context: ctx, stop: func() {}, work: b.Work}
	if b.Work != nil {
		if share <= 0 {
			share = b.Work.Limit()
		}
		t.least = max(0, b.Work.Left()-share)
		t.Context, t.stop = b.Work.Within(t.Context, share)
	}
	if !b.Until.IsZero() {
		within, stop := context.WithDeadline(t.Context, b.Until)
		ends := t.stop
		t.Context, t.stop = within, func() { stop(); ends() }
	}
	return t
}

// over tells whether the turn has ended. What a case came to then is not to be relied on.
func (t turn) over() bool {
	return t.Err() != nil || t.work != nil && t.work.Left() <= t.least
}

// Refusal says that cases were not run, in a failed case of its own.
func (b *Budget) Refusal(path string, line int, what string) Result {
	return Result{File: path, Line: line, Message: what + " not run: the cases before have used up " + b.over + "; " + b.remedy}
}
