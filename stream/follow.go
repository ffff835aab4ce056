package stream

import (
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// maxFollowed and followedBytes bound how many views a stream goes through to tell
// what is certain: so many, and one more for each so many bytes. Beyond, a match is
// told when it needs nothing of what follows, which may be later.
const (
	maxFollowed   = 64 << 10
	followedBytes = 4
)

// follow lets an outlook go over the text up to an offset; ok is false if it has
// become too large.
func (l *lookers) follow(st *Stream, k *looker, look *look, offset int64) (ok bool) {
	text := l.text()
	for {
		if k.view == nil || k.idle {
			// It does not follow the text: go to where the next match may end.
			if k.always {
				k.view, k.at = look.outlook.Begin(syntax.NoRune), 0
			} else {
				next := k.signalled(offset)
				if next < 0 {
					return true
				}
				if !l.catchUp(k, look, text, next) {
					return false
				}
			}
			if l.certain(st, k, look) {
				return true
			}
		}
		if k.at == offset {
			return true
		}
		r, size := utf8.DecodeRuneInString(text[k.at-l.base:])
		if k.view = look.outlook.Next(k.view, r); k.view == nil {
			return false
		}
		k.at += int64(size)
		if l.certain(st, k, look) {
			return true
		}
		k.idle = !k.always && !k.view.Open() && k.signalled(k.at) != k.at
	}
}

// signalled takes the signals up to an offset away and gives the first of those that
// are not behind; -1 if there is none.
func (k *looker) signalled(offset int64) int64 {
	for len(k.signals) > 0 && k.signals[0] < k.at {
		k.signals = k.signals[1:]
	}
	if len(k.signals) == 0 || k.signals[0] > offset {
		return -1
	}
	next := k.signals[0]
	k.signals = k.signals[1:]
	return next
}

// catchUp brings an outlook to an offset, from as far before as matters and is
// still there.
func (l *lookers) catchUp(k *looker, look *look, text string, offset int64) bool {
	from := 0
	if look.reach >= 0 {
		from = max(int(offset-l.base)-(look.reach+1)*utf8.UTFMax, 0)
		for from > 0 && !boundary(text, from) {
			from--
		}
	}
	if k.view != nil && k.at-l.base >= int64(from) {
		from = int(k.at - l.base)
	} else {
		k.view = look.outlook.Begin(l.before(text, from))
	}
	k.idle = false
	end := int(offset - l.base)
	for at := from; at < end; {
		r, size := utf8.DecodeRuneInString(text[at:end])
		if k.view = look.outlook.Next(k.view, r); k.view == nil {
			return false
		}
		at += size
	}
	k.at = offset
	return true
}

// before gives the character before a place of the window.
func (l *lookers) before(text string, from int) rune {
	before := syntax.NoRune
	if from > 0 {
		before, _ = utf8.DecodeLastRuneInString(text[:from])
	} else if l.base > 0 {
		before = ' '
	}
	return before
}

// certain fires if the expression matches whatever follows.
func (l *lookers) certain(st *Stream, k *looker, look *look) bool {
	if !k.view.Ends() {
		return false
	}
	if int64(k.followed) > maxFollowed+k.at/followedBytes {
		if k.view.Settled() {
			l.fire(st, k, k.at)
			return true
		}
		return false
	}
	certain, cost := look.outlook.Certain(k.view)
	k.followed += cost
	if certain {
		l.fire(st, k, k.at)
	}
	return certain
}
