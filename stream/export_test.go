package stream

// CompileWithin is Compile with another bound on the memory of states, in bytes.
var CompileWithin = compile

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

// MostSteps bounds what an expression may take in a text of so many bytes: what is
// allowed, one place more, and what must be tried at the end and when the window
// moves.
func MostSteps(set *Set, size int64) int64 {
	place := int64(startSteps + startBytes*2*block)
	return set.effort.at(size) + place + (size/block+1)*(lastSteps+place)
}

// ForceNFA lets the lanes of a set become crowds whenever a state is made, for so many
// bytes.
func ForceNFA(set *Set, bytes int) { set.automaton.patience = patience{cost: -1, bytes: bytes} }

// NoNFA leaves a set no room for crowds.
func NoNFA(set *Set) { set.automaton.gridBytes = 0 }

// Grids counts the lanes of a set that have ever been thought of as crowds.
func Grids(set *Set) int { return len(set.automaton.grids) }

// NFAs counts the lanes of a stream that are crowds now.
func NFAs(st *Stream) int {
	count := 0
	for _, s := range append([]*state{st.trie, st.always}, st.active...) {
		if s != nil && s.nfa != nil {
			count++
		}
	}
	return count
}
