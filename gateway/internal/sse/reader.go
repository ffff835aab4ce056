package sse

import (
	"bytes"
	"errors"
	"io"
	"unsafe"
)

// ErrTooLong says that an event is longer than the reader takes.
var ErrTooLong = errors.New("an event of the stream is too long")

// Event is one event of a stream. Its bytes are good until Next waits for more of the stream, which it does
// where Ready says no.
type Event struct {
	Raw  []byte // all of it, as it came
	Name []byte // of the field event; nil: none
	Data []byte // of the fields data, with line feeds between them; nil: none
	// Rest says that the stream has ended without the empty line that ends an event.
	Rest bool
	// Plain says that its data says the same to everybody who can read it.
	Plain bool
	// Odd says that some clients may read it as another event, or as several, or as none: see Loose.
	Odd bool
	// Mixed says that it has other lines than its data, which some clients do not expect.
	Mixed bool

	item   bool   // of a list: its bytes end with the data
	memory []byte // of a copy
}

// Clone gives an event whose bytes stay.
func (e Event) Clone() (out Event) {
	out.Copy(e)
	return out
}

// maxKept is how much memory of an event is used again.
const maxKept = 4 << 10

// Copy makes an event, which was copied before or is new, a copy of another, in its memory.
func (e *Event) Copy(from Event) {
	all := e.memory[:0]
	if size := len(from.Raw) + len(from.Name) + len(from.Data); cap(all) < size || cap(all) > maxKept {
		all = make([]byte, 0, size)
	}
	keep := func(part []byte) []byte {
		if part == nil {
			return nil
		}
		at := len(all)
		all = append(all, part...)
		return all[at:len(all):len(all)]
	}
	*e = Event{Raw: keep(from.Raw), Name: keep(from.Name), Data: keep(from.Data), Rest: from.Rest, Plain: from.Plain, Odd: from.Odd, Mixed: from.Mixed, item: from.item}
	e.memory = all
}

// Reader reads a stream of events.
type Reader struct {
	source io.Reader
	limit  int
	space  []byte // memory for what is read
	buffer []byte // the part of it that was read and not given yet, from the start of the present event on
	given  int    // bytes of it that were given with the last event
	line   int    // where the present line starts
	looked int    // up to here it has no end
	quiet  int    // up to here lines were complete that say nothing; 0: none
	quiets int    // how many events in a row said nothing
	begun  bool   // the first bytes were looked at
	feed   bool   // the last line ended with CR: a line feed that follows belongs to it
	data   []span
	name   span
	named  bool
	odd    bool // see Event
	mixed  bool // see Event

	quietOdd bool // what odd was up to quiet
	ready    bool // an event has ended at line, and was not given yet
	err      error

	buffers *Buffers
	first   [1]byte // what is waited for without other memory
}

type span struct{ from, to int }

// NewReader reads events of at most limit bytes each, in memory that readers share.
func NewReader(source io.Reader, limit int, buffers *Buffers) *Reader {
	return &Reader{source: source, limit: limit, buffers: buffers}
}

// Next gives the next event, which may have no data: comments and empty lines are events, too, as many at once as
// have come together. The error is that of the source, io.EOF at its end; an event that the source has ended
// in the middle of is given before io.EOF, and not before another error.
func (r *Reader) Next() (Event, error) {
	for {
		if r.Ready() {
			return r.event(r.line), nil
		}
		if r.err != nil {
			break
		}
		if len(r.buffer)+len(r.data)*int(unsafe.Sizeof(span{})) > r.limit { // lines may be shorter than what is known of them
			r.err = ErrTooLong
			break
		}
		r.fill()
	}
	if errors.Is(r.err, io.EOF) && len(r.buffer) > 0 {
		if r.line < len(r.buffer) {
			r.field(span{r.line, len(r.buffer)})
		}
		e := r.event(len(r.buffer))
		e.Rest = true
		return e, nil
	}
	r.buffers.Give(r.space)
	r.space, r.buffer = nil, nil
	return Event{}, r.err
}

// Ready tells whether the next event is there already, so that Next does not wait for it.
func (r *Reader) Ready() bool {
	if r.ready {
		return true
	}
	if r.given > 0 {
		r.buffer = r.buffer[r.given:]
		r.given, r.line, r.looked, r.quiet = 0, 0, 0, 0
		r.forget()
	}
	r.ready = r.scan()
	return r.ready
}

// scan goes over the lines of the buffer, and says whether an event has ended; line is
// then its end.
func (r *Reader) scan() bool {
	if !r.begun {
		if len(r.buffer) < len(mark) && bytes.HasPrefix(mark, r.buffer) {
			return false // it may become the mark; only what a stream begins with is one
		}
		r.begun = true
		if bytes.HasPrefix(r.buffer, mark) {
			r.line, r.looked = len(mark), len(mark)
		}
	}
	for r.looked < len(r.buffer) {
		if r.feed {
			r.feed = false
			if r.buffer[r.looked] == '\n' {
				r.looked++
				r.line = r.looked
				continue
			}
		}
		at := lineEnd(r.buffer[r.looked:])
		if at < 0 {
			r.looked = len(r.buffer)
			break
		}
		line := span{r.line, r.looked + at}
		next := line.to + 1
		if r.buffer[line.to] == '\r' {
			if next < len(r.buffer) && r.buffer[next] == '\n' {
				next++
			} else if r.feed = next == len(r.buffer); r.feed && r.err == nil && r.followed(line) {
				r.feed = false
				break
			}
		}
		r.line, r.looked = next, next
		switch says := r.named || len(r.data) > 0; {
		case line.from < line.to:
			if r.field(line) && r.quiet > 0 {
				return r.rested()
			}
		case says:
			return true
		default: // what follows may say nothing, too
			r.quiet, r.quietOdd = r.line, r.odd
		}
	}
	return r.quiet > 0 && r.rested()
}

