package fleet

import (
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Times of silence.
const (
	silentFor = 2 * time.Second  // without any answer, before another server is tried
	moveEvery = 10 * time.Second // at most: where no server has an answer, going round helps nobody
)

// silence is how long a server that one is connected to has had no answer. A server that is cut off from the others takes questions and has
// no answers, while the others have: a client that stays with it is cut off, too.
type silence struct {
	mu    sync.Mutex
	since time.Time // when the first question was asked that has no answer; zero: the last one had
	moved time.Time

	refusal   error // the last that servers did not allow, of which who asked hears nothing
	refusedAt time.Time
}

// refuse notes what servers do not allow.
func (s *silence) refuse(now time.Time, err error) {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal, s.refusedAt = err, now
}

// reason is why a question that was asked at a time has no answer: it was not allowed, or what err says.
func (s *silence) reason(asked time.Time, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refusal == nil || s.refusedAt.Before(asked) || !unanswered(err) {
		return err
	}
	return &forbiddenError{s.refusal}
}

// forbiddenError is a question that the servers do not allow with these credentials.
type forbiddenError struct{ refusal error }

func (e *forbiddenError) Error() string {
	return "the fleet's servers do not allow it with these credentials: " + e.refusal.Error()
}

func (e *forbiddenError) Unwrap() error { return e.refusal }

// heard notes what became of a question that was asked at a time. It tells whether it is time to go to another server.
func (s *silence) heard(asked, now time.Time, err error) (move bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !unanswered(err):
		s.since = time.Time{}
		return false
	case s.since.IsZero() || asked.Before(s.since):
		s.since = asked
	}
	if now.Sub(s.since) < silentFor || now.Sub(s.moved) < moveEvery {
		return false
	}
	s.since, s.moved = time.Time{}, now
	return true
}

// noLeader is the code by which a server says that it cannot ask those who decide.
const noLeader = 10008

// unanswered tells whether an error says that nobody has decided anything: neither yes nor no.
func unanswered(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.ErrorCode == noLeader
	}
	return err != nil && (IsAway(err) || errors.Is(err, jetstream.ErrNoStreamResponse))
}

// hear notes what became of a question, and goes to another server where this one has had no answers for some time. It gives the reason.
func (f *Fleet) hear(asked time.Time, err error) error {
	err = f.silence.reason(asked, err)
	if !f.silence.heard(asked, time.Now(), err) || len(f.config.URLs) < 2 {
		return err
	}
	f.mu.Lock()
	conn := f.conn
	f.mu.Unlock()
	if conn != nil && conn.Status() == nats.CONNECTED {
		go func() { _ = conn.ForceReconnect() }() // what is sent still may wait for the network
	}
	return err
}

// moving tells whether the connection is on its way to another server: what is asked now fails at once, and not in a moment.
func (f *Fleet) moving() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.conn != nil && f.conn.IsReconnecting()
}
