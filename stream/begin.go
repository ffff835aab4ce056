package stream

// Begin tells from which byte of tail on a match may have begun that more text may
// complete or decide, so that a host can pass on what comes before; len(tail) if
// nothing is under way. tail is the end of what was fed, as much of it as the host still
// has: 0 may mean that a match has begun before it.
//
// Whatever follows, a trigger that fires later has a match that lies from there on. What
// an expression may begin with and could do without counts as no part of the match: of
// \w+\.unwrap it is the last letter and what follows. The answer may be earlier than
// needed, for expressions with look-around or back-references while a match of them is
// not decided, and always where one matches nothing in particular.
func (st *Stream) Begin(tail string) int {
	if st.ended {
		return len(tail)
	}
	whole := tail[:len(tail)-min(int(st.held), len(tail))]
	base := st.offset - int64(len(whole)) // where tail starts
	if st.verifier == nil || !st.verifier.open(st) {
		st.settled = max(st.settled, base+int64(st.walker.Begin(whole)))
	} // else it has begun since then, or was under way then: not earlier than was told
	return int(max(st.settled-base, 0))
}

// LooksAround tells whether an expression of the set has look-around or back-references. While a match of one is
// not decided, Begin tells no later offset than it did before, so that a host which wants the latest asks often.
func (s *Set) LooksAround() bool { return len(s.verified) > 0 }

// open tells whether a match may be under way of which the automaton knows nothing any
// more.
func (l *verifier) open(st *Stream) bool {
	for i := range l.list {
		k := &l.list[i]
		expr := st.set.verified[k.verified]
		if expr.early || st.Fired(int(expr.trigger)) { // early: the automaton has it, too
			continue
		}
		if k.always || len(k.candidates) > 0 || k.state != nil && !k.idle || k.trial != nil && k.trial.due() {
			return true
		}
	}
	return false
}

// Begin tells from which byte of tail on, the end of what was fed to a stream, a match
// may have begun that more text may complete or decide; see [Stream.Begin]. A host that
// must not show what a rule forbids holds back the text from there on.
func (w *Watcher) Begin(source Source, tail string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.streams[streamKey{source.Kind, source.ID, 0}]
	if s == nil || w.policy.Disabled {
		return len(tail)
	}
	return s.stream.Begin(tail)
}
