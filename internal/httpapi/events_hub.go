package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/visible"
)

// event is one thing that happened: a name and its data, never values of the
// context.
type event struct {
	name   string
	data   []byte
	number int // of this server's events, from 1; 0: not one of them
}

// hub hands events to the streams. A stream that does not keep up is ended: its
// client asks again and looks at everything.
type hub struct {
	ctx    context.Context // ends with the server
	close  context.CancelFunc
	limit  int
	turned chan struct{} // told when the first stream comes and when the last one leaves
	run    string        // tells this server's events from those of an earlier one
	mu     sync.Mutex
	queues map[chan event]bool
	past   []event   // the last ones, for streams that were interrupted
	sent   int       // how many there were
	told   time.Time // when streams were told of a notice
}

func newHub(limit int) *hub {
	h := &hub{limit: limit, turned: make(chan struct{}, 1), run: rand.Text()[:8], queues: map[chan event]bool{}}
	h.ctx, h.close = context.WithCancel(context.Background())
	return h
}

// join makes a queue; ok is false if there are too many. last is the id of the
// last event that the client has seen, or empty; missed is what came after it,
// and at where that leads to.
func (h *hub) join(last string) (queue chan event, missed []event, at string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queues) >= h.limit {
		return nil, nil, "", false
	}
	queue = make(chan event, queued)
	h.queues[queue] = true
	h.turn()
	return queue, h.since(last), fmt.Sprintf("%s-%d", h.run, h.sent), true
}

// since are the events after one; where they are not known any more, that
// everything may be another; mu is held.
func (h *hub) since(last string) []event {
	if last == "" {
		return nil
	}
	run, number, _ := strings.Cut(last, "-")
	n, err := strconv.Atoi(number)
	if err != nil || run != h.run || n < 0 || n > h.sent || h.sent-n > len(h.past) {
		var all []event
		for _, part := range []string{"strategies", "rules", "skills", "context"} {
			all = append(all, newEvent(changeEvent, map[string]string{"part": part}))
		}
		return all
	}
	return slices.Clone(h.past[len(h.past)-(h.sent-n):])
}

// text is the event as a stream carries it.
func (h *hub) text(e event) string {
	if e.number == 0 {
		return fmt.Sprintf("event: %s\ndata: %s\n\n", e.name, e.data)
	}
	return fmt.Sprintf("id: %s-%d\nevent: %s\ndata: %s\n\n", h.run, e.number, e.name, e.data)
}

func (h *hub) leave(queue chan event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.queues[queue] {
		delete(h.queues, queue)
		close(queue)
	}
	h.turn()
}

// turn wakes whoever waits for streams to come or go.
func (h *hub) turn() {
	select {
	case h.turned <- struct{}{}:
	default:
	}
}

func (h *hub) send(e event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sent++
	e.number = h.sent
	if len(h.past) == remembered {
		h.past = slices.Delete(h.past, 0, 1)
	}
	h.past = append(h.past, e)
	for queue := range h.queues {
		select {
		case queue <- e:
		default:
			delete(h.queues, queue)
			close(queue)
		}
	}
}

// mayNotice tells whether streams have been left in peace for long enough.
func (h *hub) mayNotice(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.told.IsZero() && now.Sub(h.told) < pertain.NoticeGap {
		return false
	}
	h.told = now
	return true
}

func (h *hub) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.queues)
}

func newEvent(name string, data any) event {
	text, _ := json.Marshal(data) // maps of strings always marshal
	return event{name: name, data: visible.JSON(text)}
}

const (
	queued     = 16 // events that a stream may be behind
	remembered = 64 // events that a stream can catch up on
)
