package sse

import (
	"bytes"
	"errors"
	"io"
)

// ListReader reads a JSON list as a stream, which some servers send in the place of events: each of its items that is an
// object or a list is an event, with what stands between it and the one before.
type ListReader struct {
	source io.Reader
	limit  int
	buffer []byte // what was read and not given yet
	given  int    // bytes of it that were given with the last event
	looked int
	begin  int // of the present item, in the buffer; -1: it has not begun
	depth  int
	quoted bool
	escape bool
	ready  bool // an event has ended at looked
	err    error
}

// NewListReader reads items of at most limit bytes each.
func NewListReader(source io.Reader, limit int) *ListReader {
	return &ListReader{source: source, limit: limit, begin: -1}
}

// Next gives the next item, and at last what ends the list, without data, or an item that has not ended. Its bytes are good until the next call that waits.
func (r *ListReader) Next() (Event, error) {
	for !r.Ready() {
		if r.err != nil {
			if errors.Is(r.err, io.EOF) && len(r.buffer) > 0 {
				r.given = len(r.buffer)
				e := Event{Raw: r.buffer, Rest: true, item: true}
				if r.begin >= 0 {
					e.Data = r.buffer[r.begin:]
				}
				r.begin = -1
				return e, nil
			}
			return Event{}, r.err
		}
		if len(r.buffer) > r.limit {
			r.err = ErrTooLong
			continue
		}
		r.fill()
	}
	r.ready, r.given = false, r.looked
	e := Event{Raw: r.buffer[:r.looked], item: true}
	if r.begin >= 0 {
		e.Data = r.buffer[r.begin:r.looked]
	}
	r.begin = -1
	return e, nil
}

func (r *ListReader) fill() {
	if cap(r.buffer)-len(r.buffer) < Piece/2 { // what was given stays where it is
		r.buffer = append(make([]byte, 0, 2*len(r.buffer)+Piece), r.buffer...)
	}
	n, err := r.source.Read(r.buffer[len(r.buffer):cap(r.buffer)])
	r.buffer, r.err = r.buffer[:len(r.buffer)+n], err
}

// Ready tells whether the next item is there already.
func (r *ListReader) Ready() bool {
	if r.ready {
		return true
	}
	r.buffer, r.looked, r.given = r.buffer[r.given:], r.looked-r.given, 0
	for ; r.looked < len(r.buffer); r.looked++ {
		switch c := r.buffer[r.looked]; {
		case r.escape:
			r.escape = false
		case r.quoted:
			r.escape, r.quoted = c == '\\', c != '"'
		case c == '"':
			r.quoted = true
		case c == '{' || c == '[':
			if r.depth++; r.depth == 2 {
				r.begin = r.looked
			}
		case c == '}' || c == ']':
			if r.depth--; r.depth <= 1 {
				r.looked++
				r.ready = true
				return true
			}
		}
	}
	return false
}

// Goes gives an item as one that goes on in a list that has begun.
func (e Event) Goes() Event {
	before := len(e.Raw) - len(e.Data)
	raw := append(bytes.Replace(bytes.Clone(e.Raw[:before]), []byte("["), []byte(","), 1), e.Data...)
	return Event{Raw: raw, Data: raw[len(raw)-len(e.Data):], item: true}
}

// AppendItem appends an item to a list that has begun.
func AppendItem(to, data []byte) []byte { return append(append(to, ",\n"...), data...) }
