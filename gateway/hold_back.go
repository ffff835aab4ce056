package gateway

import (
	"time"

	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// free tells whether no rule can need an event any more.
func (s *streaming) free(r *reading) bool {
	if r.waits && s.waiting {
		return false
	}
	for i := range r.said {
		if p := s.judge.known(&r.said[i]); p != nil && p.holds(&r.said[i]) {
			return false
		}
	}
	return true
}

// holds tells whether a text or call is held back from something that was said on.
func (p *spoken) holds(s *said) bool {
	if !p.watched || p.ended {
		return false
	}
	switch s.what {
	case callBegin, callName, callPiece, callVersion:
		return true
	case textPiece, thinkingPiece:
		return s.to > p.begin
	case thinkingProof, streamEnd:
	}
	return false
}

// release gives the client what it may have, in order, and what is more than may be held
// of texts. late says that the time is over of what was held for longest.
func (s *streaming) release(late bool) {
	var now time.Time
	if late {
		now = time.Now()
	}
	for len(s.held) > 0 {
		next := &s.held[0]
		if !s.free(&next.reading) {
			over := s.text > s.gateway.limits.Text || late && now.Sub(next.at) >= s.gateway.limits.Wait
			if !over || s.calls(&next.reading) {
				break
			}
		}
		s.bytes -= len(next.event.Raw)
		s.text -= next.reading.size()
		s.give(next.event, &next.reading)
		s.held = s.held[1:]
	}
	if len(s.held) == 0 {
		s.held = s.spare[:0]
		return
	}
	if s.timer == nil && !s.calls(&s.held[0].reading) {
		s.timer = time.AfterFunc(max(s.gateway.limits.Wait-time.Since(s.held[0].at), time.Millisecond), s.late)
	}
}

// calls tells whether an event belongs to a call that is not whole, or to something that has not ended to some: nobody knows what it is.
func (s *streaming) calls(r *reading) bool {
	if r.waits && s.waiting {
		return true
	}
	for i := range r.said {
		p := s.judge.known(&r.said[i])
		if p != nil && p.kind == callBlock && p.holds(&r.said[i]) {
			return true
		}
	}
	return false
}

// late is called when something was held for long.
func (s *streaming) late() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = nil
	if !s.finished {
		s.release(true)
		s.flushNow()
	}
}

// maxSpare is for how many events memory is kept from one time to the next.
const maxSpare = 64

// hold keeps an event back, and tells whether that is not too much. What was read of it is good until the next
// one, and copied, into the memory of one that was held before.
func (s *streaming) hold(event sse.Event, r reading) bool {
	if len(s.held) == cap(s.held) {
		s.held = append(s.held, heldEvent{})
	} else {
		s.held = s.held[:len(s.held)+1]
	}
	if len(s.held) == 1 {
		if s.spare = s.held; cap(s.spare) > maxSpare {
			s.spare = nil
		}
	}
	last := &s.held[len(s.held)-1]
	said := append(last.reading.said[:0], r.said...)
	last.event.Copy(event)
	last.reading, last.at = r, time.Now()
	last.reading.said = said
	s.text += r.size()
	if s.bytes += len(event.Raw); s.bytes > s.gateway.limits.Call || !s.holding.reach(s.before+2*int64(s.bytes)) {
		s.drop()
		return false
	}
	return true
}

// drop forgets what the client has not got.
func (s *streaming) drop() { s.held, s.bytes, s.text = nil, 0, 0 }
