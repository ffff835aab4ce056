package stream

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
)

// The first byte of a saved stream.
const (
	savedPlain  = 3
	savedPacked = 4 // the rest is compressed
)

// packFrom is from how many bytes on a saved stream is compressed: a state of a
// thousand similar expressions is a list of a thousand similar steps.
const packFrom = 512

// maxSaved bounds what a saved stream may unpack to.
const maxSaved = 1 << 20

// Save gives the state of the stream as bytes that [Set.Restore] reads: below a
// kilobyte, unless the set has expressions with look-around, whose window of up to
// 64 KiB is part of it. A trigger set that is compiled from the same patterns in
// the same order can restore it, in another process too.
func (st *Stream) Save() []byte {
	b := []byte{savedPlain}
	b = binary.LittleEndian.AppendUint64(b, st.set.fingerprint)
	b = append(b, flag(st.begun)|flag(st.ended)<<1|flag(st.always != nil)<<2|flag(st.verifier != nil)<<3)
	b = binary.AppendUvarint(b, uint64(st.offset))
	b = append(b, st.held)
	b = append(b, st.partial[:st.held]...)
	var fired []uint32
	for i := range st.set.triggers {
		if st.Fired(i) {
			fired = append(fired, uint32(i))
		}
	}
	b = appendSorted(b, fired)
	b = appendState(b, st.trie)
	if st.always != nil {
		b = appendState(b, st.always)
	}
	b = binary.AppendUvarint(b, uint64(len(st.active)))
	for _, s := range st.active {
		b = binary.AppendUvarint(b, uint64(s.lane))
		b = appendState(b, s)
	}
	if st.verifier != nil {
		b = st.verifier.save(b)
	}
	if len(b) < packFrom {
		return b
	}
	packed := bytes.NewBuffer([]byte{savedPacked})
	w, _ := flate.NewWriter(packed, flate.DefaultCompression) // the level is valid
	_, _ = w.Write(b[1:])                                     // a buffer takes everything
	_ = w.Close()
	return packed.Bytes()
}

// unpack gives what follows the first byte of a saved stream.
func unpack(saved []byte) ([]byte, error) {
	switch {
	case len(saved) > 0 && saved[0] == savedPlain:
		return saved[1:], nil
	case len(saved) > 0 && saved[0] == savedPacked:
		b, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(saved[1:])), maxSaved))
		if err != nil {
			return nil, errDamaged
		}
		return b, nil
	default:
		return nil, errDamaged
	}
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}

func appendState(b []byte, s *state) []byte { return appendSorted(append(b, byte(s.before)), s.list()) }

// appendSorted writes sorted numbers by their differences.
func appendSorted(b []byte, list []uint32) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	last := uint32(0)
	for _, n := range list {
		b = binary.AppendUvarint(b, uint64(n-last))
		last = n
	}
	return b
}

// ErrOtherSet is what Restore says of a stream that was saved by a set with other
// patterns.
var ErrOtherSet = errors.New("the stream was saved with other triggers")

var errDamaged = errors.New("the saved stream is damaged")

// Restore goes on with a stream that was saved.
func (s *Set) Restore(saved []byte) (*Stream, error) {
	saved, err := unpack(saved)
	if err != nil {
		return nil, err
	}
	r := &savedReader{bytes: saved}
	if len(r.bytes) < 8 {
		return nil, errDamaged
	}
	if binary.LittleEndian.Uint64(r.bytes) != s.fingerprint {
		return nil, ErrOtherSet
	}
	r.bytes = r.bytes[8:]
	st := s.Stream()
	flags := r.byte()
	st.begun, st.ended = flags&1 != 0, flags&2 != 0
	st.offset = int64(r.number())
	st.held = r.byte()
	if int(st.held) > len(st.partial) {
		return nil, errDamaged
	}
	copy(st.partial[:], r.take(int(st.held)))
	if fired := r.sorted(len(s.triggers)); len(fired) > 0 {
		st.fired = make([]uint64, (len(s.triggers)+63)/64)
		for _, f := range fired {
			st.fired[f>>6] |= 1 << (f & 63)
		}
	}
	st.trie = r.state(s.automaton, trieLane)
	if flags&4 != 0 {
		st.always = r.state(s.automaton, alwaysLane)
	}
	for range r.count(len(s.automaton.lanes)) {
		lane := r.number()
		if lane <= alwaysLane || lane >= uint64(len(s.automaton.lanes)) {
			return nil, errDamaged
		}
		st.active = append(st.active, r.state(s.automaton, uint32(lane)))
	}
	if flags&8 != 0 && st.verifier != nil {
		r.verifier(s, st.verifier, st.offset)
	}
	if r.bad || len(r.bytes) > 0 || flags&4 != 0 != (len(s.automaton.lanes[alwaysLane].entries) > 0) || flags&8 != 0 != (len(s.verified) > 0) {
		return nil, errDamaged
	}
	return st, nil
}

// savedReader reads what Save wrote. After something that cannot be, it gives zeros.
type savedReader struct {
	bytes []byte
	bad   bool
}

func (r *savedReader) take(n int) []byte {
	if n > len(r.bytes) || r.bad {
		r.bad, r.bytes = true, nil
		return nil
	}
	out := r.bytes[:n]
	r.bytes = r.bytes[n:]
	return out
}

func (r *savedReader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *savedReader) number() uint64 {
	n, size := binary.Uvarint(r.bytes)
	if size <= 0 || n > 1<<62 {
		r.bad, r.bytes = true, nil
		return 0
	}
	r.bytes = r.bytes[size:]
	return n
}

// count reads a number of things, of which each takes a byte at least.
func (r *savedReader) count(most int) int {
	n := r.number()
	if n > uint64(most) || n > uint64(len(r.bytes)) {
		r.bad, r.bytes = true, nil
		return 0
	}
	return int(n)
}

// sorted reads sorted numbers below a bound.
func (r *savedReader) sorted(below int) []uint32 {
	var out []uint32
	last := uint64(0)
	for range r.count(below) {
		if last += r.number(); last >= uint64(below) {
			r.bad = true
			return nil
		}
		out = append(out, uint32(last))
	}
	return out
}

func (r *savedReader) state(a *automaton, lane uint32) *state {
	before := edge(r.byte())
	below := len(a.code.insts)
	if lane == trieLane {
		below = len(a.trie.nodes)
	}
	places := r.sorted(below)
	if before >= edges {
		r.bad, before = true, elsewhere
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.builder.clear()
	a.builder.places = append(a.builder.places, places...)
	return a.intern(lane, before)
}
