package regex

import "time"

// stepsPerLook is how many steps a machine takes between two looks at the clock.
// A step is a few nanoseconds, so this is some ten or twenty microseconds.
const stepsPerLook = 2048

// budget counts the steps of one match against its time limit.
type budget struct {
	left     int
	deadline time.Time // zero for none
	done     <-chan struct{}
	spent    bool
}

func newBudget(limit Limit) budget {
	b := budget{left: stepsPerLook, done: limit.Done}
	if limit.Time > 0 {
		b.deadline = time.Now().Add(limit.Time)
	}
	return b
}

// take uses up steps and says whether there is time for more.
func (b *budget) take(steps int) bool {
	b.left -= steps
	if b.left > 0 {
		return true
	}
	return b.look()
}

func (b *budget) look() bool {
	b.left = stepsPerLook
	if b.spent || !b.deadline.IsZero() && !time.Now().Before(b.deadline) {
		b.spent = true
		return false
	}
	select {
	case <-b.done:
		b.spent = true
		return false
	default:
		return true
	}
}
