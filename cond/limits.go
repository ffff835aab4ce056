package cond

import "time"

// Limits are the time limits of matching (MS §18, CF §22). A zero limit stands
// for its default.
type Limits struct {
	Matching    time.Duration // matchingTimeout: evaluating one strategy
	Condition   time.Duration // conditionTimeout: one condition node; its default leaves a visual query its own limit
	Regex       time.Duration // regexTimeout: one regular expression on one text
	VisualQuery time.Duration // visualQueryTimeout: one visual query
	Extra       time.Duration // extraTimeout: one call of a collector
}

// DefaultLimits are the recommended ones of MS §18.
func DefaultLimits() Limits {
	return Limits{
		Matching:    300 * time.Millisecond,
		Condition:   80 * time.Millisecond,
		Regex:       50 * time.Millisecond,
		VisualQuery: 120 * time.Millisecond,
		Extra:       200 * time.Millisecond,
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