// followed tells whether an empty line that a CR ends will have a line feed after it, as the one before has: where an event ends is
// the same to everybody then.
func (r *Reader) followed(line span) bool {
	return line.from == line.to && bytes.HasSuffix(r.buffer[:line.from], []byte("\r\n"))
}

// rested ends the event before the lines that may say something, which are looked at once more.
func (r *Reader) rested() bool {
	if r.quiet < len(r.buffer) {
		r.feed = false
	}
	r.line, r.looked = r.quiet, r.quiet
	odd := r.quietOdd
	r.forget()
	r.odd = odd
	return true
}

// forget forgets what the lines of an event have said.
func (r *Reader) forget() {
	r.data, r.named, r.odd, r.mixed, r.quietOdd = r.data[:0], false, false, false, false
}

// firstLook is how far the end of a line is looked for at first, in bytes: most lines of a model's answer are about as long.
const firstLook = 256

// lineEnd gives where the first line of a text ends; -1: it does not. It looks about as far as that, so that short lines
// of one kind are not paid for by a search for the other in all that follows.
func lineEnd(text []byte) int {
	for from, size := 0, firstLook; from < len(text); from, size = from+size, 2*size {
		window := text[from:min(from+size, len(text))]
		feed := bytes.IndexByte(window, '\n')
		if feed >= 0 {
			window = window[:feed]
		}
		if at := bytes.IndexByte(window, '\r'); at >= 0 {
			return from + at
		}
		if feed >= 0 {
			return from + feed
		}
	}
	return -1
}

// mark is what a stream may begin with, to say that it is UTF-8.
var mark = []byte("\ufeff")

// field takes note of the line of a field, and tells whether it says something.
func (r *Reader) field(line span) bool {
	text := r.buffer[line.from:line.to]
	colon := bytes.IndexByte(text, ':')
	name, value := text, span{line.to, line.to}
	if colon >= 0 {
		name, value.from = text[:colon], line.from+colon+1
		if value.from < line.to && r.buffer[value.from] == ' ' {
			value.from++
		}
	}
	says := false
	switch string(name) {
	case "data":
		r.data = append(r.data, value)
		return true
	case "event":
		r.name, r.named, says = value, true, true
	case "", "id", "retry":
	default:
		r.odd = true
	}
	r.mixed, r.odd = true, r.odd || parts(text)
	return says
}

// event gives the event that ends at an offset of the buffer.
func (r *Reader) event(end int) Event {
	r.given, r.ready = end, false
	e := Event{Raw: r.buffer[:end], Mixed: r.mixed && len(r.data) > 0}
	e.Odd = r.odd || len(r.data) > 1 || !separated(e.Raw)
	if r.quiets++; r.named || len(r.data) > 0 {
		r.quiets = 0
	}
	if r.named {
		e.Name = r.buffer[r.name.from:r.name.to]
	}
	switch len(r.data) {
	case 0:
	case 1:
		e.Data = r.buffer[r.data[0].from:r.data[0].to]
	default:
		e.Data = make([]byte, 0, end)
		for i, s := range r.data {
			if i > 0 {
				e.Data = append(e.Data, '\n')
			}
			e.Data = append(e.Data, r.buffer[s.from:s.to]...)
		}
	}
	return e
}

// fill reads more. Who waits for a stream of which nothing is left over asks for one byte, which ends no event that has any
// fields, and holds no other memory meanwhile: streams wait most of the time. Where several in a row said nothing, one byte
// may be all of the next.
func (r *Reader) fill() {
	if len(r.buffer) == 0 && r.quiets < 2 {
		r.buffers.Give(r.space)
		r.space, r.buffer = nil, r.first[:0]
	} else if len(r.buffer) == 0 && len(r.space) > Piece { // a long event has left it
		r.space = r.buffers.Take()
		r.buffer = r.space[:0]
	} else if cap(r.buffer)-len(r.buffer) < Piece/2 { // what was given before makes room, or more memory does
		switch {
		case r.space == nil:
			r.space = r.buffers.Take()
		case cap(r.space)-len(r.buffer) < Piece/2:
			r.space = make([]byte, min(2*cap(r.space), max(r.limit, len(r.buffer))+Piece))
		}
		r.buffer = r.space[:copy(r.space, r.buffer)]
	}
	n, err := r.source.Read(r.buffer[len(r.buffer):cap(r.buffer)])
	r.buffer, r.err = r.buffer[:len(r.buffer)+n], err
}
