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
		first := &beginning{ResponseWriter: w, sessions: s}
		defer first.end()
		s.next.ServeHTTP(first, r)
	case r.Method == http.MethodDelete:
		s.next.ServeHTTP(w, r)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.known, id)
	default:
		defer s.use(id)()
		s.next.ServeHTTP(w, r)
	}
}

// beginning is the answer to a request that may begin a session. The session is
// known before the client hears of it, and in use until the answer has ended.
type beginning struct {
	http.ResponseWriter
	sessions *sessions
	told     bool
	done     func() // nil: no session began
}

func (b *beginning) WriteHeader(status int) {
	b.begin()
	b.ResponseWriter.WriteHeader(status)
}

func (b *beginning) Write(p []byte) (int, error) {
	b.begin()
	return b.ResponseWriter.Write(p)
}

// Unwrap is for [http.ResponseController], by which streams are flushed.
func (b *beginning) Unwrap() http.ResponseWriter { return b.ResponseWriter }

func (b *beginning) begin() {
	if b.told {
		return
	}
	b.told = true
	if id := b.Header().Get(sessionHeader); id != "" { // else the request was none that begins a session
		b.sessions.mu.Lock()
		b.sessions.known[id] = &sessionUse{}
		b.sessions.mu.Unlock()
		b.done = b.sessions.use(id)
	}
}

func (b *beginning) end() {
	b.begin()
	if b.done != nil {
		b.done()
	}
}

// use counts a request or stream of a session until done is called. A session
// that is not known is not counted.
func (s *sessions) use(id string) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.known[id]
	if u == nil {
		return func() {}
	}
	u.last = time.Now()
	u.busy++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		u.last = time.Now()
		u.busy--
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
