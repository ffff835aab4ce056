package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/gateway/internal/sse"
	"github.com/pertain-dev/pertain/stream"
)

// streaming is an answer that streams to a client.
type streaming struct {
	*exchange
	answers answers
	control *http.ResponseController

	mu       sync.Mutex // guards everything below, and the client's stream
	judge    *judge
	second   answers // reads as those do who take the first of several members with one key; nil: nothing was repeated yet
	views    []view  // see loosely; nil: all events were the same to everybody
	sides    side    // of views, how many there are
	waiting  bool    // one of them holds what has not ended
	bare     bool    // events have nothing but their data
	list     bool    // there are no events but a list
	batch    batch
	held     []heldEvent
	spare    []heldEvent // memory for held
	now      reading     // of the present event
	bytes    int         // of held
	before   int64       // bytes of memory that the exchange took before the answer
	text     int         // of it, bytes of texts
	status   int         // of the present answer
	begun    bool
	dirty    bool // something was written and not flushed
	lost     bool // the client takes nothing any more
	written  time.Time
	patient  time.Time   // from when on the client has its time to take what is written
	alive    *time.Timer // see keepAlive
	timer    *time.Timer // releases what was held for too long; nil: nothing is
	finished bool
	kept     int64 // bytes of texts and calls that are kept until the answer ends and were not counted yet
}

// heldEvent is one that the client has not got yet.
type heldEvent struct {
	event   sse.Event
	reading reading
	at      time.Time
}

// outcome is how an answer of the upstream has ended.
type outcome uint8

const (
	complete    outcome = iota // it is complete
	interrupted                // a rule has fired
	cut                        // it has broken off
	tooLarge                   // it is more than can be held
	encoded                    // it is written in other characters
	formless                   // it is nothing that clients read in one way
)

// stream answers with events.
func (x *exchange) stream(response *http.Response, stop context.CancelFunc) {
	s := &streaming{exchange: x, status: response.StatusCode, answers: x.to.api.answers(x.ask), control: http.NewResponseController(x.w), written: time.Now(), before: x.holding.bytes}
	backward(x.w.Header(), response.Header)
	s.mu.Lock()
	s.alive = time.AfterFunc(x.gateway.limits.KeepAlive, s.keepAlive)
	s.mu.Unlock()
	defer s.rest()
	first := x.shape(response, true)
	if first == documentShape { // whatever it says that it is
		if s.rest() {
			s.broken(x.to.form.failure(http.StatusBadGateway, "upstream_form", "the upstream does not stream its answer"))
		}
		x.whole(response, stop)
		return
	}
	if g, ok := s.answers.(*geminiAnswers); ok {
		g.list = first == listShape
		s.bare, s.list = true, g.list
	}
	for {
		s.mu.Lock()
		s.judge, s.second, s.views, s.sides, s.waiting, s.status = x.newJudge(), nil, nil, 0, false, response.StatusCode
		s.mu.Unlock()
		var events eventReader = sse.NewReader(response.Body, s.gateway.limits.Event, &s.gateway.buffers)
		if first == listShape {
			events = sse.NewListReader(response.Body, s.gateway.limits.Event)
		}
		how, verdict := s.follow(events)
		stop()
		switch how {
		case complete:
			s.flush()
			return
		case cut:
			s.flush()
			panic(http.ErrAbortHandler)
		case tooLarge:
			s.fails("upstream_too_large", "the answer is more than can be held back")
			return
		case encoded:
			s.fails("upstream_encoding", errEncoded.Error())
			return
		case formless:
			s.fails("upstream_form", "the upstream's answer is no list of objects")
			return
		case interrupted:
		}
		if !s.interrupt(verdict) {
			s.flush()
			return
		}
		var err error
		if response, stop, err = x.send(); err != nil { //nolint:bodyclose // stop closes it
			if x.ctx().Err() != nil {
				panic(http.ErrAbortHandler)
			}
			if !s.begun {
				x.unreachable(err)
				return
			}
			s.broken(x.to.form.failure(http.StatusBadGateway, "upstream_unreachable", "the upstream cannot be reached any more"))
		}
		if !watched(response) {
			s.refused(response, stop)
			return
		}
		if x.shape(response, true) != first { // nobody could watch it, nor read it
			stop()
			s.fails("upstream_form", "the upstream does not stream its second answer")
			return
		}
	}
}

// rest ends what runs beside the answer, and tells whether the client has got something of it.
func (s *streaming) rest() (begun bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.finished = true
	s.alive.Stop()
	if s.timer != nil {
		s.timer.Stop()
	}
	return s.begun
}

