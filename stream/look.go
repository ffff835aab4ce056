package stream

import (
	"sync"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/pertain-dev/pertain/internal/regex"
)

// Bounds on expressions with look-around or back-references.
const (
	// block is how much text arrives between two moves of the window, in bytes: it
	// reaches from one to two blocks back.
	block = 32 << 10
	// confirmTime is how long one confirmation may take. A trigger that takes
	// longer is given up for the rest of the stream.
	confirmTime = 20 * time.Millisecond
	// After maxGivenUp triggers were given up in a stream, the others have only
	// hurriedTime.
	maxGivenUp  = 8
	hurriedTime = time.Millisecond
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
	always  bool // some must be looked at after every piece
	givenUp int
}

type looker struct {
	look      int32
	signalled bool
	waiting   bool
	givenUp   bool
	resume    int64 // no match starts before
	evaluated int64 // it was not decided then
}

func newLookers(s *Set) *lookers {
	l := &lookers{}
	for i, look := range s.looks {
		if look.always {
			l.list = append(l.list, looker{look: int32(i), signalled: true})
			l.always = true
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

func (l *lookers) signal(st *Stream, look int32) {
	if !st.Fired(int(st.set.looks[look].trigger)) {
		l.at(look).signalled = true
	}
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
		l.evaluate(st, offset, false)
		if offset-l.block >= block {
			l.move(offset)
		}
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

// evaluate looks at every expression that may have been decided by now.
func (l *lookers) evaluate(st *Stream, offset int64, end bool) {
	for i := range l.list {
		k := &l.list[i]
		look := st.set.looks[k.look]
		if !k.signalled && !k.waiting || k.givenUp || st.Fired(int(look.trigger)) {
			continue
		}
		k.signalled = look.always || look.sticky
		l.confirm(st, k, look, offset, end)
	}
}

func (l *lookers) confirm(st *Stream, k *looker, look *look, offset int64, end bool) {
	limit := regex.Limit{Time: confirmTime}
	if l.givenUp >= maxGivenUp {
		limit.Time = hurriedTime
	}
	machine := look.machine()
	known := regex.Known{Cut: l.base > 0, End: end}
	text := unsafe.String(unsafe.SliceData(l.window), len(l.window)) // the window does not change meanwhile
	from := int(max(k.resume-l.base, 0))
	found := machine.Search(text, from, known, limit)
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
			if machine.Search(text[:mid], from, known, limit).Matched {
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
		st.looks.evaluate(st, st.offset, true)
	}
}
