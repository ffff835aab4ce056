package stream

// walker is where one text is in an automaton. It is not safe for concurrent use; any
// number of them may share an automaton. reset makes it ready.
type walker struct {
	automaton *automaton
	trie      *state
	always    *state // nil if no expression needs it
	active    []*state
	offset    int64 // bytes of whole characters that were walked
	cost      int64 // see relieve
	costAt    int64 // the offset up to which costs were paid back

	// scratch
	notes   []note
	entries []entry
}

// note says which expressions have matched at a character of the text.
type note struct {
	state    *state
	from, to int64 // of the character
}

// matched are the expressions that turn out to have matched before the character.
func (n *note) matched() []uint32 { return n.state.matched }

// matches are those that match up to its end.
func (n *note) matches() []uint32 { return n.state.matches }

// entry says that a lane is entered at an offset of the piece.
type entry struct {
	lane   uint32
	at     int
	before edge
}

// reset goes to the begin of a text.
func (w *walker) reset(a *automaton) {
	clear(w.notes)
	*w = walker{automaton: a, trie: a.first[trieLane], notes: w.notes[:0], entries: w.entries[:0]}
	if a.needsAlways() {
		w.always = a.first[alwaysLane]
	}
}

// begun are the expressions that match before any text.
func (w *walker) begun() []uint32 { return w.automaton.first[alwaysLane].matches }

// pending says whether some match up to exactly here may be decided by the next
// character or the end.
func (w *walker) pending() bool {
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

// run takes whole characters and gives what has matched at them, of each lane in order.
// The slice is good until the next call.
func (w *walker) run(text string) []note {
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
	if len(w.active) > 0 || len(w.entries) > 0 {
		w.runLanes(text)
	}
	w.offset += int64(len(text))
	return w.notes
}

// finish gives the expressions that match if the text ends here.
func (w *walker) finish() []uint32 {
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
func (w *walker) states() []*state {
	all := []*state{w.trie}
	if w.always != nil {
		all = append(all, w.always)
	}
	return append(all, w.active...)
}

// position is the state of a lane as it can be stored.
type position struct {
	lane   uint32
	before uint8    // what kind of character came before
	list   []uint32 // sorted, each below automaton.size
}

// positions gives the states of all lanes, in the order of states.
func (w *walker) positions() []position {
	var out []position
	for _, s := range w.states() {
		out = append(out, position{s.lane, uint8(s.before), s.list()})
	}
	return out
}

// restore goes on at an offset with positions that were stored; ok is false if they
// cannot be.
func (w *walker) restore(a *automaton, list []position, offset int64) (ok bool) {
	w.reset(a)
	w.offset = offset
	for i, p := range list {
		if p.before >= edges || int(p.lane) >= a.count() || (i == 0) != (p.lane == trieLane) || (p.lane == alwaysLane) != (i == 1 && w.always != nil) {
			return false
		}
		s := a.restored(p)
		switch p.lane {
		case trieLane:
			w.trie = s
		case alwaysLane:
			w.always = s
		default:
			w.active = append(w.active, s)
		}
	}
	return len(list) > 0 && (w.always == nil || len(list) > 1)
}

// nfas counts the lanes that are walked without states now.
func (w *walker) nfas() int {
	count := 0
	for _, s := range w.states() {
		if s.nfa != nil {
			count++
		}
	}
	return count
}
