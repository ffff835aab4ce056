package stream

import (
	"unicode/utf8"
	"unsafe"

	"github.com/pertain-dev/pertain/stream/internal/lanes"
)

// Firing says that a trigger has fired.
type Firing struct {
	Trigger int // index in the list that the set was compiled from
	// Offset counts the bytes of the stream up to the end of the trigger's
	// earliest-ending match; for expressions with look-around or back-references
	// up to where the match was decided.
	Offset int64
	// Decided counts the bytes that it took to decide: Offset, or one character
	// more.
	Decided int64
}

// Stream watches one text that arrives in pieces. A trigger fires once in it. It is
// not safe for concurrent use; any number of streams of one set may run at once.
type Stream struct {
	set      *Set
	walker   lanes.Walker
	offset   int64 // bytes of whole characters seen
	partial  [utf8.UTFMax - 1]byte
	held     uint8 // bytes in partial
	begun    bool
	ended    bool
	fired    []uint64                              // bit set; nil until something fired
	every    func(expression uint32, offset int64) // nil but in a scan: told every match
	verifier *verifier                             // nil if the set has nothing to verify
	found    foundList                             // scratch, empty between calls
	settled  int64                                 // what Begin told last
}

// Stream starts a new stream.
func (s *Set) Stream() *Stream {
	st := &Stream{set: s}
	st.Reset()
	return st
}

// Reset forgets everything, as at the start of a turn.
func (st *Stream) Reset() {
	s := st.set
	walker, found := st.walker, st.found
	walker.Reset(s.automaton)
	found.begin()
	found.seen, found.bytes = nil, 0 // it fires anew
	*st = Stream{set: s, walker: walker, found: found}
	if len(s.verified) > 0 {
		st.verifier = newVerifier(s)
	}
}

// Offset counts the bytes fed so far.
func (st *Stream) Offset() int64 { return st.offset + int64(st.held) }

// Whole counts the bytes of whole characters among them: the last character may
// have arrived in part.
func (st *Stream) Whole() int64 { return st.offset }

// Fired says whether a trigger has fired in this stream.
func (st *Stream) Fired(trigger int) bool {
	return st.fired != nil && st.fired[trigger>>6]&(1<<(trigger&63)) != 0
}

// Pending says whether some match up to exactly here, by a trigger that has not
// fired, may be decided by the next character or the end.
func (st *Stream) Pending() bool {
	return st.walker.Pending() || st.verifier != nil && st.verifier.waiting(st)
}

// Feed takes the next piece and gives the triggers that fire in it, in the order
// in which they were decided, then by offset, then by trigger. The slice is good
// until the next call.
func (st *Stream) Feed(piece string) []Firing {
	if piece == "" {
		return nil
	}
	st.found.begin()
	if !st.begun {
		st.begin()
	}
	if st.held > 0 {
		piece = st.complete(piece)
	}
	if cut := wholeCharacters(piece); cut < len(piece) {
		st.held = uint8(copy(st.partial[:], piece[cut:]))
		piece = piece[:cut]
	}
	for len(piece) > stretch {
		cut := stretch
		for !lanes.Boundary(piece, cut) {
			cut++
		}
		st.run(piece[:cut])
		piece = piece[cut:]
	}
	st.run(piece)
	return st.settle()
}

// stretch is how much text is run at once, in bytes: few enough that lanes which sleep
// are forgotten soon, and that one lane after the other finds it in the nearest cache.
const stretch = 256

// FeedBytes is Feed for bytes. It does not keep them.
func (st *Stream) FeedBytes(piece []byte) []Firing {
	return st.Feed(unsafe.String(unsafe.SliceData(piece), len(piece)))
}

// finish decides what the end of the text decides.
func (st *Stream) finish() {
	for _, e := range st.walker.Finish() {
		st.match(e, st.offset, st.offset)
	}
	if st.verifier != nil {
		st.verifier.finish(st, st.offset)
	}
}

