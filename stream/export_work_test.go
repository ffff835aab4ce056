package stream

// Spend counts steps of a trigger as if a scan had taken them.
func (w *ScanWork) Spend(trigger, steps int) { w.spend(trigger, steps) }

// Allowed is how many steps all texts so far may take.
func (w *ScanWork) Allowed() int { return w.allowed }

// SpentOnLooks gives the work of package look in a stream that counts for its turn.
func SpentOnLooks(st *Stream) int64 {
	all := int64(0)
	for _, n := range st.verifier.spent {
		all += n.Followed + n.Explored
	}
	return all
}

// TrialFlags says of the trials of a stream what follows may decide, and what a round that was cut short has come to.
func TrialFlags(st *Stream, waiting, again, waits bool) {
	for i := range st.verifier.list {
		if t := st.verifier.list[i].trial; t != nil {
			t.waiting, t.again, t.waits = waiting, again, waits
		}
	}
}

// MayTry is what the backtracking machine may do at once with the first expression of a trigger that it could be left.
func MayTry(set *Set, trigger int) int64 {
	for _, l := range set.verified {
		if int(l.trigger) == trigger && !l.early {
			return l.effort.Try.Once
		}
	}
	return 0
}
