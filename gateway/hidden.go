package gateway

import (
	"bytes"
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
			s.now.said = s.judge.seconds()
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

// seconds say once more, for the second reading, what all readers have in common up to here.
func (j *judge) seconds() (out []said) {
	for _, p := range j.parts {
		if p.side&(firstSide|hiddenSide|joinedSide) != 0 {
			continue
		}
		what, from := textPiece, len(out)
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
		for i := range out[from:] {
			out[from+i].side, out[from+i].all = p.side, true
		}
	}
	return onSide(out, firstSide)
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
