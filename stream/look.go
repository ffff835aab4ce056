package stream

import (
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/pertain-dev/pertain/internal/regex"
)

// Bounds on expressions with look-around or back-references.
const (
	// block is how much text arrives between two moves of the window, in bytes: it
	// reaches from one to two blocks back.
	block = 32 << 10
	// confirmSteps is how many steps one confirmation may take: some ten or twenty
	// milliseconds. A trigger that takes more is given up for the rest of the stream.
	// Steps are counted, since a clock would give other answers on a busy machine.
	confirmSteps = 4 << 20
	// After maxGivenUp triggers were given up in a stream, the others have only
	// hurriedSteps.
	maxGivenUp   = 8
	hurriedSteps = 128 << 10
)

// look is an expression that the automaton does not decide. The automaton runs a
// looser one in its place, and what that one matches is confirmed here.
type look struct {
	trigger int32
	re      *regex.Regexp
	always  bool // the looser one would match everywhere
	sticky  bool // the automaton only says that a match has become possible
	once    sync.Once
	prefix  *regex.Prefix
}

func (l *look) machine() *regex.Prefix {
	l.once.Do(func() { l.prefix = l.re.Prefix() })
	return l.prefix
}

// lookers is a stream's part of the look-around expressions of its set.
//
// The window moves in steps, at places that depend on the text alone, and before
// it moves everything that is open is looked at. That is why the answers do not
// depend on how the text was cut.
type lookers struct {
	window  []byte
	base    int64 // offset of the window's first byte
	block   int64 // offset at which the present block began
	list    []looker
	givenUp int
}

type looker struct {
	look    int32
	always  bool // it is looked at after every piece
	waiting bool // what follows may decide a match without being part of it
	touched bool // it was signalled or looked at in this block
	givenUp bool // or has fired
	// The automaton's signals since it was last looked at: the offset of the first
	// and of the last, and 1 more; 0 for none.
	first, last int64
	resume      int64 // no match starts before
	evaluated   int64 // it was not decided then
}

func newLookers(s *Set) *lookers {
	l := &lookers{}
	for i, look := range s.looks {
		if look.always {
			l.list = append(l.list, looker{look: int32(i), always: true})
		}
	}
	return l
}

// at gives the looker of an expression, which is made when it is first needed.
func (l *lookers) at(look int32) *looker {
	for i := range l.list {
		if l.list[i].look == look {
			return &l.list[i]
		}
	}
	l.list = append(l.list, looker{look: look})
	return &l.list[len(l.list)-1]
}

// signal says that the automaton has decided at an offset that there may be a match.
func (l *lookers) signal(st *Stream, look int32, offset int64) {
	if st.Fired(int(st.set.looks[look].trigger)) {
		return
	}
	k := l.at(look)
	if k.first == 0 {
		k.first = offset + 1
	}
	k.first, k.last = min(k.first, offset+1), max(k.last, offset+1)
}

// waiting says whether the next character or the end may complete a match.
func (l *lookers) waiting(st *Stream) bool {
	for i := range l.list {
		k := &l.list[i]
		if k.waiting && !k.givenUp && !st.Fired(int(st.set.looks[k.look].trigger)) {
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
		l.window = append(l.window, text[:cut]...)
		offset += int64(cut)
		text = text[cut:]
		if offset-l.block < block {
			l.evaluate(st, offset, false, false)
			continue
		}
		l.evaluate(st, offset, true, false)
		l.move(offset)
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
func (l *lookers) move(offset int64) {
	kept := copy(l.window, l.window[l.block-l.base:])
	l.window = l.window[:kept]
	l.base, l.block = l.block, offset
}

// evaluate looks at every expression that may have been decided by now. Before the
// window moves, these are all that were touched since it last did, whenever that
// was: which ones must not depend on how the text was cut.
func (l *lookers) evaluate(st *Stream, offset int64, moves, end bool) {
	for i := range l.list {
		k := &l.list[i]
		look := st.set.looks[k.look]
		if k.givenUp || st.Fired(int(look.trigger)) {
			continue
		}
		signalled := k.first > 0 && k.first <= offset+1
		if signalled {
			k.touched = true
			k.always = k.always || look.sticky
			if k.first = k.last; k.last <= offset+1 {
				k.first, k.last = 0, 0
			}
		}
		if signalled || k.waiting || k.always || moves && k.touched {
			k.touched = true
			l.confirm(st, k, look, offset, end)
		}
		if moves {
			k.touched = false
		}
	}
}

func (l *lookers) confirm(st *Stream, k *looker, look *look, offset int64, end bool) {
	steps := confirmSteps
	if l.givenUp >= maxGivenUp {
		steps = hurriedSteps
	}
	machine := look.machine()
	known := regex.Known{Cut: l.base > 0, End: end}
	text := unsafe.String(unsafe.SliceData(l.window), len(l.window)) // the window does not change meanwhile
	from := int(max(k.resume-l.base, 0))
	found := machine.Search(text, from, known, steps)
	if found.Outcome == regex.TimedOut {
		k.givenUp = true
		l.givenUp++
		return
	}
	if !found.Matched {
		k.resume, k.evaluated, k.waiting = l.base+int64(found.Resume), offset, found.Waiting
		return
	}
	if !end {
		// The smallest prefix on which it is decided: on more of the text a match
		// stays one.
		low, high := int(max(k.evaluated, l.block)-l.base), len(text)
		for high-low > 1 {
			mid := low + (high-low)/2
			for mid > low && !boundary(text, mid) {
				mid--
			}
			if mid == low {
				for mid = low + (high-low)/2; mid < high && !boundary(text, mid); {
					mid++
				}
				if mid == high {
					break
				}
			}
			if machine.Search(text[:mid], from, known, steps).Matched {
				high = mid
			} else {
				low = mid
			}
		}
		offset = l.base + int64(high)
	}
	k.givenUp = true // it has fired
	st.found = append(st.found, Firing{int(look.trigger), offset, offset})
}

// finish decides what the end of the text decides.
func (st *Stream) finish() {
	a := st.set.automaton
	ends := []*state{st.trie}
	if st.always != nil {
		ends = append(ends, st.always)
	}
	ends = append(ends, st.active...)
	for _, s := range ends {
		if !s.pending {
			continue
		}
		a.mu.Lock()
		a.builder.end(s)
		matched := append([]uint32(nil), a.builder.matched...)
		a.mu.Unlock()
		for _, e := range matched {
			st.match(e, st.offset, st.offset)
		}
	}
	if st.looks != nil {
		st.looks.evaluate(st, st.offset, false, true)
	}
}
