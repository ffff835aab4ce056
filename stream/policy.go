package stream

import "cmp"

// ContextMode says what happens to the message that was interrupted.
type ContextMode string

const (
	Discard ContextMode = "discard" // it is dropped
	Keep    ContextMode = "keep"    // it stays
)

// RepeatMode says whether a rule that was injected may fire again.
type RepeatMode string

const (
	Once     RepeatMode = "once"
	AfterGap RepeatMode = "after-gap" // after RepeatGap turns
)

// InterruptMode says in which streams a trigger interrupts; elsewhere it reminds.
type InterruptMode string

const (
	InterruptAlways InterruptMode = "always"
	ProseOnly       InterruptMode = "prose-only" // in text and thinking
	ToolOnly        InterruptMode = "tool-only"  // in tool calls
	InterruptNever  InterruptMode = "never"
)

// Policy says what to do when a trigger fires (EXECUTION §3). The zero value is
// the default.
type Policy struct {
	Disabled      bool
	ContextMode   ContextMode   // "": Discard
	RepeatMode    RepeatMode    // "": Once
	RepeatGap     int           // turns; 0: 10
	InterruptMode InterruptMode // "": InterruptAlways
	Budget        int           // interruptions for one user turn; 0: 3; below: none
}

const (
	defaultGap    = 10
	defaultBudget = 3
)

// Interrupts says whether a trigger that fires in such a stream is to interrupt, as long
// as the budget lasts: by its own mode or, where it has none, by that of the policy.
func (p Policy) Interrupts(t *Trigger, k Kind) bool {
	if p.Disabled || p.budget() == 0 {
		return false
	}
	switch cmp.Or(t.InterruptMode, p.InterruptMode) {
	case ProseOnly:
		return k != Tool
	case ToolOnly:
		return k == Tool
	case InterruptNever:
		return false
	default:
		return true
	}
}

func (p *Policy) budget() int {
	if p.Budget == 0 {
		return defaultBudget
	}
	return max(p.Budget, 0)
}

// repeats says whether a rule that was injected at a turn may fire now.
func (p *Policy) repeats(injected, now int64) bool {
	if p.RepeatMode != AfterGap {
		return false
	}
	gap := int64(p.RepeatGap)
	if gap == 0 {
		gap = defaultGap
	}
	return now-injected >= gap
}
