package gateway

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/gateway/internal/sse"
)

// Parsers differ: where a key is repeated, most take the last member, and some the first; some take keys without case; some read NaN,
// comments, or what is nested deeper than others go. The client's is not known, so what any of them reads is watched. What is
// odd is read once more, made plain, and from the first repeated key on the answer is read a second time, by itself, as those
// read it who take the first.

// odd tells whether the data of an event has to be made plain first. ok says whether it is JSON.
func odd(e *sse.Event, v jsontext.Value, ok bool, names *jsontext.Names) bool {
	if e.Plain || !ok {
		return !e.Plain
	}
	strange, repeats := names.Odd(v)
	return strange || repeats
}

// plainly gives a text as JSON with the keys that are known, as those read it who take the last of several members with one
// key, and, where that is something else, who take the first; and the texts that may be read in no such way. nil: it cannot be read.
func plainly(text []byte, names *jsontext.Names) (plain, first []byte, hidden string) {
	plain = text
	v, ok := jsontext.Parse(text)
	if !ok {
		made, rest, _ := jsontext.Lenient(text)
		if v, ok = jsontext.Parse(made); !ok {
			return nil, nil, jsontext.Unescaped(text)
		}
		plain, hidden = made, jsontext.Unescaped(bytes.TrimSpace(rest))
	}
	strange, repeats := names.Odd(v)
	if strange {
		plain = names.Known(plain)
		v, _ = jsontext.Parse(plain)
		repeats = v.Repeats()
	}
	if repeats {
		first = jsontext.First(plain)
		hidden += v.Overwritten()
	}
	return plain, first, hidden
}

// strange reads an event in each way that a client may read it, and gives it as it is passed on.
func (s *streaming) strange(event sse.Event) sse.Event {
	first, hidden := event, ""
	if s.now.odd {
		plain := event
		plain.Data, first.Data, hidden = plainly(event.Data, s.answers.names())
		if first.Data != nil && s.second == nil {
			s.second = s.answers.fork()
			s.now.said = s.judge.seconds(plainSide, firstSide)
		}
		if first.Data == nil {
			first.Data = plain.Data
		}
		plain.Plain, first.Plain = true, true
		again := s.now.said
		if s.now = (reading{}); plain.Data != nil {
			s.now = s.answers.read(plain)
			if len(s.steps) > 0 { // what follows an answer that was broken off is written anew
				event = plain
				event.Raw = plain.With(plain.Data)
			}
		}
		s.now.said = slices.Concat(s.now.said, again)
	}
	if s.second != nil && first.Data != nil {
		s.now.said = slices.Concat(s.now.said, onSide(s.second.read(first).said, firstSide))
	}
	s.now.said = append(s.now.said, hiddenText(hidden)...)
	return event
}

// Clients also differ in what they take for an event. From the first that is not the same to all, the stream is read in all ways that
// are known, and where one of them has read something else, what follows is watched as it reads it.

// view is what several ways of reading have read up to now.
type view struct {
	ways    []*sse.Loose
	side    side
	answers answers // nil: it is what the answers of the stream have read
}

// maxLoose bounds what is held for events that have ended to some and not to others, and an event that is not the same to all, in
// bytes: each way of reading it holds it once more, by lines or by itself, which comes to fifty times of what was sent and more.
// What models say in one event is plain, however long.
const maxLoose = 1 << 20

// loosely gives what others read of an event, before it is read. ok is false if that is more than can be held.
func (s *streaming) loosely(event *sse.Event) (out []said, ok bool) {
	if len(event.Raw) > maxLoose {
		return nil, false
	}
	if s.views == nil {
		s.views = []view{{ways: sse.Ways()}}
	}
	s.waiting = false
	for i := range s.views { // not those that come to it
		v := &s.views[i]
		found, held := v.parts(event)
		if held > maxLoose {
			return nil, false
		}
		s.waiting = s.waiting || held > 0
		v.ways = found[0].by
		from, answers := v.side, cmp.Or(v.answers, s.answers)
		for _, f := range found[1:] {
			s.sides++
			other := view{f.by, s.sides * looseSide, answers.fork()}
			s.views = append(s.views, other)
			out = append(append(out, s.judge.seconds(from, other.side)...), other.read(f.frames, event)...)
		}
		if v = &s.views[i]; v.answers != nil {
			out = append(out, v.read(found[0].frames, event)...)
		}
	}
	return out, true
}

// found is what was found in an event, and by whom.
type found struct {
	frames []sse.Frame
	by     []*sse.Loose
}

// parts finds what the ways of a view read of an event. The first go on with it, of the plain one those that read the event as it is.
// held is how many bytes one holds for what has not ended.
func (v *view) parts(event *sse.Event) (all []found, held int) {
	if v.answers == nil {
		all = []found{{frames: plainFrame(event)}}
	}
	for _, way := range v.ways {
		frames := way.Read(event.Raw, event.Rest)
		held = max(held, way.Held())
		at := slices.IndexFunc(all, func(f found) bool { return slices.EqualFunc(frames, f.frames, sse.Frame.Same) })
		if at < 0 {
			at, all = len(all), append(all, found{frames: frames})
		}
		all[at].by = append(all[at].by, way)
	}
	return all, held
}

// plainFrame is an event as it is read here.
func plainFrame(event *sse.Event) []sse.Frame {
	data := sse.Trim(event.Data)
	if len(data) == 0 {
		return nil
	}
	return []sse.Frame{{Name: event.Name, Data: data}}
}

// read reads what was found. What is nothing like JSON is not read by those who find it either.
func (v *view) read(frames []sse.Frame, event *sse.Event) (out []said) {
	for _, frame := range frames {
		plain, _, _ := plainly(frame.Data, v.answers.names())
		root, ok := jsontext.Parse(plain)
		if !ok {
			continue
		}
		e := sse.Event{Name: frame.Name, Data: plain, Plain: true}
		if e.Name == nil {
			e.Name = event.Name
		}
		out = append(out, v.answers.read(e).said...)
		for item := range root.Items() {
			e.Data = item.Raw()
			out = append(out, v.answers.read(e).said...)
		}
	}
	return onSide(out, v.side)
}

// seconds say once more, for a reading that begins, what it has in common with another up to here.
func (j *judge) seconds(from, to side) (out []said) {
	for _, p := range j.parts {
		if p.side&^(otherSides&^joinedSide) != from {
			continue
		}
		what, first := textPiece, len(out)
		switch p.kind {
		case callBlock:
			out = append(out, said{what: callBegin, key: p.key, tool: p.call.Tool})
			for _, name := range p.names() {
				out = append(out, said{what: callName, key: p.key, tool: name})
			}
			what = callPiece
		case thinkingBlock:
			what = thinkingPiece
		case otherBlock, textBlock:
		}
		out = append(out, said{what: what, key: p.key, tool: p.call.Tool, text: p.text.String()})
		if p.ended { // it may go on
			out = append(out, said{what: streamEnd, key: p.key})
		}
		for i := range out[first:] {
			out[first+i].side, out[first+i].all = p.side&^from, true
		}
	}
	return onSide(out, to)
}

// onSide puts what was said on a side.
func onSide(list []said, side side) []said {
	for i := range list {
		list[i].side |= side
	}
	return list
}

// hiddenText is what somebody might read; none: nothing is.
func hiddenText(text string) []said {
	if text == "" {
		return nil
	}
	return []said{{what: textPiece, side: hiddenSide, text: text}}
}
