package stream

// KeptVerifier gives the bytes that a stream keeps for look-around beside the states that
// it shares with others: the window, and what is yet to be looked at.
func KeptVerifier(st *Stream) (window, waiting int) {
	for i := range st.verifier.list {
		k := &st.verifier.list[i]
		waiting += 8 * cap(k.candidates)
		if k.trial != nil {
			waiting += 16 * cap(k.trial.skip)
		}
	}
	return cap(st.verifier.window), waiting
}

// ScanLinear lets a scanner read each text, and not try the backtracking machine first.
func ScanLinear(c *Scanner) *Scanner {
	c.linear = true
	return c
}

// Misplace makes a stream try its window again from an offset on, and gives where the window begins.
func Misplace(st *Stream, at int64) (window int64) {
	window = st.verifier.base
	for i := range st.verifier.list {
		st.verifier.list[i].at, st.verifier.list[i].trial = at, &trial{resume: window, open: window, cursor: -1, again: true}
	}
	return window
}

// KeptFound gives for how many firings a stream keeps memory, and Spent how many lists of expressions it knows to be no news.
func KeptFound(st *Stream) int { return cap(st.found.list) }

// Spent is told with KeptFound.
func Spent(st *Stream) int { return len(st.found.seen) }

// Tries gives what the backtracking machine may do with each expression that it may be needed for, at the beginning of a stream.
func Tries(s *Set) []int64 {
	var out []int64
	for _, l := range s.verified {
		out = append(out, l.effort.Try.At(0))
	}
	return out
}
