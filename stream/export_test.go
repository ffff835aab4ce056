package stream

import "github.com/pertain-dev/pertain/stream/internal/lanes"

// CompileWithin is Compile with another bound on the memory of states, in bytes.
func CompileWithin(triggers []Trigger, options Options, states int) (*Set, []Problem) {
	return compile(triggers, options, lanes.DefaultLimits(states))
}

// Steps gives the most steps that the backtracking machine took for an expression.
func Steps(st *Stream) int64 {
	most := int64(0)
	if st.verifier != nil {
		for _, k := range st.verifier.list {
			if k.trial != nil {
				most = max(most, k.trial.spent)
			}
		}
	}
	return most
}

// AllSteps gives the steps that the backtracking machine took for all expressions together.
func AllSteps(st *Stream) int64 {
	all := int64(0)
	for i := range st.verifier.list {
		if t := st.verifier.list[i].trial; t != nil {
			all += t.spent
		}
	}
	return all
}

// MostSteps bounds what an expression may take in a text of so many bytes: what is
// allowed, one place more, and what must be tried at the end and when the window
// moves.
func MostSteps(set *Set, size int64) int64 {
	place := int64(startSteps + startEach*2*block>>10)
	return newEffort(1).at(size) + place + (size/block+1)*(lastSteps+2*place)
}

// ForceNFA lets the lanes of a set be walked without states whenever one is made, for
// so many bytes.
func ForceNFA(set *Set, bytes int) {
	set.automaton.Limits.Patience = lanes.Patience{Cost: -1, Bytes: bytes}
}

// NoNFA leaves a set no memory for walking without states.
func NoNFA(set *Set) { set.automaton.Limits.Grids = 0 }

// Grids counts the lanes of a set that were ever to be walked without states.
func Grids(set *Set) int { return set.automaton.GridCount() }

// NFAs counts the lanes of a stream that are walked without states now.
func NFAs(st *Stream) int { return st.walker.NFAs() }

// Gates lets the lanes of a set sleep until runs of at least such a length have come.
func Gates(set *Set, shortest int) {
	for i := range set.automaton.Limits.Runs {
		set.automaton.Limits.Runs[i] = shortest
	}
}

// Asleep counts the lanes of a stream that sleep now, and KeptAsleep the bytes of text
// that are kept for them.
func Asleep(st *Stream) int { count, _ := st.walker.Asleep(); return count }

// KeptAsleep is told with Asleep.
func KeptAsleep(st *Stream) int { _, kept := st.walker.Asleep(); return kept }
