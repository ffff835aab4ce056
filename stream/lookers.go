package stream

import (
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/pertain-dev/pertain/internal/regex"
)

// block is how much text arrives between two moves of the window that look-around
// sees, in bytes: it reaches from one to two blocks back.
const block = 32 << 10

// lookers is a stream's part of the look-around expressions of its set.
//
// Everything in it happens at places that depend on the text alone: the window
// moves after so many bytes, and an expression is looked at where the automaton
// says that a match may end, and from there on after each character as long as it
// is open. That is why the answers do not depend on how the text was cut.
type lookers struct {
	window    []byte
	base      int64 // offset of the window's first byte
	block     int64 // offset at which the present block began
	list      []looker
	index     map[int32]int32 // place in list by look
	undecided undecided
}

// looker is one expression in a stream.
type looker struct {
	look   int32
	always bool // it is looked at after every character
	done   bool // it has fired, or its trigger has
	// signals are the offsets at which the automaton has said that a match may end
	// and which were not yet looked at. They are sorted when they are.
	signals []int64
	at      int64 // everything up to here was looked at; -1 at the begin

	// With an outlook:
	view     *regex.View // at at; nil if there is none yet
	idle     bool        // the view is left behind until the next signal
	followed int         // views that were gone through to tell what is certain

	// Without:
	trial *trial // nil until it is needed, or for ever
}

func newLookers(s *Set) *lookers {
	l := &lookers{}
	for i, look := range s.looks {
		if look.always || look.early {
			l.looker(int32(i)).always = true
		}
	}
	return l
}

// looker gives that of an expression, which is made when it is first needed.
func (l *lookers) looker(look int32) *looker {
	if i, ok := l.index[look]; ok {
		return &l.list[i]
	}
	if l.index == nil {
		l.index = make(map[int32]int32)
	}
	l.index[look] = int32(len(l.list))
	l.list = append(l.list, looker{look: look, at: -1})
	return &l.list[len(l.list)-1]
}

// signal says that the automaton has found at an offset that a match may end there.
func (l *lookers) signal(st *Stream, look int32, offset int64) {
	if st.Fired(int(st.set.looks[look].trigger)) {
		return
	}
	k := l.looker(look)
	if k.always || k.done || len(k.signals) > 0 && k.signals[len(k.signals)-1] == offset {
		return
	}
	k.signals = append(k.signals, offset)
}

// waiting says whether the end would complete a match.
func (l *lookers) waiting(st *Stream) bool {
	for i := range l.list {
		k := &l.list[i]
		if k.done || st.Fired(int(st.set.looks[k.look].trigger)) {
			continue
		}
		if k.view != nil && !k.idle && k.view.Ends() || k.trial != nil && k.trial.waiting {
			return true
		}
	}
	return false
}

// run takes whole characters, which the automaton has seen.
func (l *lookers) run(st *Stream, text string) {
	offset := st.offset
	for len(text) > 0 {
		rest := l.block + block - offset // until the window moves
		cut := len(text)
		if int64(cut) >= rest {
			cut = int(rest)
			for cut < len(text) && !boundary(text, cut) {
				cut++
			}
		}
		l.grow(cut)
		l.window = append(l.window, text[:cut]...)
		offset += int64(cut)
		text = text[cut:]
		l.look(st, offset)
		if offset-l.block >= block {
			l.move(st, offset)
		}
	}
}

// grow makes room in the window for so many bytes, but not for more than two blocks:
// each may be longer by what a character is cut short by.
func (l *lookers) grow(more int) {
	if need := len(l.window) + more; need > cap(l.window) {
		size := max(need, min(2*cap(l.window), 2*(block+utf8.UTFMax)))
		l.window = append(make([]byte, 0, size), l.window...)
	}
}

// boundary says whether a character of text begins at i.
func boundary(text string, i int) bool {
	for start := i - 1; start >= 0 && start > i-utf8.UTFMax; start-- {
		if utf8.RuneStart(text[start]) {
			_, size := utf8.DecodeRuneInString(text[start:])
			return start+size <= i
		}
	}
	return true
}

// move begins a new block.
func (l *lookers) move(st *Stream, offset int64) {
	for i := range l.list {
		if k := &l.list[i]; k.trial != nil && !k.done {
			l.finishTrial(st, k, offset, false)
		}
	}
	kept := copy(l.window, l.window[l.block-l.base:])
	l.window = l.window[:kept]
	l.base, l.block = l.block, offset
}

// text gives the window, which does not change while the text is in use.
func (l *lookers) text() string { return unsafe.String(unsafe.SliceData(l.window), len(l.window)) }

// look looks at every expression up to an offset.
func (l *lookers) look(st *Stream, offset int64) {
	for i := range l.list {
		k := &l.list[i]
		if k.done || k.at >= offset || !k.always && (k.view == nil || k.idle) && len(k.signals) == 0 && (k.trial == nil || !k.trial.due()) {
			continue
		}
		look := st.set.load(st.set.looks[k.look])
		if st.Fired(int(look.trigger)) {
			*k = looker{look: k.look, done: true}
			continue
		}
		slices.Sort(k.signals)
		switch {
		case k.trial != nil || look.outlook == nil && !look.early:
			l.try(st, k, look, offset)
		case look.outlook == nil:
			k.done = true
		case !l.follow(st, k, look, offset):
			// Too large to follow: the machine goes on, from the window's begin.
			k.view = nil
			if look.early {
				k.done = true
				break
			}
			k.trial = &trial{resume: l.base, cursor: -1, again: true}
			l.try(st, k, look, offset)
		}
		k.forget()
	}
}

// forget drops the signals that were come by. One that is open follows every character
// anyway and takes none of them, for as long as it may be.
func (k *looker) forget() {
	behind := 0
	for behind < len(k.signals) && k.signals[behind] <= k.at {
		behind++
	}
	if k.signals = slices.Delete(k.signals, 0, behind); len(k.signals) == 0 && cap(k.signals) > fewSignals {
		k.signals = nil
	}
}

// fewSignals is for how many signals the room is kept until the next.
const fewSignals = 16

// fire says that an expression is decided.
func (l *lookers) fire(st *Stream, k *looker, offset int64) {
	st.found = append(st.found, Firing{int(st.set.looks[k.look].trigger), offset, offset})
	*k = looker{look: k.look, done: true}
}

// finish decides what the end of the text decides.
func (l *lookers) finish(st *Stream, offset int64) {
	for i := range l.list {
		k := &l.list[i]
		switch {
		case k.done || st.Fired(int(st.set.looks[k.look].trigger)):
		case k.trial != nil:
			l.finishTrial(st, k, offset, true)
		case k.view != nil && !k.idle && k.view.Ends():
			l.fire(st, k, offset)
		}
	}
}
