package lanes

// Walker is where one text is in an automaton. It is not safe for concurrent use; any
// number of them may share an automaton. reset makes it ready.
type Walker struct {
	automaton *Automaton
	trie      *state
	always    *state       // nil if no expression needs it
	active    []activeLane // by lane
	asleep    sleeping
	offset    int64 // bytes of whole characters that were walked
	cost      int64 // see relieve
	costAt    int64 // the offset up to which costs were paid back

	// scratch
	notes   []Note
	entries []entry
}

// activeLane is a lane that was entered and has not come to nothing since.
type activeLane struct {
	*state
	since int64 // offset at which it was entered
}

// Note says which expressions have matched at a character of the text.
type Note struct {
	state    *state
	From, To int64 // of the character
}

// Matched are the expressions that turn out to have matched before the character.
func (n *Note) Matched() []uint32 { return n.state.matched }

// Matches are those that match up to its end.
func (n *Note) Matches() []uint32 { return n.state.matches }

// entry says that a lane is entered at an offset of the piece.
type entry struct {
	lane   uint32
	at     int
	before edge
}

// Reset goes to the start of a text.
func (w *Walker) Reset(a *Automaton) {
	clear(w.notes)
	w.asleep.clear()
	*w = Walker{automaton: a, trie: a.first[TrieLane], asleep: w.asleep, notes: w.notes[:0], entries: w.entries[:0]}
	if a.NeedsAlways() {
		w.always = a.first[AlwaysLane]
	}
}

// Begun are the expressions that match before any text.
func (w *Walker) Begun() []uint32 { return w.automaton.first[AlwaysLane].matches }

// Pending says whether some match up to exactly here may be decided by the next
// character or the end.
func (w *Walker) Pending() bool {
	if w.trie.pending || w.always != nil && w.always.pending {
		return true
	}
	for _, s := range w.active {
		if s.pending {
			return true
		}
	}
	return false
}

// Run takes whole characters and gives what has matched at them, of each lane in order.
// The slice is good until the next call.
func (w *Walker) Run(text string) []Note {
	if len(w.notes) > 0 {
		clear(w.notes)
		w.notes = w.notes[:0]
	}
	if w.always != nil && w.always.nfa == nil && w.trie.nfa == nil {
		w.walkBoth(text)
	} else {
		w.trie = w.walk(w.trie, text, 0, len(text))
		if w.always != nil {
			w.always = w.walk(w.always, text, 0, len(text))
		}
	}
	if len(w.entries) > 0 {
		w.doze()
	}
	if len(w.active) > 0 || len(w.entries) > 0 {
		w.runLanes(text)
	}
	if len(w.asleep.list) > 0 {
		w.pass(text)
	}
	w.offset += int64(len(text))
	return w.notes
}

// Finish gives the expressions that match if the text ends here.
func (w *Walker) Finish() []uint32 {
	var out []uint32
	for _, s := range w.states() {
		if s.pending {
			out = append(out, w.automaton.ending(s)...)
		}
	}
	return out
}

// states gives those of all lanes: the trie's, that which is always active if there is
// one, and the others by lane.
func (w *Walker) states() []*state {
	all := []*state{w.trie}
	if w.always != nil {
		all = append(all, w.always)
	}
	for _, s := range w.active {
		all = append(all, s.state)
	}
	return all
}

// Saved is the state of a lane as it can be stored.
type Saved struct {
	Lane      uint32
	Before    uint8    // what kind of character came before
	Positions []uint32 // sorted, each below automaton.size
}

// Save gives the states of all lanes, in the order of states.
func (w *Walker) Save() []Saved {
	w.wakeAll(false)
	var out []Saved
	for _, s := range w.states() {
		out = append(out, Saved{s.lane, uint8(s.before), s.list()})
	}
	return out
}

// Restore goes on at an offset with positions that were stored; ok is false if they
// cannot be.
func (w *Walker) Restore(a *Automaton, list []Saved, offset int64) (ok bool) {
	w.Reset(a)
	w.offset = offset
	for i, p := range list {
		if p.Before >= edges || int(p.Lane) >= a.Lanes() || (i == 0) != (p.Lane == TrieLane) || (p.Lane == AlwaysLane) != (i == 1 && w.always != nil) {
			return false
		}
		s := a.restored(p)
		switch p.Lane {
		case TrieLane:
			w.trie = s
		case AlwaysLane:
			w.always = s
		default:
			w.active = append(w.active, activeLane{s, 0})
		}
	}
	return len(list) > 0 && (w.always == nil || len(list) > 1)
}

// NFAs counts the lanes that are walked without states now.
func (w *Walker) NFAs() int {
	count := 0
	for _, s := range w.states() {
		if s.nfa != nil {
			count++
		}
	}
	return count
}
