package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/document"
)

// memoryBudget is the memory that all requests under way may hold together. It is a
// guess, made of what can be seen of a request before it is understood.
type memoryBudget struct {
	size int64
	used atomic.Int64
}

// What a request is taken to hold, by how much larger a server becomes that answers
// one, or four at a time, with a context of 16 MiB of text, or of 2 to 8 MiB of
// values: what is garbage already and not yet collected included.
const (
	freeBytes    = 64 << 10 // of a request and of its answer: small ones are never kept waiting by large ones
	byteWeight   = 8        // bytes for each byte of a request: as it came, as a text, and in the form that texts are compared in
	valueWeight  = 352      // bytes for each value of a list or object
	objectWeight = 128      // bytes for each object
)

// weightOf is what a piece of a request is taken to hold.
func weightOf(piece []byte) int64 {
	return int64(len(piece))*byteWeight + int64(bytes.Count(piece, []byte{','}))*valueWeight + int64(bytes.Count(piece, []byte{'{'}))*objectWeight
}

// yamlWeight is what a value of a context in YAML holds beside its text, in bytes: its reader keeps a node for each, and where it
// stands. YAML marks values in more ways than JSON does.
const yamlWeight = 512

// yamlMarks are what begins, or ends, a value of YAML.
const yamlMarks = "\n,:[{"

// weightOfYAML is what reading a context, or what is above the text of a strategy, holds beside what was counted as it came; 0: it is JSON, or more than is read.
func weightOfYAML(data []byte) int64 {
	if len(data) > document.MaxYAML || json.Valid(data) {
		return 0
	}
	values := int64(0)
	for _, mark := range []byte(yamlMarks) {
		values += int64(bytes.Count(data, []byte{mark}))
	}
	return values * yamlWeight
}

// holdingKey is where a request's holding is in its context.
type holdingKey struct{}

// takeYAML takes what a context in YAML holds beside its text, from the budget of the request that a context belongs to.
func takeYAML(ctx context.Context, data []byte) error {
	weight := weightOfYAML(data)
	h, _ := ctx.Value(holdingKey{}).(*holding)
	switch {
	case h == nil || weight <= freeBytes*byteWeight:
		return nil
	case weight > h.memoryBudget.size: // it would never fit
		return &heavyError{http.MaxBytesError{Limit: document.MaxYAML}}
	case !h.take(weight):
		return errBusy
	}
	return nil
}

// treeWeight is what a server holds for each byte that a condition's tree counts as (cond.Evaluation.SetRoom): the tree, its
// JSON as it grows, and the answer that this becomes.
const treeWeight = 8

// treeRoom takes what the tree of a condition holds from the budget of the request that it is made for.
func treeRoom(ctx context.Context) func(bytes int) error {
	h, _ := ctx.Value(holdingKey{}).(*holding)
	if h == nil {
		return nil
	}
	return func(bytes int) error {
		weight := int64(bytes) * treeWeight
		switch {
		case h.held+weight > h.memoryBudget.size: // it would never fit
			return &heavyError{http.MaxBytesError{Limit: h.memoryBudget.size}}
		case !h.take(weight):
			return errBusy
		}
		return nil
	}
}

// errBusy says that there is no memory left now.
var errBusy = &busyError{}

type busyError struct{}

func (*busyError) Error() string { return "too many requests at the same time; try again" }

// RetryAfter is how long a client should wait before it tries again.
func (*busyError) RetryAfter() time.Duration { return time.Second }

// heavyError says that one request would take more memory than all may together. To who
// asks only for that, it is a request that is too large.
type heavyError struct{ large http.MaxBytesError }

func (*heavyError) Error() string {
	return "the request has so many values, or so much text, that it would take more memory than all requests may have together; leave out what is not needed, such as items of long lists and far parts of the visible tree, or send it in parts"
}

func (e *heavyError) Unwrap() error { return &e.large }

// holding is what one request holds of the budget.
type holding struct {
	memoryBudget *memoryBudget
	held         int64
}

// take takes more, if there is as much.
func (h *holding) take(n int64) bool {
	if n <= 0 {
		return true
	}
	if h.memoryBudget.used.Add(n) > h.memoryBudget.size {
		h.memoryBudget.used.Add(-n)
		return false
	}
	h.held += n
	return true
}

// leave gives everything back.
func (h *holding) leave() {
	h.memoryBudget.used.Add(-h.held)
	h.held = 0
}

// heldBody is the body of a request, counted as it comes: what is announced need
// not come.
type heldBody struct {
	io.ReadCloser
	holding *holding
	limit   int64 // bytes of a request
	read    int64
	weight  int64
}

func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	b.weight += weightOf(p[:n])
	switch {
	case b.read <= freeBytes:
		return n, err
	case b.weight > b.holding.memoryBudget.size: // it would never fit
		return n, &heavyError{http.MaxBytesError{Limit: b.limit}}
	case !b.holding.take(b.weight - b.holding.held):
		return n, errBusy
	}
	return n, err
}
