package fleet

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// TestSilence: a server that has had no answer for some time is left, not at once, not again and again, and not for an answer that one does not like.
func TestSilence(t *testing.T) {
	start := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	type question struct {
		asked, heard time.Duration
		err          error
		move         bool
	}
	refused := &jetstream.APIError{Code: 400, ErrorCode: jetstream.JSErrCodeStreamWrongLastSequence}
	away := &jetstream.APIError{Code: 503, ErrorCode: noLeader}
	for name, questions := range map[string][]question{
		"one long question":      {{0, 5 * time.Second, context.DeadlineExceeded, true}},
		"a short one":            {{0, 20 * time.Millisecond, context.DeadlineExceeded, false}},
		"many short ones":        {{0, 20 * time.Millisecond, nats.ErrTimeout, false}, {3 * time.Second, 3020 * time.Millisecond, nats.ErrNoResponders, true}},
		"no leader":              {{0, time.Millisecond, away, false}, {3 * time.Second, 3 * time.Second, away, true}},
		"answers between":        {{0, 20 * time.Millisecond, nats.ErrTimeout, false}, {time.Second, time.Second, nil, false}, {3 * time.Second, 3 * time.Second, nats.ErrTimeout, false}},
		"a refusal is an answer": {{0, 20 * time.Millisecond, nats.ErrTimeout, false}, {3 * time.Second, 3 * time.Second, refused, false}, {3 * time.Second, 3 * time.Second, nats.ErrTimeout, false}},
		"a mistake":              {{0, 5 * time.Second, errors.New("mistake"), false}},
		"not again at once":      {{0, 5 * time.Second, nats.ErrTimeout, true}, {5 * time.Second, 9 * time.Second, nats.ErrTimeout, false}, {12 * time.Second, 17 * time.Second, nats.ErrTimeout, true}},
	} {
		var s silence
		for i, q := range questions {
			if got := s.heard(start.Add(q.asked), start.Add(q.heard), q.err); got != q.move {
				t.Errorf("%s, question %d: %v", name, i+1, got)
			}
		}
	}
}

// TestForbidden: a question without an answer that the servers did not allow says so; one that was asked later, or that has an answer, does not.
func TestForbidden(t *testing.T) {
	start := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	var s silence
	s.refuse(start, errors.New("slow consumer"))
	if err := s.reason(start, nats.ErrTimeout); !errors.Is(err, nats.ErrTimeout) {
		t.Error(err)
	}
	s.refuse(start, nats.ErrPermissionViolation)
	if err := s.reason(start.Add(-time.Second), nats.ErrTimeout); !errors.Is(err, nats.ErrPermissionViolation) || unanswered(err) || IsAway(err) {
		t.Error(err)
	}
	if err := s.reason(start.Add(time.Second), nats.ErrTimeout); !errors.Is(err, nats.ErrTimeout) {
		t.Error(err)
	}
	if err := s.reason(start.Add(-time.Second), nil); err != nil {
		t.Error(err)
	}
}
