package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
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

const (
	queued     = 16 // events that a stream may be behind
	remembered = 64 // events that a stream can catch up on
)

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

// Events that streams carry.
const (
	changeEvent          = "change"          // {"part": "strategies|rules|context"}
	recommendationsEvent = "recommendations" // {"ids": [...]}: what is recommended now, when that is something else
	noticeEvent          = "notice"          // {"code", "message"}: to be shown to the user (docs/reference/json.md)
)

// gatherNews is how long changes are put together: a checkout changes many files
// at once, and a user who types changes the context with every key.
const gatherNews = 150 * time.Millisecond

// watch turns changes of the workspace into events until ctx ends. The context
// is watched only while somebody listens.
func (s *Server) watch(ctx context.Context) {
	news := make(chan string)
	tell := func(part string) {
		select {
		case news <- part:
		case <-ctx.Done():
		}
	}
	var done sync.WaitGroup
	defer done.Wait()
	done.Go(func() {
		if err := s.workspace.Watch(ctx, tell); err != nil {
			s.logger.Warn("files are not watched", "error", err)
		}
	})
	var leave func() // ends watching the context; nil: it is not watched
	var parts []string
	var due <-chan time.Time
	var last []string // ids; nil: not matched yet
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.events.turned:
			if listened := s.events.count() > 0; listened && leave == nil {
				leave = s.watchContext(ctx, &done, tell)
			} else if !listened && leave != nil {
				leave()
				leave = nil
			}
		case part := <-news:
			if !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
			if due == nil {
				due = time.After(gatherNews)
			}
		case <-due:
			for _, part := range parts {
				s.events.send(newEvent(changeEvent, map[string]string{"part": part}))
			}
			if s.events.count() > 0 && !slices.Equal(parts, []string{"rules"}) {
				last = s.tellRecommendations(ctx, last)
			}
			parts, due = nil, nil
		}
	}
}

// watchContext begins to follow the context and returns how to end that. A
// desktop that cannot be watched is looked at when a client asks.
func (s *Server) watchContext(ctx context.Context, done *sync.WaitGroup, tell func(part string)) (leave func()) {
	ctx, stop := context.WithCancel(ctx)
	done.Go(func() {
		defer stop()
		_ = s.workspace.WatchContext(ctx, func() { tell("context") })
	})
	return stop
}

// tellRecommendations sends what is recommended, if it is not what was.
func (s *Server) tellRecommendations(ctx context.Context, last []string) []string {
	ctx, stop := context.WithTimeout(ctx, s.limits.Time)
	defer stop()
	snapshot, _, err := s.workspace.Snapshot(ctx, "")
	if err != nil {
		return last
	}
	m, err := s.workspace.Engine().Match(ctx, snapshot, pertain.MatchOptions{})
	if err != nil {
		return last
	}
	if len(m.Notices) > 0 && s.events.mayNotice(time.Now()) {
		for _, n := range m.Notices {
			s.events.send(newEvent(noticeEvent, map[string]string{"code": n.Code, "message": n.Message}))
		}
	}
	ids := []string{}
	for _, c := range m.Candidates {
		ids = append(ids, c.Strategy.ID)
	}
	if last == nil || !slices.Equal(last, ids) {
		s.events.send(newEvent(recommendationsEvent, map[string][]string{"ids": ids}))
	}
	return ids
}

func newEvent(name string, data any) event {
	text, _ := json.Marshal(data) // maps of strings always marshal
	return event{name: name, data: visible.JSON(text)}
}

// serveEvents is a stream of server-sent events. Clients that cannot set headers
// (EventSource) cannot send the token; the page reads the stream with fetch. A
// client that was cut off sends Last-Event-ID and gets what it missed.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream")
		return
	}
	queue, missed, at, ok := s.events.join(r.Header.Get("Last-Event-ID"))
	if !ok {
		w.Header().Set("Retry-After", "30")
		writeError(w, fail(http.StatusServiceUnavailable, "busy", "there are too many event streams"))
		return
	}
	defer s.events.leave(queue)
	s.metrics.streams.Add(1)
	defer s.metrics.streams.Add(-1)
	control := http.NewResponseController(w)
	write := func(text string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(10 * time.Second)) // a client that does not read is let go
		if _, err := w.Write([]byte(text)); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	_ = control.SetReadDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	if !write(": events follow\nretry: 2000\n\n") {
		return
	}
	for _, e := range missed {
		if !write(s.events.text(e)) {
			return
		}
	}
	if !write("id: " + at + "\n\n") { // for a client that is cut off before its first event
		return
	}
	beat := time.NewTicker(s.limits.Heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-s.events.ctx.Done():
			return
		case <-beat.C:
			if !write(": alive\n\n") {
				return
			}
		case e, ok := <-queue:
			if !ok || !write(s.events.text(e)) {
				return
			}
		}
	}
}
