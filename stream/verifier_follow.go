package stream

import (
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// maxFollowed and followedBytes bound how many states a stream goes through to tell
// what is certain: so many, and one more for each so many bytes. Beyond, a match is
// told when it needs nothing of what follows, which may be later.
const (
	maxFollowed   = 64 << 10
	followedBytes = 4
)

// follow brings the state of an expression up to an offset; ok is false if it has become
// too large.
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
		if k.state = expr.automaton.Next(k.state, r); k.state == nil {
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
		if k.state = expr.automaton.Next(k.state, r); k.state == nil {
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
	if int64(k.followed) > maxFollowed+k.at/followedBytes {
		if k.state.Settled() {
			l.fire(st, k, k.at)
			return true
		}
		return false
	}
	certain, cost := expr.automaton.Certain(k.state)
	k.followed += cost
	if certain {
		l.fire(st, k, k.at)
	}
	return certain
}
