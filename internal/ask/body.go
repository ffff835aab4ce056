package ask

import (
	"context"
	"io"
	"mime"
	"net/http"
	"slices"
	"sync"

	"github.com/pertain-dev/pertain/gateway"
)

// note is what a rule did.
type note struct {
	rule   string
	action gateway.Action
}

// part is a part of an answer, or a note between two.
type part struct {
	data []byte
	note *note
}

// maxAhead is how many bytes may wait for whoever reads.
const maxAhead = 1 << 20

// body is the body of an answer: a pipe in which notes keep their places. A note is told
// when the reader comes to it, that is when it has used everything before it.
type body struct {
	stop  context.CancelFunc
	heard Listener

	mu     sync.Mutex
	moved  *sync.Cond
	parts  []part
	size   int
	err    error // how it ends; nil: not yet
	closed bool
}

func newBody(stop context.CancelFunc, heard Listener) *body {
	b := &body{stop: stop, heard: heard}
	b.moved = sync.NewCond(&b.mu)
	return b
}

func (b *body) add(data []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.size > maxAhead && !b.closed {
		b.moved.Wait()
	}
	if b.closed {
		return io.ErrClosedPipe
	}
	if len(data) > 0 {
		b.parts, b.size = append(b.parts, part{data: slices.Clone(data)}), b.size+len(data)
		b.moved.Broadcast()
	}
	return nil
}

func (b *body) note(n note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.parts = append(b.parts, part{note: &n})
	b.moved.Broadcast()
}

func (b *body) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
	b.moved.Broadcast()
}

// Read gives no more than one part, so that nothing after a note is read with what is
// before it.
func (b *body) Read(p []byte) (int, error) {
	for {
		next, err := b.next()
		switch {
		case err != nil:
			return 0, err
		case next.note != nil:
			b.heard.Rule(next.note.rule, next.note.action)
			continue
		}
		n := copy(p, next.data)
		if n < len(next.data) {
			b.mu.Lock()
			b.parts = slices.Insert(b.parts, 0, part{data: next.data[n:]})
			b.size += len(next.data) - n
			b.mu.Unlock()
		}
		return n, nil
	}
}

func (b *body) next() (part, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.parts) == 0 && b.err == nil && !b.closed {
		b.moved.Wait()
	}
	switch {
	case b.closed:
		return part{}, http.ErrBodyReadAfterClose
	case len(b.parts) == 0:
		return part{}, b.err
	}
	first := b.parts[0]
	b.parts, b.size = b.parts[1:], b.size-len(first.data)
	b.moved.Broadcast()
	return first, nil
}

// Close ends the request as well.
func (b *body) Close() error {
	b.mu.Lock()
	b.closed = true
	b.moved.Broadcast()
	b.mu.Unlock()
	b.stop()
	return nil
}

func isEvents(h http.Header) bool {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return media == "text/event-stream"
}

// lines leaves comments out of a stream of events, and empty lines that end no event.
type lines struct {
	inside  bool // of a line
	comment bool // which is one
	field   bool // the event has a field
	out     []byte
}

func (l *lines) fields(p []byte) []byte {
	l.out = l.out[:0]
	for _, c := range p {
		begins := !l.inside
		switch {
		case begins && c == ':':
			l.inside, l.comment = true, true
		case begins && (c == '\n' || c == '\r'):
			if l.field {
				l.out = append(l.out, c)
			}
			l.field = l.field && c == '\r' // the line feed after it is still to come
		case c == '\n':
			if !l.comment {
				l.out = append(l.out, c)
			}
			l.inside, l.comment = false, false
		default:
			l.inside = true
			if !l.comment {
				l.field, l.out = true, append(l.out, c)
			}
		}
	}
	return l.out
}
