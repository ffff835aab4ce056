package gateway

import (
	"github.com/pertain-dev/pertain/gateway/internal/sse"
	"github.com/pertain-dev/pertain/stream"
)

// batch are events that came together, each with a piece of one text. They are watched together: what a rule fires at
// does not depend on how a text is cut into pieces, and mostly nothing fires.
type batch struct {
	part   *spoken
	key    int64
	what   what // of all of them
	from   int  // where their pieces begin in the text of the part
	events []gathered
	memory *[]gathered // whose memory that is; nil: nobody's yet
}

// gathered is an event of a batch, and what it says. Its bytes are those of the reader.
type gathered struct {
	event sse.Event
	text  string
	to    int64 // see said
	index int64
	kind  uint8
}

// reading is what was read of an event of a batch, in some memory.
func (b *batch) reading(g *gathered, memory *[1]said) reading {
	memory[0] = said{what: b.what, key: b.key, text: g.text, to: g.to}
	return reading{said: memory[:], kind: g.kind, index: g.index}
}

// maxBatch is how many bytes of a text are watched at once.
const maxBatch = 4 << 10

// gathering begins a batch. Streams share memory for them: most of the time they wait, with nothing gathered.
func (g *Gateway) gathering(p *spoken, s *said) batch {
	b := batch{part: p, key: s.key, what: s.what, from: p.text.Len()}
	if kept, ok := g.batches.Get().(*[]gathered); ok {
		b.memory, b.events = kept, (*kept)[:0]
	}
	return b
}

// empty empties a batch, and takes its memory back.
func (g *Gateway) empty(b *batch) {
	events, memory := b.events, b.memory
	*b = batch{}
	if clear(events); cap(events) > maxBatch {
		return
	}
	if memory == nil {
		memory = new([]gathered)
	}
	*memory = events
	g.batches.Put(memory)
}

// gathers gives the part of a text that an event has a piece of, and nothing else; nil: it is another event.
func (j *judge) gathers(r *reading) *spoken {
	if j.watcher == nil || len(r.said) != 1 || r.failed || r.last || r.waits {
		return nil
	}
	s := &r.said[0]
	if s.what != textPiece && s.what != thinkingPiece || s.text == "" || s.raw != nil || s.side != plainSide {
		return nil
	}
	if p := j.part(s); p != nil && p.watched && !p.ended {
		return p
	}
	return nil
}

// gather puts an event into the batch of its text.
func (s *streaming) gather(p *spoken, event sse.Event, r *reading) (outcome, stream.Verdict) {
	b := &s.batch
	if b.part != p || b.what != r.said[0].what || len(b.events) > 0 && p.text.Len()-b.from >= maxBatch {
		if how, verdict := s.settle(); how != complete {
			return how, verdict
		}
		*b = s.gateway.gathering(p, &r.said[0])
	}
	p.add(&r.said[0])
	b.events = append(b.events, gathered{event, r.said[0].text, r.said[0].to, r.index, r.kind})
	return complete, stream.Verdict{}
}

// add takes note of a piece of a text.
func (p *spoken) add(s *said) {
	p.said++
	p.text.WriteString(s.text)
	p.fed += int64(len(s.text))
	s.to = p.fed
}

// settle watches what was gathered, and gives the client what it may have of that.
func (s *streaming) settle() (outcome, stream.Verdict) {
	b := &s.batch
	p := b.part
	if p == nil {
		return complete, stream.Verdict{}
	}
	defer s.gateway.empty(b)
	all, from := p.text.String(), b.from
	// While a match with look-around is not decided, only an earlier look has told where it may have begun.
	singly := s.workspace.Triggers.LooksAround()
	for i, next := 0, len(b.events); i < len(b.events); i = next {
		if singly {
			next = i + 1
		}
		text := all[from:b.events[next-1].to]
		verdict, _ := s.judge.watcher.Feed(s.ctx(), p.source, text)
		early, rest := parted(verdict)
		if s.judged(early); s.judged(rest) {
			before := b.events[:i]
			if !singly {
				before = s.lookBefore(rest)
			}
			s.giveFree(before)
			return interrupted, rest
		}
		from += len(text)
		p.look(s.judge.watcher, text, int64(from), s.gateway.limits.Text)
	}
	return s.passOn(b.events), stream.Verdict{}
}

// parted parts a verdict into what fired before the offset at which the answer is to be broken off and what fires
// right there, as if each character had come by itself.
func parted(v stream.Verdict) (early, rest stream.Verdict) {
	if !v.Interrupt {
		return stream.Verdict{}, v
	}
	rest = v
	rest.Fired = nil
	last := int64(0)
	for _, f := range v.Fired {
		last = max(last, f.Offset)
	}
	for _, f := range v.Fired {
		if f.Offset < last {
			early.Fired = append(early.Fired, f)
		} else {
			rest.Fired = append(rest.Fired, f)
		}
	}
	return early, rest
}

// passOn gives the client those of the events that it may have, after everything that was held before, and holds the
// others.
func (s *streaming) passOn(events []gathered) outcome {
	var memory [1]said
	for i := s.giveFree(events); i < len(events); i++ {
		if !s.hold(events[i].event, s.batch.reading(&events[i], &memory)) {
			return tooLarge
		}
	}
	s.release(false)
	return complete
}

// giveFree gives the client the events that no rule can need any more, after everything that was held before, and counts them.
func (s *streaming) giveFree(events []gathered) int {
	s.release(false)
	if len(s.held) > 0 {
		return 0
	}
	p := s.batch.part
	given := 0
	for given < len(events) && events[given].to <= p.begin {
		p.sent++
		p.given += len(events[given].text)
		given++
	}
	var run []byte // of events that were written one after the other
	var memory [1]said
	same := s.answers.unchanged()
	for i := range events[:given] {
		text := events[i].event.Raw
		if !same || i == given-1 {
			r := s.batch.reading(&events[i], &memory)
			text = s.answers.given(events[i].event, &r)
		}
		if follows(run, text) {
			run = run[:len(run)+len(text)]
		} else {
			s.write(run)
			run = text
		}
	}
	s.write(run)
	return given
}

// follows tells whether a text stands in memory right after another.
func follows(run, text []byte) bool {
	n := len(run)
	return n > 0 && len(text) > 0 && cap(run)-n >= len(text) && &run[:n+1][n] == &text[0]
}

// lookBefore finds from where on a match was under way before the event in which a rule has fired: the text is watched
// once more, as far as that. It gives the events that came before.
func (s *streaming) lookBefore(v stream.Verdict) []gathered {
	b := &s.batch
	p := b.part
	all := p.text.String()
	again := s.workspace.Triggers.Stream()
	again.Feed(all[:b.from])
	at := b.from
	for i := range b.events {
		to := b.events[i].to
		if to >= v.Fired[0].Offset {
			return b.events[:i]
		}
		again.Feed(all[at:to])
		at = int(to)
		from := boundary(all[:at], max(int(p.begin), at-s.gateway.limits.Text, 0))
		p.begin = int64(from + again.Begin(all[from:at]))
	}
	return b.events
}

// rested settles and sends what there is, before more of the upstream is waited for.
func (s *streaming) rested() (outcome, stream.Verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	how, verdict := s.settle()
	if how == complete {
		s.flushNow()
	}
	return how, verdict
}
