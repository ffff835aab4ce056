package cond

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// A whole match has a budget (docs/reference/settings.md). Programs without anything slow are
// decided first. The others get turns, short ones at first, so that what is slow
// takes no time from what is not; who is not done in a turn gets a longer one.

const (
	firstTurn  = 5 * time.Millisecond  // as long as there is time enough for everybody
	leastTurn  = 20 * time.Microsecond // below that, looking at the clock is most of it
	turnGrowth = 4                     // from one round to the next
	lossPart   = 8                     // which part of the time a round may lose
	latePart   = 4                     // by which part of the budget first turns may end late, together
)

// programsPerLook is how many programs without anything slow are decided between
// two looks at the clock.
const programsPerLook = 64

// DefaultBudget is how long a whole match may take (docs/reference/settings.md).
const DefaultBudget = time.Second

// SetBudget limits the time of a whole match: what is not decided when it is over
// is unknown, with [diag.MatchBudget]. It counts from now on; 0 is no limit.
func (ev *Evaluation) SetBudget(budget time.Duration) {
	ev.budget, ev.deadline, ev.lateness = budget, time.Time{}, 0
	if budget > 0 {
		ev.deadline = ev.now().Add(budget)
	}
}

// Left is what is left of the budget of a whole match.
func (ev *Evaluation) Left() time.Duration {
	if ev.deadline.IsZero() {
		return math.MaxInt64
	}
	return ev.deadline.Sub(ev.now())
}

// OutOfBudget is what there is to say about a program that a match had no time
// for.
func (ev *Evaluation) OutOfBudget(p *Program) diag.Diagnostic {
	var d diag.Diagnostic
	if n := p.root.expr.node; n != nil {
		d = diag.At(n.Source(), n.Span(), diag.MatchBudget, "the whole match took longer than %s, and there was no time left for this strategy", ev.budget)
	} else { // it has no condition
		d = diag.At(nil, diag.NoSpan, diag.MatchBudget, "the whole match took longer than %s", ev.budget)
	}
	d.Duration = ev.budget
	return d
}

// turns decides programs that may be slow. turn evaluates one with these limits
// and answers false if they were cut and not enough; skip is for those that there
// is no time left for.
//
// A turn that was not enough is lost. So a round ends when a part of the time is lost
// that nothing was decided in; those that it did not come to are the first of the
// next one, whose turns are longer. Else programs that all take about the same could
// use up the budget together and leave nothing decided.
func (ev *Evaluation) turns(ctx context.Context, waiting []int32, limits func(int32) Limits, turn func(condition int32, limits Limits, cut bool) bool, skip func(int32)) {
	slice := firstTurn
	if ev.ample(waiting, limits) {
		slice = math.MaxInt64
	}
	var tried []int32 // in this round
	for first := true; len(waiting) > 0; first = false {
		tried = tried[:0]
		mayLose := ev.Left() / lossPart
		next := 0
		for ; next < len(waiting) && (next == 0 || first && !ev.runsLate() || !first && mayLose > 0); next++ {
			if ctx.Err() != nil {
				return
			}
			left := ev.Left()
			if left <= 0 {
				for _, m := range slices.Concat(tried, waiting[next:]) {
					skip(m)
				}
				return
			}
			share := min(slice, left)
			switch {
			case len(waiting)-next+len(tried) == 1: // the last one
				share = left
			case first:
				share = min(share, ev.tight(left, len(waiting)-next))
			}
			condition := waiting[next]
			own := limits(condition)
			cut := share < own.Matching
			if cut {
				own.Matching = share
			}
			decided := turn(condition, own, cut)
			took := left - ev.Left()
			if first {
				ev.ranOver(took - share)
			}
			switch {
			case decided:
				mayLose += took
			case share == left: // it will never have more
				skip(condition)
				mayLose -= took
			default:
				tried = append(tried, condition)
				mayLose -= took
			}
		}
		waiting = append(slices.Clone(waiting[next:]), tried...)
		if slice < math.MaxInt64/turnGrowth {
			slice *= turnGrowth
		}
	}
}

// ample tells whether the budget is enough whatever happens.
func (ev *Evaluation) ample(waiting []int32, limits func(int32) Limits) bool {
	if ev.deadline.IsZero() {
		return true
	}
	left := ev.Left()
	for _, condition := range waiting {
		if left -= limits(condition).Matching; left < 0 {
			return false
		}
	}
	return true
}

// tight is what one of several programs may have, if the time gets short.
func (ev *Evaluation) tight(left time.Duration, programs int) time.Duration {
	if left >= ev.budget/2 {
		return math.MaxInt64
	}
	return max(left/2/time.Duration(programs), leastTurn) // the other half is for those who need more
}

// ranOver notes by how much a first turn ended late. Everybody is meant to have one, and
// most may lose theirs; but on a busy machine a turn of some milliseconds may take many
// times as long, and nothing would be left for a second one.
func (ev *Evaluation) ranOver(by time.Duration) { ev.lateness += max(0, by) }

// runsLate tells that no more first turns are to be had.
func (ev *Evaluation) runsLate() bool {
	return ev.budget > 0 && ev.lateness > ev.budget/latePart
}

// firstShare is how long one of several conditions may take before anybody has
// had a turn; nothing is left if it is not positive.
func (ev *Evaluation) firstShare(conditions int) time.Duration {
	if ev.runsLate() {
		return 0
	}
	left := ev.Left()
	return min(left, firstTurn, ev.tight(left, conditions))
}

// pace says what may make a program slow.
type pace uint8

const (
	quick   pace = iota // nothing
	perItem             // long arrays alone
	slow                // regular expressions, queries
)

// paceOf is the slowest pace of a condition's parts.
func paceOf(n *node) pace {
	out := quick
	if n.expr.kind == exprVisual {
		out = slow
	}
	for i := range n.children {
		out = max(out, paceOf(&n.children[i]))
	}
	for i := range n.predicates {
		switch p := &n.predicates[i]; {
		case p.slowItems():
			out = max(out, perItem)
		case p.slow():
			out = slow
		}
	}
	return out
}

// mayBeSlow tells whether a program of a pace may be slow in this snapshot.
func (ev *Evaluation) mayBeSlow(p pace) bool {
	if p != perItem {
		return p == slow
	}
	if ev.arrays == 0 {
		ev.arrays = 1
		for _, path := range facts.Paths() {
			if path.Kind == facts.Array && len(ev.snapshot.At(path).Items()) >= longArray {
				ev.arrays = 2
				break
			}
		}
	}
	return ev.arrays == 2
}
