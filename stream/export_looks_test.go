package stream

// KeptLooks gives the bytes that a stream keeps for look-around beside the views that
// it shares with others: the window, and what is yet to be looked at.
func KeptLooks(st *Stream) (window, waiting int) {
	for i := range st.looks.list {
		k := &st.looks.list[i]
		waiting += 8 * cap(k.signals)
		if k.trial != nil {
			waiting += 16 * cap(k.trial.skip)
		}
	}
	return cap(st.looks.window), waiting
}

// ReadAlways lets a scanner read each text, and not try the backtracking machine first.
func ReadAlways(c *Scanner) *Scanner {
	c.reads = true
	return c
}
