package stream

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"

	"github.com/pertain-dev/pertain/stream/internal/lanes"
)

// The first byte of a saved stream.
const (
	savedPlain  = 5
	savedPacked = 6 // the rest is compressed
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
	positions, fixed := st.walker.Save(), 1
	if st.set.automaton.NeedsAlways() {
		fixed = 2
	}
	b := []byte{savedPlain}
	b = binary.LittleEndian.AppendUint64(b, st.set.fingerprint)
	b = append(b, flag(st.begun)|flag(st.ended)<<1|flag(fixed == 2)<<2|flag(st.verifier != nil)<<3)
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
	for _, p := range positions[:fixed] {
		b = appendSorted(append(b, p.Before), p.Positions)
	}
	b = binary.AppendUvarint(b, uint64(len(positions)-fixed))
	for _, p := range positions[fixed:] {
		b = binary.AppendUvarint(b, uint64(p.Lane))
		b = appendSorted(append(b, p.Before), p.Positions)
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
	if !r.walker(s, st, flags&4 != 0) {
		return nil, errDamaged
	}
	if flags&8 != 0 && st.verifier != nil {
		r.verifier(s, st.verifier, st.offset)
	}
	if r.bad || len(r.bytes) > 0 || flags&8 != 0 != (len(s.verified) > 0) {
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

// walker reads where a stream is in the automaton; ok is false if it cannot be.
func (r *savedReader) walker(s *Set, st *Stream, always bool) (ok bool) {
	a := s.automaton
	if always != a.NeedsAlways() {
		return false
	}
	list := []lanes.Saved{r.position(a, lanes.TrieLane)}
	if always {
		list = append(list, r.position(a, lanes.AlwaysLane))
	}
	for range r.count(a.Lanes()) {
		lane := r.number()
		if lane >= uint64(a.Lanes()) {
			return false
		}
		list = append(list, r.position(a, uint32(lane)))
	}
	return !r.bad && st.walker.Restore(a, list, st.offset)
}

func (r *savedReader) position(a *lanes.Automaton, lane uint32) lanes.Saved {
	return lanes.Saved{Lane: lane, Before: r.byte(), Positions: r.sorted(a.Size(lane))}
}
