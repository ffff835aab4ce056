package gateway

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
)

// requestWeight is how many bytes of memory one of a request takes: as it came, as it is read, and as it is sent on.
const requestWeight = 4

// errBusy says that other requests hold too much for this one.
var errBusy = errors.New("other requests hold too much")

// held is the memory that all exchanges under way may hold together.
type held struct {
	size int64
	used atomic.Int64
}

// holding is what one exchange has of it. It belongs to one goroutine.
type holding struct {
	of    *held
	bytes int64
}

// take takes so many bytes more; false: there are not so many left.
func (h *holding) take(n int64) bool {
	if h.of.used.Add(n) > h.of.size {
		h.of.used.Add(-n)
		return false
	}
	h.bytes += n
	return true
}

// reach takes as many as there are missing up to n.
func (h *holding) reach(n int64) bool { return n <= h.bytes || h.take(n-h.bytes) }

func (h *holding) release() {
	h.of.used.Add(-h.bytes)
	h.bytes = 0
}

// heldReader counts what is read. It asks for some at a time.
type heldReader struct {
	io.Reader

	holding *holding
	weight  int64
	left    int64 // bytes that were asked for and not read yet
}

const heldPiece = 64 << 10

func (r *heldReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for r.left -= int64(n); r.left < 0; r.left += heldPiece {
		if !r.holding.take(heldPiece * r.weight) {
			return n, errBusy
		}
	}
	return n, err
}

// keepWeight is how much memory a byte of an answer takes: what was said is kept until the answer ends, and grows by doubling.
const keepWeight = 4

// keeps counts what is kept of an event; false: it is more than there is memory for.
func (s *streaming) keeps(r *reading) bool {
	for i := range r.said {
		s.kept += int64(len(r.said[i].text))
	}
	for ; s.kept >= heldPiece; s.kept -= heldPiece {
		if !s.holding.take(heldPiece * keepWeight) {
			return false
		}
	}
	return true
}

// busy answers that there is no memory for the request now; agents ask again.
func (x *exchange) busy() {
	x.w.Header().Set("Retry-After", "2")
	x.fail(http.StatusServiceUnavailable, "busy", "other requests hold all the memory that this gateway takes; ask again in a moment")
}
