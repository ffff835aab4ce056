package cond

import "time"

// Steps stands in for the clock: time passes only in slow operations, and they
// take what Cost says.
type Steps struct {
	Cost func(what string) time.Duration
	gone time.Duration
}

// Use makes an evaluation go by the steps.
func (s *Steps) Use(ev *Evaluation) *Evaluation {
	ev.clock = s
	return ev
}

func (s *Steps) now() time.Time { return time.Unix(1, 0).Add(s.gone) }

func (s *Steps) take(what string, limit time.Duration) bool {
	cost := s.Cost(what)
	s.gone += min(cost, limit)
	return cost <= limit
}
