package gateway

import (
	"context"
	"slices"
	"strconv"

	"github.com/pertain-dev/pertain/stream"
)

// Answers contradict themselves: a call goes on after its end, or begins twice, or is told by another name, or once more with
// other arguments. Each client goes by what it reads of that, so a call is watched in each of these ways. Mostly there is one.

// hearing is a call as some read it: by one of the names that it is told by, and from one of its beginnings on.
type hearing struct {
	call    stream.Call
	from    int // where its arguments begin in the text of the part
	watched bool
}

// Bounds of what one text or call may be told to be. An answer beyond them is refused: each way of reading it costs as much again.
const (
	maxHearings = 64
	maxReopened = 64
)

// hearing adds a way of reading a call; nil: there are too many.
func (j *judge) hearing(p *spoken, tool string, from int) *hearing {
	if len(p.hearings) >= maxHearings {
		j.full = true
		return nil
	}
	h := hearing{call: p.reading(tool), from: from}
	h.watched = j.watcher != nil && watches(j.x.workspace.Triggers, stream.Source{Kind: stream.Tool, Tool: tool, ID: h.call.ID})
	p.watched = p.watched || h.watched
	p.hearings = append(p.hearings, h)
	return &p.hearings[len(p.hearings)-1]
}

// reading is a call of its own for the watcher, by one of the names of the part.
func (p *spoken) reading(tool string) stream.Call {
	call := p.call
	call.Tool = tool
	if p.readings > 0 {
		call.ID += " " + strconv.Itoa(p.readings)
	}
	p.readings++
	return call
}

// hear adds a way of reading a call, and watches what has come of it.
func (j *judge) hear(ctx context.Context, p *spoken, tool string, from int) (verdict stream.Verdict) {
	h := j.hearing(p, tool, from)
	if h == nil || !h.watched {
		return verdict
	}
	verdict, _ = j.watcher.FeedCall(ctx, h.call, p.text.String()[from:])
	if p.ended {
		end, _ := j.watcher.EndCall(ctx, h.call)
		verdict = together(verdict, end)
	}
	return verdict
}

// callPiece watches a piece of the arguments.
func (j *judge) callPiece(ctx context.Context, p *spoken, text string) (verdict stream.Verdict) {
	if j.watcher == nil {
		return verdict
	}
	p.text.WriteString(text)
	for i := range p.hearings {
		if h := &p.hearings[i]; h.watched {
			v, _ := j.watcher.FeedCall(ctx, h.call, text)
			verdict = together(verdict, v)
		}
	}
	return verdict
}

// endCall ends a call in every way of reading it.
func (j *judge) endCall(ctx context.Context, p *spoken) (verdict stream.Verdict) {
	for i := range p.hearings {
		if h := &p.hearings[i]; h.watched {
			v, _ := j.watcher.EndCall(ctx, h.call)
			verdict = together(verdict, v)
		}
	}
	return verdict
}

// begins reads the beginning of a call. One that has begun already may begin anew with it, or go on.
func (j *judge) begins(ctx context.Context, p *spoken, s *said) (verdict stream.Verdict) {
	if p.said == 1 || j.watcher == nil {
		return verdict
	}
	j.calledAlso(p, s.id)
	verdict = j.named(ctx, p, s.tool)
	if from := p.text.Len(); from > 0 {
		for _, tool := range p.names() {
			verdict = together(verdict, j.hear(ctx, p, tool, from))
		}
	}
	return verdict
}

// named reads a name of a call. Of several, some clients take the first, some the last, and some join them.
func (j *judge) named(ctx context.Context, p *spoken, tool string) (verdict stream.Verdict) {
	if tool == "" || tool == p.named || j.watcher == nil {
		return verdict
	}
	p.named, p.spelled = tool, p.spelled+tool
	for _, name := range [...]string{tool, p.spelled} {
		if !slices.Contains(p.names(), name) {
			verdict = together(verdict, j.rename(ctx, p, name))
		}
	}
	return verdict
}

// rename watches all that has come of a call by another name.
func (j *judge) rename(ctx context.Context, p *spoken, name string) (verdict stream.Verdict) {
	var begun []int
	for i := range p.hearings {
		if from := p.hearings[i].from; !slices.Contains(begun, from) {
			begun = append(begun, from)
		}
	}
	for _, from := range begun {
		verdict = together(verdict, j.hear(ctx, p, name, from))
	}
	for _, text := range p.versions {
		verdict = together(verdict, j.version(ctx, p, name, text))
	}
	return verdict
}

