package cond

import (
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// A program has a limit for the whole and one for each condition (docs/reference/strategies.md).
// Cheap conditions never look at the clock.

// stopwatch stands in for the clock: what is slow takes as long as it says.
type stopwatch interface {
	now() time.Time
	take(what string, limit time.Duration) bool // false: it would take longer than the limit, which is over now
}

func (ev *Evaluation) now() time.Time {
	if ev.clock != nil {
		return ev.clock.now()
	}
	return time.Now()
}

// slow is called before something that may take long: it starts the clocks of
// the program and of the condition, and says how much time is left of both.
func (ev *Evaluation) slow() time.Duration {
	now := ev.now()
	if ev.matching.IsZero() {
		ev.matching = now.Add(ev.limits.Matching)
	}
	if ev.condition.IsZero() {
		ev.condition = now.Add(ev.limits.Condition)
	}
	if ev.within != nil && ev.within.Err() != nil {
		ev.matching = now
	}
	return min(ev.matching.Sub(now), ev.condition.Sub(now))
}

// longArray is how long an array is that may be slow for its length.
const longArray = 4096

// Of a long array, the clock is looked at when so many steps were taken. An item
// is one step, and so are so many bytes of its texts.
const (
	itemsPerLook = 256
	bytesPerStep = 64
)

// step takes some steps and tells whether it is time to look at the clock.
func (ev *Evaluation) step(steps int) bool {
	if ev.steps += steps; ev.steps < itemsPerLook {
		return false
	}
	ev.steps = 0
	return true
}

// bytesPerLook is how much operators go through between two looks at the context of
// whoever waits. An operator counts as some bytes of its own.
const (
	bytesPerLook  = 1 << 20
	operatorBytes = 64
)

// pass counts what an operator is about to go through. What is quick never looks at the
// clock, but any number of operators over a long text is not quick: it ends as soon as
// nobody waits for it.
func (ev *Evaluation) pass(v facts.Value) {
	if ev.within == nil {
		return
	}
	if ev.passed += operatorBytes*(1+len(v.Items())) + len(v.Text()); ev.passed >= bytesPerLook {
		ev.passed, ev.gone = 0, ev.gone || ev.within.Err() != nil
	}
}

// left is what is left of the program's time.
func (ev *Evaluation) left(now time.Time) time.Duration {
	if ev.matching.IsZero() {
		return ev.limits.Matching
	}
	return ev.matching.Sub(now)
}

// price is what a slow result took. Who takes it over from another program pays
// the same, so that no answer depends on who else is there.
type price struct {
	time       time.Duration
	unfinished bool // there is no result: the time was not enough
}

// pay takes the price from the program's time; false: there is not so much
// left, and the program has expired.
func (ev *Evaluation) pay(p price) bool {
	if ev.aside { // explain does not ask twice
		return true
	}
	now := ev.now()
	left := ev.left(now)
	if left < p.time {
		ev.matching = now
		ev.charged += left
		return false
	}
	ev.matching = now.Add(left - p.time)
	ev.charged += p.time
	return true
}

// hopeless tells whether something that was not finished in its time has about
// the same or less now.
func (ev *Evaluation) hopeless(p price) bool {
	return p.unfinished && !ev.aside && ev.left(ev.now()) <= p.time+p.time/32
}

// timeout settles a limit that was reached as unknown, with the limit that
// caused it.
func (ev *Evaluation) timeout(n *node, t *Trace, code diag.Code, limit time.Duration, what string) Tri {
	switch now := ev.now(); {
	case !ev.matching.IsZero() && !now.Before(ev.matching):
		ev.expired = true
		if ev.aside {
			t.because("matching does not come to this, and there was no time left to look at it")
			return Null
		}
		code, limit, what = diag.StrategyTimeout, ev.limits.Matching, "the strategy"
	case code == "" || !ev.condition.IsZero() && !now.Before(ev.condition) && code != diag.RegexTimeout && code != diag.VisualQueryTimeout:
		code, limit, what = diag.ConditionTimeout, ev.limits.Condition, "the condition"
		ev.overdue = true
	}
	d := diag.At(n.expr.node.Source(), n.expr.node.Span(), code, "%s took longer than %s", what, limit)
	d.Duration = limit
	d.Path = n.expr.path
	ev.add(d)
	t.because(d.Message)
	return Null
}

// cutShort settles what ended because the time of the program or of the condition
// was all that it had. Which of the two, is known from what it was given and not from
// the clock: what stops a little early must not blame the condition for a turn that
// was too short, because that would stand when it is tried again.
func (ev *Evaluation) cutShort(n *node, t *Trace) Tri {
	if !ev.condition.Before(ev.matching) {
		return ev.expire(n, t)
	}
	return ev.timeout(n, t, "", ev.limits.Condition, "the condition")
}

// expire settles a condition for which the program has no time left.
func (ev *Evaluation) expire(n *node, t *Trace) Tri {
	ev.matching = ev.now()
	return ev.timeout(n, t, "", 0, "")
}

// Limits are the time limits of matching (docs/reference/strategies.md). A zero limit stands
// for its default.
type Limits struct {
	Matching    time.Duration // matchingTimeout: evaluating one strategy
	Condition   time.Duration // conditionTimeout: one condition node; its default leaves a visual query its own limit
	Regex       time.Duration // regexTimeout: one regular expression on one text
	VisualQuery time.Duration // visualQueryTimeout: one visual query
	Extra       time.Duration // extraTimeout: one call of a collector
}

// DefaultLimits are those of docs/reference/strategies.md.
func DefaultLimits() Limits {
	return Limits{
		Matching:    300 * time.Millisecond,
		Condition:   80 * time.Millisecond,
		Regex:       50 * time.Millisecond,
		VisualQuery: 120 * time.Millisecond,
		Extra:       200 * time.Millisecond,
	}
}

// AtMost are the limits, each of them no longer than the same limit of most.
func (l Limits) AtMost(most Limits) Limits {
	return Limits{
		Matching:    min(l.Matching, most.Matching),
		Condition:   min(l.Condition, most.Condition),
		Regex:       min(l.Regex, most.Regex),
		VisualQuery: min(l.VisualQuery, most.VisualQuery),
		Extra:       min(l.Extra, most.Extra),
	}
}

// Or fills zero limits from others.
func (l Limits) Or(defaults Limits) Limits {
	pick := func(d *time.Duration, other time.Duration) {
		if *d == 0 {
			*d = other
		}
	}
	pick(&l.Matching, defaults.Matching)
	pick(&l.Condition, defaults.Condition)
	pick(&l.Regex, defaults.Regex)
	pick(&l.VisualQuery, defaults.VisualQuery)
	pick(&l.Extra, defaults.Extra)
	return l
}
