package visual

import (
	"math"
	"time"

	"github.com/pertain-dev/pertain/internal/regex"
)

// stepsPerLook is how many steps are taken between two looks at the clock. A
// step is an element that is looked at, a few nanoseconds.
const stepsPerLook = 4096

// budget counts the steps of one query against its limits. The query's own time
// begins at the first look at the clock, so that queries that end before pay for
// none.
type budget struct {
	limits   Limits
	left     int
	limited  bool
	deadline time.Time // zero until the first look
}

func (b *budget) start(limits Limits) {
	b.limits = limits
	b.limited = limits.Time > 0 || !limits.Deadline.IsZero()
	if limits.Deadline.IsZero() {
		b.left = stepsPerLook
	}
}

// take uses up steps and says whether there is time for more.
func (b *budget) take(steps int) bool {
	b.left -= steps
	return b.left > 0 || b.look()
}

// look says whether there is time for more, by the clock.
func (b *budget) look() bool {
	if !b.limited {
		b.left = math.MaxInt
		return true
	}
	b.left = stepsPerLook
	now := time.Now()
	if b.deadline.IsZero() {
		b.deadline = b.limits.Deadline
		if own := now.Add(b.limits.Time); b.limits.Time > 0 && (b.deadline.IsZero() || own.Before(b.deadline)) {
			b.deadline = own
		}
	}
	return now.Before(b.deadline) && (b.limits.Context == nil || b.limits.Context.Err() == nil)
}

// match runs an expression within both its own limit and the query's.
func (b *budget) match(re *regex.Regexp, text string) (bool, Outcome) {
	limit, late := b.limits.Regex, RegexTimedOut
	if b.limited {
		if b.deadline.IsZero() && !b.look() {
			return false, TimedOut
		}
		if remains := time.Until(b.deadline); limit == 0 || remains < limit {
			limit, late = max(remains, 1), TimedOut // 0 would be no limit
		}
	}
	b.left -= len(text) / 16
	matched, outcome := re.MatchString(text, regex.Limit{Time: limit, Done: b.limits.done()})
	if outcome == regex.TimedOut {
		return false, late
	}
	return matched, Done
}

// done is closed when whoever asked has gone; nil: never.
func (l *Limits) done() <-chan struct{} {
	if l.Context == nil {
		return nil
	}
	return l.Context.Done()
}