// End says that nothing follows, and gives the triggers that this decides.
func (st *Stream) End() []Firing {
	st.found.begin()
	if !st.begun {
		st.begin()
	}
	if !st.ended {
		st.ended = true
		if st.held > 0 {
			// What was the start of a character is now a few broken bytes.
			tail := string(st.partial[:st.held])
			st.held = 0
			st.run(tail)
		}
		st.finish()
	}
	return st.settle()
}

// begin fires what matches nothing at all.
func (st *Stream) begin() {
	st.begun = true
	for _, e := range st.set.immediate {
		st.match(e, 0, 0)
	}
	for _, e := range st.walker.Begun() {
		st.match(e, 0, 0)
	}
	if st.verifier != nil {
		st.verifier.advance(st, 0)
	}
}

// complete puts together the character that the last piece ended in, runs it with what
// is whole after it, and gives the rest of the piece. All of the piece may be part of it.
func (st *Stream) complete(piece string) string {
	held := int(st.held)
	var buffer [2 * utf8.UTFMax]byte
	joined := append(buffer[:0], st.partial[:held]...)
	joined = append(joined, piece[:min(len(piece), utf8.UTFMax-1)]...)
	done := 0
	for utf8.FullRune(joined[done:]) {
		_, size := utf8.DecodeRune(joined[done:])
		done += size
	}
	st.run(string(joined[:done]))
	if done >= held {
		st.held = 0
		return piece[done-held:]
	}
	st.held = uint8(copy(st.partial[:], joined[done:]))
	return ""
}

// wholeCharacters gives the length of piece without a character that it ends in
// the middle of.
func wholeCharacters(piece string) int {
	if n := len(piece); n == 0 || piece[n-1] < utf8.RuneSelf {
		return n
	}
	for i := len(piece) - 1; i >= 0 && i > len(piece)-utf8.UTFMax; i-- {
		if utf8.RuneStart(piece[i]) {
			if utf8.FullRuneInString(piece[i:]) {
				break
			}
			return i
		}
	}
	return len(piece)
}

// run takes whole characters.
func (st *Stream) run(text string) {
	for _, n := range st.walker.Run(text) {
		st.matchAll(n.Matched(), n.From, n.To)
		st.matchAll(n.Matches(), n.To, n.To)
	}
	if st.verifier != nil {
		st.verifier.run(st, text)
	}
	st.offset += int64(len(text))
	st.settle() // what has fired is not looked at again in the rest of the piece
}

// matchAll takes note of the expressions that match in one state of a lane. Of thousands of them all may have fired long ago, and a text
// may come to that state with each character.
func (st *Stream) matchAll(expressions []uint32, offset, decided int64) {
	if len(expressions) <= fewMatches {
		for _, e := range expressions {
			st.match(e, offset, decided)
		}
		return
	}
	if st.found.spent(expressions) {
		return
	}
	news := false
	for _, e := range expressions {
		if st.match(e, offset, decided) {
			news = true
		}
	}
	if !news {
		st.found.spend(expressions)
	}
}

// match takes note of an expression that has matched. It is false if it will be no news when it matches again.
func (st *Stream) match(expression uint32, offset, decided int64) (news bool) {
	if st.every != nil {
		st.every(expression, offset)
		return true
	}
	e := st.set.expressions[expression]
	if e.verified >= 0 {
		return st.verifier.candidate(st, e.verified, decided)
	}
	if !st.Fired(int(e.trigger)) {
		st.found.add(Firing{int(e.trigger), offset, decided})
	}
	return false // a lane comes to the first match of a trigger first
}

// settle puts in order what was found, leaves each trigger its first, and gives all that has fired since the call began.
func (st *Stream) settle() []Firing {
	for _, f := range st.found.settle() {
		if st.fired == nil {
			st.fired = make([]uint64, (len(st.set.triggers)+63)/64)
		}
		st.fired[f.Trigger>>6] |= 1 << (f.Trigger & 63)
	}
	return st.found.list
}
