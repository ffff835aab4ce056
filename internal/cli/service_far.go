package cli

import (
	"errors"
	"io"
	"sync"

	"github.com/pertain-dev/pertain/internal/service"
)

// maxFar is how much a command may print through the service, which a frame can hold.
const maxFar = 40 << 20

var errFarFull = errors.New("there is too much to say through the service")

// transcript is what a command prints for another, in order.
type transcript struct {
	mu     sync.Mutex
	pieces []service.Piece
	size   int
	full   bool // not all of it
}

func (t *transcript) write(toError bool, p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.full || t.size+len(p) > maxFar {
		t.full = true
		return 0, errFarFull
	}
	t.size += len(p)
	if n := len(t.pieces); n > 0 && t.pieces[n-1].Error == toError {
		t.pieces[n-1].Text = append(t.pieces[n-1].Text, p...)
	} else {
		t.pieces = append(t.pieces, service.Piece{Error: toError, Text: append([]byte{}, p...)})
	}
	return len(p), nil
}

// farOutput is an output of a command that asks the service.
type farOutput struct {
	is      service.Output
	said    *transcript
	toError bool
}

func (f *farOutput) Write(p []byte) (int, error) { return f.said.write(f.toError, p) }

// farOf is the far output that an output writes to; nil: it is none.
func farOf(w io.Writer) *farOutput {
	switch w := w.(type) {
	case *screen:
		return w.far
	case asciiWriter:
		return farOf(w.to)
	case *farOutput:
		return w
	}
	return nil
}
