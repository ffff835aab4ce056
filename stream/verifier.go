package stream

import (
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/pertain-dev/pertain/internal/regex/look"
	"github.com/pertain-dev/pertain/stream/internal/effort"
	"github.com/pertain-dev/pertain/stream/internal/lanes"
)

// block is how much text arrives between two moves of the window that look-around
// sees, in bytes: it reaches from one to two blocks back.
const block = 32 << 10

// verifier decides, for one stream, the expressions that the set's automaton does not.
//
// Everything in it happens at offsets that depend on the text alone: the window
// moves after so many bytes, and an expression is looked at where the automaton
// says that a match may end, and from there on after each character as long as it
// is open. That is why the answers do not depend on how the text was cut.
type verifier struct {
	window    []byte
	base      int64 // offset of the window's first byte
	block     int64 // offset at which the present block began
	list      []verification
	index     map[int32]int32 // index in list by expression
	undecided undecided
	deaf      []uint64 // bit set of expressions whose candidates do not matter; nil: none
	share     effort.Share
	spent     effort.Spent
}

// verification is how far a verifier has come with one expression.
type verification struct {
	verified int32
	always   bool  // it is looked at after every character
	done     bool  // it has fired, or its trigger has
	lost     int64 // from this offset on candidates are not looked at; 0: all are
	// candidates are the offsets at which the automaton has said that a match may end
	// and which were not yet looked at. They are sorted before they are.
	candidates []int64
	met        int64 // how many there were
	at         int64 // everything up to here was looked at; -1 at the start

	// With an automaton of package look:
	state *look.State // at at; nil if there is none yet
	idle  bool        // the state is not kept up to date until the next candidate
	// followed is the work of its states, and explored that of telling what is certain; see package effort.
	followed, explored int64
	recent             recentSteps

	// Without:
	trial *trial // nil until it is needed, or for ever; from then on there is no state
}

// may gives what may have been done with an expression when so much text has come.
func (l *verifier) may(expr *verified, a effort.Allowance, offset int64) int64 {
	return l.share.Of(a, expr.owner, offset)
}

func newVerifier(s *Set) *verifier {
	l := &verifier{share: effort.WholeShare()}
	for i, expr := range s.verified {
		if expr.always || expr.early {
			l.of(int32(i)).always = true
		}
	}
	return l
}

// deafen says that candidates of an expression do not matter from now on.
func (l *verifier) deafen(s *Set, expr int32) {
	if l.deaf == nil {
		l.deaf = make([]uint64, (len(s.verified)+63)/64)
	}
	l.deaf[expr>>6] |= 1 << (expr & 63)
}

// of gives that of an expression, which is made when it is first needed.
func (l *verifier) of(expr int32) *verification {
	if i, ok := l.index[expr]; ok {
		return &l.list[i]
	}
	if l.index == nil {
		l.index = make(map[int32]int32)
	}
	l.index[expr] = int32(len(l.list))
	l.list = append(l.list, verification{verified: expr, at: -1})
	return &l.list[len(l.list)-1]
}

// candidate says that the automaton has found at an offset that a match may end there. It is false if that is no news, nor will be again.
func (l *verifier) candidate(st *Stream, expr int32, offset int64) (news bool) {
	if l.deaf != nil && l.deaf[expr>>6]&(1<<(expr&63)) != 0 || st.Fired(int(st.set.verified[expr].trigger)) {
		return false
	}
	k := l.of(expr)
	if k.always || k.done {
		l.deafen(st.set, expr)
		return false
	}
	if len(k.candidates) > 0 && k.candidates[len(k.candidates)-1] == offset {
		return true
	}
	l.spent[st.set.verified[expr].owner].Met++
	if k.met++; k.met > l.may(st.set.verified[expr], st.set.verified[expr].effort.Meet, offset) {
		k.lost = offset
		l.miss(st.set, expr, offset-1, offset)
		l.deafen(st.set, expr)
		return false
	}
	k.candidates = append(k.candidates, offset)
	return true
}

// miss takes note of an expression whose candidates between two offsets are not looked at. A match that ends there may start as far before as
// the window reaches.
func (l *verifier) miss(s *Set, expr int32, from, to int64) {
	v := s.verified[expr]
	l.undecided.add(Undecided{int(v.trigger), v.pattern, max(from-2*block, 0), to, int(to - from), WorkLimit})
}

