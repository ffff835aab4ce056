package lanes

import (
	"slices"
	"sync/atomic"
	"unicode/utf8"
)

// walk takes the characters of text from one offset to another, and gives the state
// after them. It stops early when a lane has come to nothing.
func (w *Walker) walk(s *state, text string, from, to int) *state {
	if s.nfa != nil {
		return w.walkNFA(s, text, from, to)
	}
	a := w.automaton
	now := a.rows.Load()
	for s.generation != now.generation {
		s = a.join(s)
		now = a.rows.Load()
	}
	table, ascii, row := now.table, &a.ascii, s.row
	text = text[:to]
	for i := from; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if entry := atomic.LoadUint32(&table[row+uint32(ascii[c])]); entry-1 < special-1 {
				row = entry
				i++
				continue
			}
		}
		class, size := a.next(text[i:])
		before := now.states[row>>a.shift].Load()
		var made bool
		s, now, made = a.over(now, before, class)
		table, row = now.table, s.row
		i += size
		if s.special && w.tell(s, i-size, i) {
			return s
		}
		if made {
			if s = w.relieve(s, len(before.positions), i); s.nfa != nil {
				return w.walkNFA(s, text, i, to)
			}
		}
	}
	return now.states[row>>a.shift].Load()
}

// walkBoth takes all characters of text through the trie and the lane that is
// always active. Side by side they take little longer than one alone: a step waits
// for memory most of its time.
func (w *Walker) walkBoth(text string) {
	a := w.automaton
	now := a.rows.Load()
	s, t := w.trie, w.always
	for s.generation != now.generation || t.generation != now.generation {
		s, t = a.join(s), a.join(t)
		now = a.rows.Load()
	}
	table, ascii := now.table, &a.ascii
	row, other := s.row, t.row
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			class := uint32(ascii[c])
			entry, entry2 := atomic.LoadUint32(&table[row+class]), atomic.LoadUint32(&table[other+class])
			if (entry-1)|(entry2-1) < special {
				row, other = entry, entry2
				i++
				continue
			}
		}
		class, size := a.next(text[i:])
		s, t = now.states[row>>a.shift].Load(), now.states[other>>a.shift].Load()
		before, before2 := s, t
		var made, made2 bool
		s, now, made = a.over(now, s, class)
		t, now, made2 = a.over(now, t, class)
		for s.generation != now.generation || t.generation != now.generation {
			s, t = a.join(s), a.join(t)
			now = a.rows.Load()
		}
		table, row, other = now.table, s.row, t.row
		i += size
		if s.special {
			w.tell(s, i-size, i)
		}
		if t.special {
			w.tell(t, i-size, i)
		}
		if made {
			s = w.relieve(s, len(before.positions), i)
		}
		if made2 {
			t = w.relieve(t, len(before2.positions), i)
		}
		if s.nfa != nil || t.nfa != nil {
			w.trie, w.always = w.walk(s, text, i, len(text)), w.walk(t, text, i, len(text))
			return
		}
	}
	w.trie, w.always = now.states[row>>a.shift].Load(), now.states[other>>a.shift].Load()
}

// next gives the class of the first character of text, and its size.
func (a *Automaton) next(text string) (class uint16, size int) {
	if c := text[0]; c < utf8.RuneSelf {
		return uint16(a.ascii[c]), 1
	}
	r, size := utf8.DecodeRuneInString(text)
	return a.alphabet.class(r), size
}

// over gives the state after a character of a class, and rows that have it. made
// says that it had to be worked out.
func (a *Automaton) over(now *rows, s *state, class uint16) (_ *state, _ *rows, made bool) {
	if s.generation == now.generation && class < 1<<a.shift && class < maxWidth {
		if entry := atomic.LoadUint32(&now.table[s.row+uint32(class)]); entry != 0 {
			return now.states[entry&^special>>a.shift].Load(), now, false
		}
	}
	s, made = a.advance(s, class)
	for now = a.rows.Load(); s.generation != now.generation; now = a.rows.Load() {
		s = a.join(s)
	}
	return s, now, made
}

// tell takes note of a state over the character between two offsets, and says
// whether it is the end of a lane.
func (w *Walker) tell(s *state, from, to int) (over bool) {
	if len(s.matched) > 0 || len(s.matches) > 0 {
		w.notes = append(w.notes, Note{s, w.offset + int64(from), w.offset + int64(to)})
	}
	for _, lane := range s.enters {
		w.entries = append(w.entries, entry{lane, to, s.before})
	}
	return s.dead
}

// runLanes takes text through the lanes that are active, and those that the trie
// has entered.
func (w *Walker) runLanes(text string) {
	if len(w.entries) > 1 {
		slices.SortStableFunc(w.entries, func(a, b entry) int { return int(a.lane) - int(b.lane) })
	}
	kept := w.active[:0]
	entries := w.entries
	for _, s := range w.active {
		for len(entries) > 0 && entries[0].lane < s.lane {
			entries = entries[1:]
		}
		own := 0
		for own < len(entries) && entries[own].lane == s.lane {
			own++
		}
		if s = w.runLane(s, text, entries[:own]); !s.dead {
			kept = append(kept, s)
		}
		for i := range own {
			entries[i].at = -1 // taken
		}
	}
	clear(w.active[len(kept):])
	w.active = kept
	sorted := true
	for i := 0; i < len(w.entries); {
		next := i + 1
		for next < len(w.entries) && w.entries[next].lane == w.entries[i].lane {
			next++
		}
		if w.entries[i].at >= 0 {
			if s := w.runLane(activeLane{}, text, w.entries[i:next]); !s.dead {
				w.active = append(w.active, s)
				sorted = len(w.active) == 1
			}
		}
		i = next
	}
	if !sorted {
		slices.SortFunc(w.active, func(a, b activeLane) int { return int(a.lane) - int(b.lane) })
	}
	w.entries = w.entries[:0]
}

// runLane takes text through one lane, which is entered at some offsets. It has no state
// if it was not active.
func (w *Walker) runLane(s activeLane, text string, entries []entry) activeLane {
	at := 0
	for _, e := range entries {
		if s.state != nil && !s.dead {
			s.state = w.walk(s.state, text, at, e.at)
		}
		if s.state == nil || s.dead {
			s = activeLane{nil, w.offset + int64(e.at)}
		}
		s.state = w.enter(s.state, e)
		at = e.at
	}
	if !s.dead {
		s.state = w.walk(s.state, text, at, len(text))
	}
	return s
}
