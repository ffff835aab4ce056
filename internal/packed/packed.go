// Package packed writes texts and numbers one after the other, each text with its length before it: what one process keeps for
// the next, where reading JSON would take longer than everything else.
//
// Use [Writer], and read the same things in the same order with a [Reader]. What was not written so is noted, never a panic.
package packed

import "encoding/binary"

// Writer collects what is written; the zero value is empty.
type Writer struct{ out []byte }

// Bytes is all that was written.
func (w *Writer) Bytes() []byte { return w.out }

// Count writes a number that is not negative.
func (w *Writer) Count(n int) { w.out = binary.AppendUvarint(w.out, uint64(n)) }

// Text writes a text.
func (w *Writer) Text(s string) {
	w.Count(len(s))
	w.out = append(w.out, s...)
}

// Flag writes true or false.
func (w *Writer) Flag(b bool) {
	n := 0
	if b {
		n = 1
	}
	w.Count(n)
}

// List writes texts, and tells an empty list from none.
func (w *Writer) List(list []string) {
	w.Flag(list != nil)
	w.Count(len(list))
	for _, s := range list {
		w.Text(s)
	}
}

// Reader reads what a Writer wrote. Texts are parts of what it reads from.
type Reader struct {
	rest   string
	failed bool
}

// NewReader begins at the start of a text.
func NewReader(text string) *Reader { return &Reader{rest: text} }

// Failed tells that something was not written by a Writer.
func (r *Reader) Failed() bool { return r.failed }

// Done tells that everything was read, and was what it should be.
func (r *Reader) Done() bool { return !r.failed && r.rest == "" }

func (r *Reader) fail() { r.failed, r.rest = true, "" }

func (r *Reader) number() uint64 {
	var n uint64
	for i := range min(len(r.rest), binary.MaxVarintLen64) {
		b := r.rest[i]
		if i == binary.MaxVarintLen64-1 && b > 1 {
			break // beyond 64 bits
		}
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
	}
	r.fail()
	return 0
}

// Number reads a number of any size up to most.
func (r *Reader) Number(most int) int {
	n := r.number()
	if n > uint64(most) {
		r.fail()
		return 0
	}
	return int(n)
}

// Count reads a number of things, each of which takes a byte at least.
func (r *Reader) Count() int {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.fail()
		return 0
	}
	return int(n)
}

// Text reads a text.
func (r *Reader) Text() string {
	n := r.Count()
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// Flag reads true or false.
func (r *Reader) Flag() bool { return r.number() != 0 }

// List reads texts.
func (r *Reader) List() []string {
	is := r.Flag()
	out := make([]string, 0, r.Count())
	for range cap(out) {
		out = append(out, r.Text())
	}
	if !is || r.failed {
		return nil
	}
	return out
}
