package stream

import (
	"github.com/pertain-dev/pertain/stream/internal/effort"
	"github.com/pertain-dev/pertain/stream/internal/lanes"
)

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
// allowed, the steps from one more start, and what must be tried at the end and when the
// window moves.
func MostSteps(set *Set, size int64) int64 {
	start := effort.StartSteps.At(2 * block)
	return effort.New(1, 1, 1).Try.At(size) + start + (size/block+1)*(effort.LastSteps+2*start)
}

// ForceNFA lets the lanes of a set be walked without states whenever one is made, for
// so many bytes.
func ForceNFA(set *Set, bytes int) {
	set.automaton.Limits.Patience = lanes.Patience{Cost: -1, Bytes: bytes}
}

// NoNFA leaves a set no memory for walking without states.
func NoNFA(set *Set) { set.automaton.Limits.Grids = 0 }

// NoPasts lets a set keep nothing of how Begin went back through a text, but for so many bytes.
func NoPasts(set *Set, bytes int) { set.automaton.Limits.Pasts = bytes }

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

// Looked is what package look did for a stream.
type Looked struct {
	Met                int   // expressions that it followed
	Left               int   // of them, those that it left to the machine
	Followed, Explored int64 // its work
}

// LookWork gives what package look did for a stream.
func LookWork(st *Stream) Looked {
	var out Looked
	for i := range st.verifier.list {
		k := &st.verifier.list[i]
		if k.followed > 0 {
			out.Met++
			if k.trial != nil {
				out.Left++
			}
		}
		out.Followed += k.followed
		out.Explored += k.explored
	}
	return out
}

// MostLookWork bounds the work that n expressions may take in a text of so many bytes: what is allowed, and for each one step more.
func MostLookWork(n int, size int64) int64 {
	const step = 1 << 10
	return effort.FollowAll.At(size) + int64(n)*step
}

// TurnSteps gives the steps of the backtracking machine, and the work of package look, in all streams of a turn.
func TurnSteps(w *Watcher) (tried, looked int64) {
	for _, s := range w.streams {
		for _, n := range s.stream.verifier.spent {
			tried += n.Tried
			looked += n.Followed + n.Explored
		}
	}
	return tried, looked
}

// ForText gives what all triggers of one owner may do for so much text, beside what they may at once.
func ForText(size int64) (tried, looked int64) {
	return 2 * (effort.TryAll.At(size) - effort.TryAll.Once), 2 * (effort.FollowAll.At(size) - effort.FollowAll.Once)
}

// Met gives the candidates that a stream had of triggers that are not the user's own.
func Met(st *Stream) int64 { return st.verifier.spent[1].Met }

// MostMet bounds them, for n expressions and so much text.
func MostMet(size int64, n int) int64 { return effort.MeetAll.At(size) + int64(n) }

// MostMoveSteps bounds the steps of all expressions of a group for so many bytes more, with which the window moves so often.
func MostMoveSteps(size int64, moves int) int64 {
	return effort.TryAll.At(size) - effort.TryAll.Once + int64(moves)*4*effort.MoveAll
}

// ShareSteps gives what all expressions of a group may take where the window moves, and at the end.
func ShareSteps() (move, last int64) { return effort.MoveAll, effort.LastAll }

// Damages change what a verifier knows in ways that no text leads to.
var Damages = map[string]func(st *Stream){
	"a window that is too short":     func(st *Stream) { st.verifier.window = st.verifier.window[:len(st.verifier.window)-1] },
	"a window that begins elsewhere": func(st *Stream) { st.verifier.base++ },
	"a block that began long ago": func(st *Stream) {
		st.verifier.block -= block
	},
	"a block that is over just now": func(st *Stream) { st.verifier.block = st.offset - block },
	"a short window that begins after its block": func(st *Stream) {
		l := st.verifier
		l.window, l.base, l.block = l.window[len(l.window)-10:], st.offset-10, st.offset-11
	},
	"an undecided trigger that there is none of": func(st *Stream) {
		st.verifier.undecided.add(Undecided{Trigger: len(st.set.triggers), Reason: StepLimit})
	},
	"more that is undecided than there are offsets": func(st *Stream) {
		st.verifier.undecided.add(Undecided{Starts: int(st.offset) + 2, Reason: StepLimit})
	},
	"a window after its block": func(st *Stream) { st.verifier.block = st.verifier.base - 1 },
	"a state of what is tried": func(st *Stream) {
		l := st.verifier
		for i := range l.list {
			if k := &l.list[i]; k.state != nil {
				k.trial = &trial{resume: l.base, open: l.base, cursor: -1, again: true}
			}
		}
	},
	"a state from before the text": func(st *Stream) {
		for i := range st.verifier.list {
			if k := &st.verifier.list[i]; k.state != nil {
				k.idle, k.at = true, -1
			}
		}
	},
	"a state that is behind": func(st *Stream) {
		for i := range st.verifier.list {
			if k := &st.verifier.list[i]; k.state != nil && !k.idle {
				k.at--
			}
		}
	},
}

// TrialOffsets sets an offset of the first trial of a stream to one that counts from the end of what was tried, or how many it skips to one
// that counts from the most.
// It is false if there is none.
func TrialOffsets(st *Stream, name string, beyond int64) bool {
	for i := range st.verifier.list {
		k := &st.verifier.list[i]
		if k.trial == nil {
			continue
		}
		at := max(k.at, st.verifier.base) + beyond
		switch name {
		case "resume":
			k.trial.resume = at
		case "cursor":
			k.trial.cursor = at
		case "open":
			k.trial.open = at
		case "skip from":
			k.trial.skip = []span{{at, at}}
		case "skips":
			k.trial.skip = make([]span, 4*block+beyond)
		case "skip to":
			k.trial.skip = []span{{0, at}}
		}
		return true
	}
	return false
}
