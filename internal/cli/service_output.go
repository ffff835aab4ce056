package cli

import (
	"errors"
	"io"
	"sync"

	"github.com/pertain-dev/pertain/internal/service"
)

// maxRelayed is how much a command may print through the service, which a frame can hold.
const maxRelayed = 40 << 20

var errRelayFull = errors.New("there is too much to say through the service")

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
	if t.full || t.size+len(p) > maxRelayed {
		t.full = true
		return 0, errRelayFull
	}
	t.size += len(p)
	if n := len(t.pieces); n > 0 && t.pieces[n-1].Error == toError {
		t.pieces[n-1].Text = append(t.pieces[n-1].Text, p...)
	} else {
		t.pieces = append(t.pieces, service.Piece{Error: toError, Text: append([]byte{}, p...)})
	}
	return len(p), nil
}

// relayedOutput is an output of a command that asks the service.
type relayedOutput struct {
	is      service.Output
	said    *transcript
	toError bool
}

func (f *relayedOutput) Write(p []byte) (int, error) { return f.said.write(f.toError, p) }

// relayedBy is the relayed output that an output writes to; nil: it is none.
func relayedBy(w io.Writer) *relayedOutput {
	switch w := w.(type) {
	case *screen:
		return w.relayed
	case asciiWriter:
		return relayedBy(w.to)
	case *relayedOutput:
		return w
	}
	return nil
}
