package stream

import (
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// recentSteps are names of steps that were taken not long ago, each where its last bits say. A step that is among them costs
// nothing: its state is most likely still there.
type recentSteps struct {
	names  []uint32
	missed int
}

// Most expressions have a few dozen steps; memory for more is taken when these turn out to be too few.
const fewSteps, manySteps = 128, 1024

// met says whether a step was taken not long ago, and takes note of it.
func (k *recentSteps) met(name uint32) bool {
	if len(k.names) == 0 {
		k.names = make([]uint32, fewSteps)
	}
	known := &k.names[name%uint32(len(k.names))]
	if *known == name {
		return true
	}
	*known = name
	if k.missed++; k.missed == fewSteps {
		k.names = make([]uint32, manySteps)
	}
	return false
}

// step goes over one character; ok is false if the state has become too large, or if all states have taken too much work.
func (l *verifier) step(k *verification, expr *verified, r rune, at int64) (ok bool) {
	next, step := expr.automaton.Next(k.state, r)
	if !k.recent.met(step.Name) {
		l.spent[expr.owner].Followed += int64(step.Work)
		if k.followed += int64(step.Work); k.followed > l.may(expr, expr.effort.Follow, at) {
			return false
		}
	}
	if next != nil {
		k.state = next
	}
	return next != nil
}

// follow brings the state of an expression up to an offset; ok is false if that takes
// too much: then the state is where the verification is, or there is none, and the candidates say where to go on.
func (l *verifier) follow(st *Stream, k *verification, expr *verified, offset int64) (ok bool) {
	text := l.text()
	for {
		if k.state == nil || k.idle {
			// It does not follow the text: go to where the next match may end.
			if k.always {
				k.state, k.at = expr.automaton.Begin(syntax.NoRune), 0
			} else {
				next := k.nextCandidate(offset)
				if next < 0 {
					return true
				}
				if !l.catchUp(k, expr, text, next) {
					k.state, k.candidates = nil, slices.Insert(k.candidates, 0, next)
					return false
				}
			}
			if l.certain(st, k, expr) {
				return true
			}
		}
		if k.at == offset {
			return true
		}
		r, size := utf8.DecodeRuneInString(text[k.at-l.base:])
		if !l.step(k, expr, r, k.at) {
			return false
		}
		k.at += int64(size)
		if l.certain(st, k, expr) {
			return true
		}
		k.idle = !k.always && !k.state.Open() && k.nextCandidate(k.at) != k.at
	}
}

// nextCandidate takes the candidates up to an offset away and gives the first of those that
// are still to come; -1 if there is none.
func (k *verification) nextCandidate(offset int64) int64 {
	for len(k.candidates) > 0 && k.candidates[0] < k.at {
		k.candidates = k.candidates[1:]
	}
	if len(k.candidates) == 0 || k.candidates[0] > offset {
		return -1
	}
	next := k.candidates[0]
	k.candidates = k.candidates[1:]
	return next
}

// catchUp goes over the text up to an offset, from as far before as matters and is still
// there.
func (l *verifier) catchUp(k *verification, expr *verified, text string, offset int64) bool {
	from := 0
	if expr.reach >= 0 {
		// So many bytes hold a character more than matters, wherever the first of them is in its own.
		from = max(int(offset-l.base)-(expr.reach+1)*utf8.UTFMax, 0)
	}
	if k.state != nil && k.at-l.base >= int64(from) {
		from = int(k.at - l.base)
	} else {
		k.state = expr.automaton.Begin(l.before(from))
	}
	k.idle = false
	end := int(offset - l.base)
	for at := from; at < end; {
		r, size := utf8.DecodeRuneInString(text[at:end])
		if !l.step(k, expr, r, offset) {
			return false
		}
		at += size
	}
	k.at = offset
	return true
}

// before stands for the character before an offset of the window, which is too far away to matter, or is not there any
// more. That there is none does.
func (l *verifier) before(from int) rune {
	if l.base+int64(from) == 0 {
		return syntax.NoRune
	}
	return ' '
}

// certain fires if the expression matches whatever follows.
func (l *verifier) certain(st *Stream, k *verification, expr *verified) bool {
	if !k.state.Ends() {
		return false
	}
	left := l.may(expr, expr.effort.Explore, k.at) - k.explored
	certain, work := expr.automaton.Certain(k.state, int(max(left, 0)))
	if !k.recent.met(k.state.Name()) {
		k.explored += int64(work)
		l.spent[expr.owner].Explored += int64(work)
	}
	if certain {
		l.fire(st, k, k.at)
	}
	return certain
}