// again reads a call that is told once more, whole, with other arguments.
func (j *judge) again(ctx context.Context, p *spoken, s *said) (verdict stream.Verdict) {
	if j.watcher == nil {
		return verdict
	}
	j.calledAlso(p, s.id)
	p.versions, p.told = append(p.versions, s.text), false
	for _, name := range p.names() {
		verdict = together(verdict, j.version(ctx, p, name, s.text))
	}
	return verdict
}

// version watches a call with other arguments.
func (j *judge) version(ctx context.Context, p *spoken, name, text string) (verdict stream.Verdict) {
	call := p.reading(name)
	if !watches(j.x.workspace.Triggers, stream.Source{Kind: stream.Tool, Tool: name, ID: call.ID}) {
		return verdict
	}
	p.watched = true
	verdict, _ = j.watcher.FeedCall(ctx, call, text)
	end, _ := j.watcher.EndCall(ctx, call)
	return together(verdict, end)
}

// names are the names that a call is told by, each once.
func (p *spoken) names() (names []string) {
	for i := range p.hearings {
		if tool := p.hearings[i].call.Tool; !slices.Contains(names, tool) {
			names = append(names, tool)
		}
	}
	return names
}

// calledAlso takes note of another id of a call, of which there may be as many as there are ways of reading it.
func (j *judge) calledAlso(p *spoken, id string) {
	switch {
	case id == "" || slices.Contains(p.calls, id):
	case len(p.calls) >= maxHearings:
		j.full = true
	default:
		p.calls = append(p.calls, id)
	}
}

// reopen reads on where something had ended: clients put what follows to the rest. All of it is watched again, since the end
// may have decided something that is no end now; of a call what follows alone, too.
func (j *judge) reopen(ctx context.Context, p *spoken, limit int) (verdict stream.Verdict) {
	p.ended, p.told = false, false
	if p.reopened++; p.reopened > maxReopened {
		j.full = true
	}
	switch {
	case j.full || !p.watched:
	case p.kind == callBlock:
		before, names := p.hearings, p.names()
		p.hearings = nil
		for i := range before {
			verdict = together(verdict, j.hear(ctx, p, before[i].call.Tool, before[i].from))
		}
		for _, tool := range names {
			if p.text.Len() > 0 {
				verdict = together(verdict, j.hear(ctx, p, tool, p.text.Len()))
			}
		}
	default:
		p.source.ID += " again"
		verdict = j.rewatch(ctx, p, limit)
	}
	return verdict
}

// rewatch watches a text from its beginning on.
func (j *judge) rewatch(ctx context.Context, p *spoken, limit int) stream.Verdict {
	all := p.text.String()
	p.tail = append(p.tail[:0], all[boundary(all, max(len(all)-limit, 0)):]...)
	p.begin = p.fed - int64(len(p.tail))
	verdict, _ := j.watcher.Feed(ctx, p.source, all)
	return verdict
}

// parting begins all texts and calls once more where something is said for the first time on a side on which all that follows is read
// in another way: what has come up to here is the same on both.
func (j *judge) parting(ctx context.Context, s *said, limit int) (verdict stream.Verdict) {
	side := s.side &^ (partSides | hiddenSide)
	if slices.Contains(j.parted, side) {
		return verdict
	}
	j.parted = append(j.parted, side)
	if s.all {
		return verdict
	}
	for _, p := range slices.Clone(j.parts) {
		if p.side&^partSides != side&^partingSides {
			continue
		}
		again := said{key: p.key, tool: p.call.Tool, side: side | p.side&partSides}
		switch p.kind {
		case callBlock:
			again.what = callBegin
		case thinkingBlock:
			again.what = thinkingPiece
		case otherBlock, textBlock:
		}
		if other := j.part(&again); other != nil {
			verdict = together(verdict, j.joins(ctx, other, partingSides, limit))
		}
	}
	return verdict
}

// joins begins a text or a call as those read it who put pieces together in another way, with what has come of it up to where that
// makes a difference: of what it is without these ways.
func (j *judge) joins(ctx context.Context, p *spoken, ways side, limit int) (verdict stream.Verdict) {
	before := j.byKey[partKey{p.key, p.kind, p.side &^ ways}]
	if before == nil || j.watcher == nil {
		return verdict
	}
	p.said, p.sent = 1, 1
	p.text.WriteString(before.text.String())
	if p.kind != callBlock {
		if p.fed = int64(p.text.Len()); p.watched {
			verdict = j.rewatch(ctx, p, limit)
		}
		return verdict
	}
	p.hearings, p.named, p.spelled = nil, before.named, before.spelled
	for _, name := range before.names() {
		verdict = together(verdict, j.hear(ctx, p, name, 0))
	}
	return verdict
}