// waiting says whether the end would complete a match.
func (l *verifier) waiting(st *Stream) bool {
	for i := range l.list {
		k := &l.list[i]
		if k.done || st.Fired(int(st.set.verified[k.verified].trigger)) {
			continue
		}
		if k.state != nil && !k.idle && k.state.Ends() || k.trial != nil && k.trial.waiting {
			return true
		}
	}
	return false
}

// run takes whole characters, which the automaton has seen.
func (l *verifier) run(st *Stream, text string) {
	offset := st.offset
	for len(text) > 0 {
		rest := l.block + block - offset // until the window moves
		cut := len(text)
		if int64(cut) >= rest {
			cut = int(rest)
			for !lanes.Boundary(text, cut) { // the end of the text is one
				cut++
			}
		}
		l.grow(cut)
		l.window = append(l.window, text[:cut]...)
		offset += int64(cut)
		text = text[cut:]
		l.advance(st, offset)
		if offset-l.block >= block {
			l.move(st, offset)
		}
	}
}

// grow makes memory for the window for so many bytes, but not for more than two blocks:
// each may be longer by what a character is cut short by.
func (l *verifier) grow(more int) {
	if need := len(l.window) + more; need > cap(l.window) {
		size := max(need, min(2*cap(l.window), 2*(block+utf8.UTFMax)))
		l.window = append(make([]byte, 0, size), l.window...)
	}
}

// move begins a new block.
func (l *verifier) move(st *Stream, offset int64) {
	l.finishTrials(st, offset, false)
	kept := copy(l.window, l.window[l.block-l.base:])
	l.window = l.window[:kept]
	l.base, l.block = l.block, offset
}

// text gives the window, which does not change while the text is in use.
func (l *verifier) text() string { return unsafe.String(unsafe.SliceData(l.window), len(l.window)) }

// advance looks at every expression up to an offset.
func (l *verifier) advance(st *Stream, offset int64) {
	for i := range l.list {
		k := &l.list[i]
		if k.done || k.at >= offset || !k.always && (k.state == nil || k.idle) && len(k.candidates) == 0 && (k.trial == nil || !k.trial.due()) {
			continue
		}
		expr := st.set.load(st.set.verified[k.verified])
		if st.Fired(int(expr.trigger)) {
			*k = verification{verified: k.verified, done: true}
			continue
		}
		slices.Sort(k.candidates)
		switch {
		case k.trial != nil || expr.automaton == nil && !expr.early:
			l.try(st, k, expr, offset)
		case expr.automaton == nil:
			k.done = true
		case !l.follow(st, k, expr, offset):
			// Too much to follow: the machine goes on, from the window's start.
			again := k.state != nil
			k.state, k.idle, k.recent = nil, false, recentSteps{}
			if expr.early {
				k.done = true
				break
			}
			k.trial = &trial{resume: l.base, cursor: -1, again: again}
			l.try(st, k, expr, offset)
		}
		k.forget()
	}
}

// forget drops the candidates that were come by. One that is open follows every character
// anyway and takes none of them, for as long as it may be.
func (k *verification) forget() {
	after := 0
	for after < len(k.candidates) && k.candidates[after] <= k.at {
		after++
	}
	if k.candidates = slices.Delete(k.candidates, 0, after); len(k.candidates) == 0 && cap(k.candidates) > fewCandidates {
		k.candidates = nil
	}
}

// fewCandidates is for how many candidates memory is kept until the next.
const fewCandidates = 16

// fire says that an expression is decided.
func (l *verifier) fire(st *Stream, k *verification, offset int64) {
	st.found.add(Firing{int(st.set.verified[k.verified].trigger), offset, offset})
	*k = verification{verified: k.verified, done: true}
}

// finish decides what the end of the text decides.
func (l *verifier) finish(st *Stream, offset int64) {
	l.finishTrials(st, offset, true)
	for i := range l.list {
		k := &l.list[i]
		if k.lost > 0 {
			l.miss(st.set, k.verified, k.lost, offset)
		}
		if !k.done && !st.Fired(int(st.set.verified[k.verified].trigger)) && k.state != nil && !k.idle && k.state.Ends() {
			l.fire(st, k, offset)
		}
	}
}