// refused passes on that the upstream does not answer a second time.
func (s *streaming) refused(response *http.Response, stop context.CancelFunc) {
	defer stop()
	if !s.begun {
		for name := range s.w.Header() {
			if name != "X-Pertain-Workspace" && name != "X-Pertain-Rules" {
				s.w.Header().Del(name)
			}
		}
		s.pass(response)
		return
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil || !isObject(body) {
		body = s.to.form.failure(response.StatusCode, "upstream_refused", "the upstream does not go on with the answer")
	}
	s.broken(body)
}

// fails tells the client that the upstream's answer is none: by its status, if it has got nothing yet, and else it breaks off.
func (s *streaming) fails(code, why string) {
	if !s.rest() {
		s.fail(http.StatusBadGateway, code, why)
		return
	}
	s.broken(s.to.form.failure(http.StatusBadGateway, code, why))
}

// broken tells the client of an error and breaks off.
func (s *streaming) broken(body []byte) {
	s.mu.Lock()
	s.write(s.answers.failed(body))
	s.mu.Unlock()
	s.flush()
	panic(http.ErrAbortHandler)
}

// eventReader reads the events of an answer: see sse.Reader.
type eventReader interface {
	Ready() bool
	Next() (sse.Event, error)
}

// follow passes on an answer of the upstream until it ends or a rule fires.
func (s *streaming) follow(reader eventReader) (outcome, stream.Verdict) {
	var last, finished bool
	for {
		if !reader.Ready() { // before more is waited for
			if how, verdict := s.rested(); how != complete {
				return how, verdict
			}
		}
		event, err := reader.Next()
		if errors.Is(err, io.EOF) && s.waiting { // what has not ended ends with the stream
			event, err = sse.Event{Rest: true}, nil
		}
		if err != nil {
			if errors.Is(err, io.EOF) && (last || finished) { // after its last event there may be more
				return s.end(&last)
			}
			switch {
			case errors.Is(err, sse.ErrTooLong), errors.Is(err, errTooLarge):
				return tooLarge, stream.Verdict{}
			case errors.Is(err, errEncoded):
				return encoded, stream.Verdict{}
			case errors.Is(err, sse.ErrNoList):
				return formless, stream.Verdict{}
			}
			return cut, stream.Verdict{}
		}
		how, verdict := s.take(event, &last, &finished)
		if how != complete {
			return how, verdict
		}
	}
}

// take takes one event of the upstream.
func (s *streaming) take(event sse.Event, last, finished *bool) (outcome, stream.Verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost {
		return cut, stream.Verdict{}
	}
	ctx := s.ctx()
	event, ok := s.reads(event)
	r := &s.now
	if !ok || !s.keeps(r) {
		s.drop()
		return tooLarge, stream.Verdict{}
	}
	*finished = r.finished || *finished && len(r.said) == 0
	if p := s.judge.gathers(r); p != nil {
		return s.gather(p, event, r)
	}
	if how, verdict := s.settle(); how != complete {
		return how, verdict
	}
	for i := range r.said {
		if v := s.judge.take(ctx, &r.said[i], s.gateway.limits.Text); len(v.Fired) > 0 && s.judged(v) {
			return interrupted, v
		}
	}
	if s.judge.full {
		s.drop()
		return tooLarge, stream.Verdict{}
	}
	switch {
	case r.failed:
		*last = true
		s.drop()
	case r.last:
		if v, fired := s.finish(last); fired {
			return interrupted, v
		}
	}
	if len(s.held) == 0 && s.free(r) {
		s.give(event, r)
		return complete, stream.Verdict{}
	}
	if !s.hold(event, *r) {
		return tooLarge, stream.Verdict{}
	}
	s.release(false)
	return complete, stream.Verdict{}
}

// reads reads an event in each way that a client may read it, and gives it as it is passed on. ok is false if that is more than
// can be held.
func (s *streaming) reads(event sse.Event) (_ sse.Event, ok bool) {
	var others []said
	loose := s.views != nil || event.Odd || event.Mixed && s.bare
	if loose {
		if others, ok = s.loosely(&event); !ok {
			return event, false
		}
	}
	if s.now = s.answers.read(event); s.now.odd && !loose { // nothing of it was read yet
		if others, ok = s.loosely(&event); !ok {
			return event, false
		}
	}
	if s.now.odd || s.second != nil {
		event = s.strange(event)
	}
	if len(event.Data) == 0 && !s.list {
		s.now.said = append(s.now.said, hiddenText(stray(event.Raw))...)
	}
	if len(others) > 0 {
		s.now.said = slices.Concat(s.now.said, others)
	}
	s.now.waits = s.waiting
	return event, true
}

// finish ends what has not ended, and tells whether a rule fires at that. Else it is
// written down what has to be known when the client asks again, before it can.
func (s *streaming) finish(last *bool) (_ stream.Verdict, fired bool) {
	if v := s.judge.finish(s.ctx()); len(v.Fired) > 0 && s.judged(v) {
		return v, true
	}
	if !*last {
		*last = true
		s.conclude(s.judge, s.answers.ids)
	}
	return stream.Verdict{}, false
}

// end ends an answer that has no last event, or goes on after it.
func (s *streaming) end(last *bool) (outcome, stream.Verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if *last && len(s.held) == 0 {
		return complete, stream.Verdict{}
	}
	if v, fired := s.finish(last); fired {
		return interrupted, v
	}
	s.release(false)
	return complete, stream.Verdict{}
}

// give gives an event to the client.
func (s *streaming) give(event sse.Event, r *reading) {
	s.judge.releasing(r.said)
	s.judge.giving(r.said)
	s.write(s.answers.given(event, r))
}

// write writes to the client, whole events alone.
func (s *streaming) write(text []byte) {
	if len(text) == 0 {
		return
	}
	if !s.begun {
		s.begun = true
		s.w.WriteHeader(s.status)
	}
	if !s.dirty {
		s.dirty = true
		s.written = time.Now()
		if s.written.Sub(s.patient) > writeTime/8 {
			s.patient = s.written
			_ = s.control.SetWriteDeadline(s.written.Add(writeTime))
		}
	}
	if _, err := s.w.Write(text); err != nil {
		s.lost = true
	}
}

// flush sends what was written.
func (s *streaming) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flushNow()
}

func (s *streaming) flushNow() {
	if s.dirty {
		s.dirty = false
		if err := s.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
			s.lost = true
		}
	}
}

// keepAlive shows a client that has got nothing for long that the answer goes on.
func (s *streaming) keepAlive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.finished {
		return
	}
	wait := s.gateway.limits.KeepAlive - time.Since(s.written)
	if wait <= 0 {
		s.written = time.Now()
		s.write(s.answers.keepAlive())
		s.flushNow()
		wait = s.gateway.limits.KeepAlive
	}
	s.alive.Reset(wait)
}
