package stream

import (
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
)

// trial is how far the backtracking machine has come with an expression. It tries
// one place of the window after the other; when its steps are used up it goes on
// later where it was.
type trial struct {
	resume int64 // no match starts before
	spent  int64 // steps
	// waiting: what follows may decide a match without being part of it.
	waiting bool
	// again: the text has to be gone through once more, since it was put off.
	again bool
	// cursor is the place at which a round goes on that was cut short; -1: none. open
	// and waits are what it has come to so far, as resume and waiting.
	cursor int64
	open   int64
	waits  bool
	skip   []span // places that were given up, in order
}

// span is a part of the text: from From up to, without, To.
type span struct{ from, to int64 }

func (t *trial) due() bool { return t.waiting || t.again || t.cursor >= 0 }

// try goes through the places up to an offset at which a match may be decided.
func (l *lookers) try(st *Stream, k *looker, look *look, offset int64) {
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
			k.signalled(next)
		} else {
			next = k.signalled(offset)
		}
		if next < 0 {
			return
		}
		k.at = next
		k.always = k.always || look.sticky
		left := st.set.effort.at(next) - t.spent
		if left <= 0 {
			t.again = true
			continue
		}
		l.round(st, k, look, text[:next-l.base], regex.Steps{All: int(left)}, false)
	}
}

// round tries the places of a text that ends where the looker is.
func (l *lookers) round(st *Stream, k *looker, look *look, text string, steps regex.Steps, end bool) {
	t := k.trial
	from := max(t.resume, l.base)
	if t.cursor >= 0 {
		from = max(t.cursor, l.base)
	}
	steps.Start = startSteps + startBytes*len(text)
	var skip []regex.Span
	for _, s := range t.skip {
		if s.to > l.base {
			skip = append(skip, regex.Span{From: int(s.from - l.base), To: int(s.to - l.base)})
		}
	}
	found := look.machine().Search(text, int(from-l.base), regex.Known{Cut: l.base > 0, End: end}, steps, skip)
	t.spent += int64(found.Steps) + 16
	for _, s := range found.GivenUp {
		l.giveUp(k, look, span{l.base + int64(s.From), l.base + int64(s.To)}, text)
	}
	if found.Matched {
		l.fire(st, k, k.at)
		return
	}
	open, waits := l.base+int64(found.Resume), found.Waiting
	cut := t.cursor >= 0
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

// giveUp takes note of places of the window that took too many steps. They are not
// tried again. The last of them may be the one at the end of the text, which lies
// before a character that is yet to come: s then reaches beyond the text.
func (l *lookers) giveUp(k *looker, look *look, s span, text string) {
	l.undecided.places(int(look.trigger), look.pattern, StepLimit, text, l.base, s)
	t := k.trial
	t.skip = slices.DeleteFunc(t.skip, func(o span) bool { return o.to <= l.base })
	at, _ := slices.BinarySearchFunc(t.skip, s, func(a, b span) int { return int(a.from - b.from) })
	if at > 0 && t.skip[at-1].to == s.from {
		t.skip[at-1].to = s.to
		return
	}
	t.skip = slices.Insert(t.skip, at, s)
}

// finishTrial tries what was put off, before the window moves or at the end.
func (l *lookers) finishTrial(st *Stream, k *looker, offset int64, end bool) {
	t := k.trial
	if !end && !t.again && t.cursor < 0 {
		return
	}
	k.at, t.cursor = offset, -1
	look := st.set.looks[k.look]
	left := max(st.set.effort.at(offset)-t.spent, lastSteps)
	l.round(st, k, look, l.text(), regex.Steps{All: int(left)}, end)
	if k.done || t.cursor < 0 {
		return
	}
	lost := offset // up to where places are lost that were not tried
	if !end {
		lost = l.block
	}
	if end {
		lost++ // what starts at the end was not tried either
	}
	if t.cursor < lost {
		l.undecided.places(int(look.trigger), look.pattern, WorkLimit, l.text(), l.base, span{t.cursor, lost})
	}
	t.resume, t.waiting, t.cursor, t.again = t.open, t.waits, -1, !end
}
