package stream

import (
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/stream/internal/effort"
)

// trial is how far the backtracking machine has come with an expression. It tries
// one offset of the window after the other; when its steps are used up it goes on
// later where it was.
type trial struct {
	resume int64 // no match starts before
	spent  int64 // steps
	// waiting: what follows may decide a match without being part of it.
	waiting bool
	// again: the text has to be gone through once more, since it was put off.
	again bool
	// cursor is the offset at which a round goes on that was cut short; -1: none. open
	// and waits are what it has come to so far, as resume and waiting.
	cursor int64
	open   int64
	waits  bool
	skip   []span // offsets that were given up, in order
}

// span is a part of the text: from From up to, without, To.
type span struct{ from, to int64 }

func (t *trial) due() bool { return t.waiting || t.again || t.stopped() }

// stopped says whether a round was cut short.
func (t *trial) stopped() bool { return t.cursor >= 0 }

// try goes through the offsets up to an offset at which a match may be decided.
func (l *verifier) try(st *Stream, k *verification, expr *verified, offset int64) {
	if k.trial == nil {
		k.trial = &trial{cursor: -1}
	}
	t := k.trial
	text := l.text()
	for !k.done {
		next := int64(-1)
		if k.always || t.due() {
			if k.at < 0 {
				next = 0
			} else if k.at < offset {
				at := max(k.at, l.base)
				_, size := utf8.DecodeRuneInString(text[at-l.base:])
				next = at + int64(size)
			}
			k.nextCandidate(next)
		} else {
			next = k.nextCandidate(offset)
		}
		if next < 0 {
			return
		}
		k.at = next
		k.always = k.always || expr.sticky
		left := l.may(expr, expr.effort.Try, next) - t.spent
		if left <= 0 {
			if t.again = true; l.may(expr, expr.effort.Try, offset) <= t.spent {
				k.at = offset // nor is there anything left on the way
				return
			}
			continue
		}
		l.round(st, k, expr, text[:next-l.base], regex.Steps{All: int(left)}, false)
	}
}

// round tries the offsets of a text that ends where the verification is.
func (l *verifier) round(st *Stream, k *verification, expr *verified, text string, steps regex.Steps, end bool) {
	t := k.trial
	from := max(t.resume, l.base)
	if t.stopped() {
		from = max(t.cursor, l.base)
	}
	start := int(max(l.may(expr, expr.effort.Start, int64(len(text))), min(effort.LeastStart, expr.effort.Start.Once)))
	if steps.Start == 0 || steps.Start > start {
		steps.Start = start
	}
	var skip []regex.Span
	for _, s := range t.skip { // what the window has left behind is passed over
		skip = append(skip, regex.Span{From: int(s.from - l.base), To: int(s.to - l.base)})
	}
	found := expr.machine().Search(text, int(from-l.base), regex.Known{Cut: l.base > 0, End: end}, steps, skip)
	took := int64(found.Steps) + 16
	t.spent += took
	l.spent[expr.owner].Tried += took
	for _, s := range found.GivenUp {
		l.giveUp(k, expr, span{l.base + int64(s.From), l.base + int64(s.To)}, text)
	}
	if found.Matched {
		l.fire(st, k, k.at)
		return
	}
	open, waits := l.base+int64(found.Resume), found.Waiting
	cut := t.stopped()
	if cut {
		open, waits = min(open, t.open), waits || t.waits
	}
	if found.Stopped {
		t.cursor, t.open, t.waits = l.base+int64(found.Next), open, waits
		return
	}
	// What was tried in an earlier part of the round has not seen the text since.
	t.resume, t.waiting, t.cursor, t.again = open, waits, -1, cut
}

// giveUp takes note of offsets of the window that took too many steps. They are not
// tried again. The last of them may be the one at the end of the text, which lies
// before a character that is yet to come: s then reaches beyond the text.
func (l *verifier) giveUp(k *verification, expr *verified, s span, text string) {
	l.undecided.offsets(int(expr.trigger), expr.pattern, StepLimit, text, l.base, s)
	t := k.trial
	t.skip = slices.DeleteFunc(t.skip, func(o span) bool { return o.to <= l.base })
	at, _ := slices.BinarySearchFunc(t.skip, s, func(a, b span) int { return int(a.from - b.from) })
	if at > 0 && t.skip[at-1].to == s.from {
		t.skip[at-1].to = s.to
		return
	}
	t.skip = slices.Insert(t.skip, at, s)
}

// finishTrials tries what was put off, before the window moves or at the end.
func (l *verifier) finishTrials(st *Stream, offset int64, end bool) {
	var due [sharings][]*verification
	for i := range l.list {
		k := &l.list[i]
		if t := k.trial; t == nil || k.done || !end && !t.again && !t.stopped() || end && st.Fired(int(st.set.verified[k.verified].trigger)) {
			continue
		}
		among := st.set.verified[k.verified].sharing()
		due[among] = append(due[among], k)
	}
	for _, list := range due {
		if len(list) > 0 {
			l.finishShared(st, list, offset, end)
		}
	}
}

// finishShared tries those that share what may be used: first all have the same part of it, and those for which that was not
// enough the same part of what the others left.
func (l *verifier) finishShared(st *Stream, list []*verification, offset int64, end bool) {
	left, most := int64(effort.MoveAll), int64(effort.LastSteps)
	if end {
		part := l.share[st.set.verified[list[0].verified].owner]
		left, most = effort.LastAll*part/effort.Whole, most*part/effort.Whole
	}
	part := max(min(left/int64(len(list)), most), 1) // none would mean that there is no bound
	var more []*verification
	for _, k := range list {
		expr, t := st.set.verified[k.verified], k.trial
		k.at, t.cursor = offset, -1
		before := t.spent
		// What starts at one offset has no more than that either: it would be taken for each of many.
		all := int(max(l.may(expr, expr.effort.Try, offset)-t.spent, part))
		l.round(st, k, expr, l.text(), regex.Steps{Start: max(all, effort.LeastStart), All: all}, end)
		if left -= t.spent - before; t.stopped() { // what has fired was not cut short
			more = append(more, k)
		}
	}
	for _, k := range more {
		expr := st.set.verified[k.verified]
		if again := min(left/int64(len(more)), most-part); again > 0 {
			l.round(st, k, expr, l.text(), regex.Steps{Start: max(int(again), effort.LeastStart), All: int(again)}, end)
		}
		if !k.done && k.trial.stopped() {
			l.lose(k, expr, offset, end)
		}
	}
}

// lose takes note of the offsets that were not tried, of those that are not going to be.
func (l *verifier) lose(k *verification, expr *verified, offset int64, end bool) {
	t, lost := k.trial, l.block // up to where offsets are lost
	if end {
		lost = offset + 1 // what starts at the end was not tried either
	}
	if t.cursor < lost {
		l.undecided.offsets(int(expr.trigger), expr.pattern, WorkLimit, l.text(), l.base, span{t.cursor, lost})
	}
	t.resume, t.waiting, t.cursor, t.again = t.open, t.waits, -1, !end
}
