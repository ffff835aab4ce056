package httpapi

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/pertain-dev/pertain"
)

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
