package sse

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// ErrNoList says that something else than a list of objects has come in the place of one.
var ErrNoList = errors.New("the stream is no list of objects")

// ListReader reads a JSON list as a stream, which some servers send in the place of events: each of its items is an event, with
// what stands between it and the one before. Whatever is no list of objects ends it: somebody else might read that as events.
type ListReader struct {
	source io.Reader
	limit  int
	buffer []byte // what was read and not given yet
	given  int    // bytes of it that were given with the last event
	looked int
	begin  int // of the present item, in the buffer; -1: it has not begun
	depth  int
	over   bool // the list has ended
	some   bool // an item was given
	empty  bool // the present item has nothing in it up to here
	quiet  int  // up to here items were complete that say nothing; 0: none
	quoted bool
	escape bool
	ready  bool // an event has ended at looked
	err    error
}

// NewListReader reads items of at most limit bytes each.
func NewListReader(source io.Reader, limit int) *ListReader {
	return &ListReader{source: source, limit: limit, begin: -1}
}

// Next gives the next item, and at last what ends the list, without data, or an item that has not ended. Items with nothing in them are
// given as what stands between others, but for the first of all. Its bytes are good until the next call that waits.
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
	if r.some = true; r.begin >= 0 {
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
	r.buffer, r.looked, r.given, r.quiet = r.buffer[r.given:], r.looked-r.given, 0, 0
	r.ready = r.scan()
	if !r.ready && r.quiet > 0 { // what follows is looked at once more
		r.ready, r.looked = true, r.quiet
		r.depth, r.begin, r.quoted, r.escape = 1, -1, false, false
	}
	return r.ready
}

// scan goes on to the end of an item, and tells whether there is one.
func (r *ListReader) scan() bool {
	for ; r.looked < len(r.buffer); r.looked++ {
		c := r.buffer[r.looked]
		r.empty = r.empty && (c <= ' ' || c == '}')
		switch {
		case r.escape:
			r.escape = false
		case r.quoted:
			r.escape, r.quoted = c == '\\', c != '"'
		case r.depth < 2:
			if !r.between(c) {
				r.buffer, r.quiet, r.err = r.buffer[:0], 0, ErrNoList
				return false
			}
			if r.over && c == ']' {
				r.looked++
				return true
			}
		case c == '"':
			r.quoted = true
		case c == '{' || c == '[':
			r.depth++
		case c == '}' || c == ']':
			if r.depth--; r.depth > 1 {
				break
			}
			if !r.empty || !r.some {
				r.looked++
				return true
			}
			r.begin, r.quiet = -1, r.looked+1
		}
	}
	return false
}

// between takes a byte that is not of an item; false: it is none of a list of objects.
func (r *ListReader) between(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n':
		return true
	case ',':
		return r.depth == 1
	case '[':
		begins := r.depth == 0 && !r.over
		r.depth = 1
		return begins
	case '{':
		r.depth, r.begin, r.empty = r.depth+1, r.looked, true
		return r.depth == 2
	case ']':
		ends := r.depth == 1
		r.depth, r.over = 0, true
		return ends
	}
	return r.depth == 0 && !r.over && strings.IndexByte(string(mark), c) >= 0
}

// Goes gives an item as one that goes on in a list that has begun.
func (e Event) Goes() Event {
	before := len(e.Raw) - len(e.Data)
	raw := append(bytes.Replace(bytes.Clone(e.Raw[:before]), []byte("["), []byte(","), 1), e.Data...)
	return Event{Raw: raw, Data: raw[len(raw)-len(e.Data):], item: true}
}

// AppendItem appends an item to a list that has begun.
func AppendItem(to, data []byte) []byte { return append(append(to, ",\n"...), data...) }
