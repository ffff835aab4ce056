package pertain

import "time"

// SetSettle says how long a strategy that vanished or broke keeps its last good
// form, for tests that must not depend on how fast they run.
func (e *Engine) SetSettle(d time.Duration) { e.settle = d }
