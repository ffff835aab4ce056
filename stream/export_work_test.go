package stream

// Spend counts steps of a trigger as if a scan had taken them.
func (w *ScanWork) Spend(trigger, steps int) { w.spend(trigger, steps) }

// Allowed is how many steps all texts so far may take.
func (w *ScanWork) Allowed() int { return w.allowed }
