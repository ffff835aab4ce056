package httpapi

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// sessionHeader is where MCP's streamable HTTP keeps the id of a session.
const sessionHeader = "Mcp-Session-Id"

// sessions keeps the number of MCP sessions within a limit: many clients end
// without a word, so before one too many begins, the one that was silent for
// longest is ended. Its client, if there still is one, gets 404 and begins anew,
// as the protocol has it.
type sessions struct {
	next  http.Handler
	limit int

	mu    sync.Mutex
	known map[string]*sessionUse // by id
}

type sessionUse struct {
	last time.Time // of its last request
	busy int       // requests and streams under way
}

func newSessions(next http.Handler, limit int) *sessions {
	return &sessions{next: next, limit: limit, known: map[string]*sessionUse{}}
}

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(sessionHeader)
	switch {
	case id == "" && r.Method == http.MethodPost:
		for _, old := range s.surplus() {
			s.end(r.Context(), old)
		}
		s.next.ServeHTTP(w, r)
		s.began(w.Header().Get(sessionHeader))
	case r.Method == http.MethodDelete:
		s.next.ServeHTTP(w, r)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.known, id)
	default:
		s.use(id, 1)
		defer s.use(id, -1)
		s.next.ServeHTTP(w, r)
	}
}

func (s *sessions) began(id string) {
	if id == "" { // the request was none that begins a session
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[id] = &sessionUse{last: time.Now()}
}

func (s *sessions) use(id string, change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.known[id]; u != nil {
		u.last, u.busy = time.Now(), u.busy+change
	}
}

// surplus are the sessions that must end for one more to begin, the longest
// silent first. One that has a request or a stream under way is never among them.
func (s *sessions) surplus() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.known) >= s.limit {
		var oldest string
		for id, u := range s.known {
			if u.busy == 0 && (oldest == "" || u.last.Before(s.known[oldest].last)) {
				oldest = id
			}
		}
		if oldest == "" {
			return ids
		}
		delete(s.known, oldest)
		ids = append(ids, oldest)
	}
	return ids
}

// end asks for the end of a session as its client would.
func (s *sessions) end(ctx context.Context, id string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, "http://localhost/mcp", http.NoBody)
	if err != nil {
		return // never: the address is a constant
	}
	r.Header.Set(sessionHeader, id)
	s.next.ServeHTTP(nowhere{http.Header{}}, r)
}

// nowhere takes an answer that nobody waits for.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header         { return n.header }
func (n nowhere) WriteHeader(int)             {}
func (n nowhere) Write(p []byte) (int, error) { return len(p), nil }
