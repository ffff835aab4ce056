package facts_test

import (
	"context"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// scripted is a collector that does what a test tells it.
type scripted struct {
	id         string
	serves     []string
	permission string

	refuses  bool          // CanCollect is false
	thinks   time.Duration // CanCollect takes this long, whatever its context says
	takes    time.Duration // Collect takes this long, or until its context ends
	deaf     bool          // Collect does not look at its context
	holds    chan struct{} // Collect waits until this is closed, whatever its context says
	part     facts.Part
	err      error
	ended    error // what Collect returns when its context has ended; nil: the context's error
	salvages bool  // Collect returns part when its context has ended

	mu       sync.Mutex
	requests [][]string // what Collect was asked for, call by call
	asked    int        // how often CanCollect was
	now      int        // calls under way
	most     int        // of those, the most at a time
}

func (s *scripted) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: s.id, Serves: s.serves, Permission: s.permission}
}

func (s *scripted) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool {
	s.mu.Lock()
	s.asked++
	s.mu.Unlock()
	time.Sleep(s.thinks)
	return !s.refuses
}

func (s *scripted) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	s.mu.Lock()
	s.requests = append(s.requests, request.Needs.Names())
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.now--
		s.mu.Unlock()
	}()
	if s.holds != nil {
		<-s.holds
	}
	if s.deaf {
		time.Sleep(s.takes)
		return s.part, s.err
	}
	select {
	case <-time.After(s.takes):
		return s.part, s.err
	case <-ctx.Done():
		if s.salvages {
			return s.part, nil
		}
		if s.ended != nil {
			return facts.Part{}, s.ended
		}
		return facts.Part{}, ctx.Err()
	}
}

func (s *scripted) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func (s *scripted) asks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *scripted) atOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// tab is a part as a browser's collector gives it.
func tab(url string) facts.Part {
	return facts.Part{}.With("extra.browser.active_tab.url", facts.Text(url))
}

func needs(names ...string) facts.Needs {
	var n facts.Needs
	n.Add(names...)
	return n
}
