package lanes

import (
	"slices"
	"unsafe"
)

// sleeper is a lane that was entered and is not walked: the run of characters that its
// gate waits for has not come yet. It is woken when that has, and walked from where it was
// entered; where the gap ends without it, it is forgotten.
type sleeper struct {
	gate   *gate
	lane   uint32
	before edge
	at     int64 // offset at which it was entered
}

// sleeping is the lanes of a walker that sleep.
type sleeping struct {
	list   []sleeper // in the order in which they were entered
	recent []byte    // the text from since on
	since  int64
	wide   bool               // there are characters outside of ASCII in it
	runs   [len(runKinds)]int // characters of the run that the text ends in
	woken  []uint32           // scratch
}

// maxAsleep bounds the lanes that sleep at once.
const maxAsleep = 256

// doze puts lanes to sleep that the trie has entered and that have a gate.
func (w *Walker) doze() {
	kept := w.entries[:0]
	for _, e := range w.entries {
		g := w.automaton.gate(e.lane)
		if g == noGate || len(w.asleep.list) >= maxAsleep {
			kept = append(kept, e)
			continue
		}
		if len(w.asleep.list) == 0 {
			w.asleep.clear()
			w.asleep.since = w.offset + int64(e.at)
		}
		w.asleep.list = append(w.asleep.list, sleeper{g, e.lane, e.before, w.offset + int64(e.at)})
	}
	w.entries = kept
}

func (s *sleeping) clear() {
	s.list, s.recent, s.wide = s.list[:0], s.recent[:0], false
	s.runs = [len(runKinds)]int{}
}

// pass takes text that was walked past those that sleep, and wakes those that may come to
// something.
func (w *Walker) pass(text string) {
	s := &w.asleep
	from := max(int(s.since-w.offset), 0)
	s.recent = append(s.recent, text[from:]...)
	s.woken = s.woken[:0]
	var needed [len(runKinds)]int // the shortest run that somebody waits for; 0: nobody
	for i := range s.list {
		if g := s.list[i].gate; needed[g.kind] == 0 || g.run < needed[g.kind] {
			needed[g.kind] = g.run
		}
	}
	for kind, need := range needed {
		if need > 0 {
			s.scan(uint8(kind), need, text, from, w.offset)
		}
	}
	for _, lane := range s.woken {
		w.wake(lane)
	}
	s.forget(w.offset + int64(len(text)))
}

// scan looks for runs of a kind, and takes note of those who have waited for them.
func (s *sleeping) scan(kind uint8, need int, text string, from int, offset int64) {
	run, mask := s.runs[kind], uint8(1)<<kind
	for i := from; i < len(text); i++ {
		kinds := kindsOf[text[i]]
		if kinds&mask != 0 {
			run++
			continue
		}
		s.wide = s.wide || kinds == wideByte
		if run >= need {
			s.ran(kind, offset+int64(i-run), offset+int64(i))
		}
		run = 0
	}
	if run >= need {
		s.ran(kind, offset+int64(len(text)-run), offset+int64(len(text)))
	}
	s.runs[kind] = run
}

// ran takes note of a run: who has waited for it is woken.
func (s *sleeping) ran(kind uint8, from, to int64) {
	for i := range s.list {
		l := &s.list[i]
		if l.gate.kind != kind || slices.Contains(s.woken, l.lane) {
			continue
		}
		begin := max(from, l.at)
		if to-begin >= int64(l.gate.run) && begin-l.at <= s.reach(l.gate) {
			s.woken = append(s.woken, l.lane)
		}
	}
}

// reach is how long the gap may be, in bytes.
func (s *sleeping) reach(g *gate) int64 {
	if s.wide {
		return int64(g.gap) * 4
	}
	return int64(g.gap)
}

// forget drops those whose gap is over, at the end of the text so far, and text that
// nobody waits with.
func (s *sleeping) forget(end int64) {
	kept := s.list[:0]
	for _, l := range s.list {
		if begin := max(end-int64(s.runs[l.gate.kind]), l.at); begin-l.at <= s.reach(l.gate) {
			kept = append(kept, l)
		}
	}
	if s.list = kept; len(kept) == 0 {
		s.clear()
		return
	}
	if over := int(kept[0].at - s.since); over > 2*len(s.recent)/3 && over > 1<<10 {
		s.recent = s.recent[:copy(s.recent, s.recent[over:])]
		s.since = kept[0].at
	}
}

// wake walks a lane from where it was entered up to the end of the text so far.
func (w *Walker) wake(lane uint32) {
	s := &w.asleep
	var entries []entry
	first := int64(-1)
	s.list = slices.DeleteFunc(s.list, func(l sleeper) bool {
		if l.lane != lane {
			return false
		}
		if first < 0 {
			first = l.at
		}
		entries = append(entries, entry{lane, int(l.at - first), l.before})
		return true
	})
	if first < 0 {
		return
	}
	text := s.recent[first-s.since:]
	offset := w.offset
	w.offset = first
	now := w.runLane(activeLane{}, unsafe.String(unsafe.SliceData(text), len(text)), entries)
	w.offset = offset
	if now.dead {
		return
	}
	at, found := slices.BinarySearchFunc(w.active, lane, func(s activeLane, lane uint32) int { return int(s.lane) - int(lane) })
	if found {
		w.active[at] = activeLane{w.automaton.union(w.active[at].state, now.state), min(w.active[at].since, now.since)}
	} else {
		w.active = slices.Insert(w.active, at, now)
	}
}

// wakeAll wakes those that sleep; vague leaves those asleep whose gap takes everything.
func (w *Walker) wakeAll(vague bool) {
	for i := 0; i < len(w.asleep.list); {
		if l := &w.asleep.list[i]; vague && l.gate.any {
			i++
		} else {
			w.wake(l.lane)
			i = 0
		}
	}
	if len(w.asleep.list) == 0 {
		w.asleep.clear()
	}
}

// union gives a state with the positions of two of one lane at one offset.
func (a *Automaton) union(s, t *state) *state {
	if s.nfa == nil && t.nfa != nil {
		s, t = t, s
	}
	positions := t.list()
	if s.nfa != nil {
		for _, position := range positions {
			s.nfa.add(s.nfa.grid.bit(position))
		}
		s.pending = s.pending || t.pending
		return s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.builder.clear()
	a.builder.positions = append(append(a.builder.positions, s.positions...), positions...)
	return a.intern(s.lane, s.before)
}

// stateless gives the grid of a lane that would come to a new state with nearly every
// character; nil: it would not.
func (a *Automaton) stateless(lane uint32) *grid {
	if g := a.gate(lane); g.any && g.gap > 1 {
		return a.grid(lane)
	}
	return nil
}

// Asleep counts the lanes that sleep now, and the bytes of memory for the text that is
// kept for them.
func (w *Walker) Asleep() (count, kept int) { return len(w.asleep.list), cap(w.asleep.recent) }
