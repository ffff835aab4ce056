package gateway

import (
	"context"
	"slices"

	"github.com/pertain-dev/pertain/stream"
)

// JSON in which a key is repeated says one thing to parsers that take the last of several members, as most do, and another to
// those that take the first. The client's is not known, so what either reads is watched: from the first difference on, a text or call
// is watched a second time, with what was written over in the place of what was written last, and held back like a call, since a match may have begun in either.

// hiddenKey is the key of what was written over where nothing else was said. No part of an answer has it.
const hiddenKey = -1 << 62

// overwritten puts what was written over before the first piece of what an event or a document says.
func overwritten(list []said, hidden string) []said {
	if hidden == "" {
		return list
	}
	at := slices.IndexFunc(list, func(s said) bool { return s.what == textPiece || s.what == thinkingPiece || s.what == callPiece })
	alone := said{what: hiddenPiece, key: hiddenKey, text: hidden}
	if at < 0 {
		return append(slices.Clone(list), alone)
	}
	return slices.Insert(slices.Clone(list), at, alone, said{what: hiddenPiece, key: list[at].key, text: hidden, tool: list[at].tool, id: list[at].id, instead: list[at].what})
}

// hears watches what was written over.
func (j *judge) hears(ctx context.Context, s *said) (verdict stream.Verdict) {
	if j.watcher == nil {
		return verdict
	}
	if s.key == hiddenKey {
		verdict, _ = j.watcher.Feed(ctx, stream.Source{Kind: stream.Text, ID: "hidden"}, s.text)
		return verdict
	}
	p := j.part(&said{what: s.instead, key: s.key, tool: s.tool, id: s.id})
	if p == nil || !p.watched || p.ended {
		return verdict
	}
	if !p.twice {
		p.twice = true
		if verdict = j.again(ctx, p, p.text.String()); len(verdict.Fired) > 0 {
			return verdict
		}
	}
	verdict = j.again(ctx, p, s.text)
	p.apart = true
	return verdict
}

// again watches more of a text or call that is watched a second time.
func (j *judge) again(ctx context.Context, p *spoken, text string) (verdict stream.Verdict) {
	switch {
	case p.apart:
		p.apart = false
	case !p.watched || text == "":
	case p.kind == callBlock:
		verdict, _ = j.watcher.FeedCall(ctx, p.secondCall(), text)
	default:
		verdict, _ = j.watcher.Feed(ctx, p.secondSource(), text)
	}
	return verdict
}

// endTwice ends what is watched a second time.
func (j *judge) endTwice(ctx context.Context, p *spoken) (verdict stream.Verdict) {
	switch {
	case !p.twice || !p.watched:
	case p.kind == callBlock:
		verdict, _ = j.watcher.EndCall(ctx, p.secondCall())
	default:
		verdict, _ = j.watcher.End(ctx, p.secondSource())
	}
	return verdict
}

func (p *spoken) secondSource() stream.Source {
	source := p.source
	source.ID += " first"
	return source
}

func (p *spoken) secondCall() stream.Call {
	call := p.call
	call.ID += " first"
	return call
}
