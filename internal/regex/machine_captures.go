package regex

import (
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// capture is one entry in the stack of a group's captures.
type capture struct {
	start, end int32
	below      int32 // index of the entry below, -1 for none
}

func (m *machine) capture(group, start, end int32) {
	if start > end {
		start, end = end, start
	}
	if !m.code.balance {
		m.set(2*group, start)
		m.set(2*group+1, end)
		return
	}
	m.caps.push(capture{start: start, end: end, below: m.regs[2*group]})
	m.set(2*group, int32(m.caps.size-1))
}

func (m *machine) captured(group int32) (start, end int32, ok bool) {
	if group == 0 || m.regs[2*group] < 0 {
		return 0, 0, false
	}
	if !m.code.balance {
		return m.regs[2*group], m.regs[2*group+1], true
	}
	c := m.caps.at(int(m.regs[2*group]))
	return c.start, c.end, true
}

// balance ends .NET's (?<group-group2>...): it takes the last capture off group2,
// and gives group what is between that one and this.
func (m *machine) balance(i *minst, pos int32) bool {
	start2, end2, ok := m.captured(i.group2)
	if !ok {
		return false
	}
	start, end := min(m.regs[i.reg], pos), max(m.regs[i.reg], pos)
	switch {
	case start >= end2:
		start, end = end2, start
	case end <= start2:
		start = start2
	default:
		start, end = max(start, start2), min(end, end2)
	}
	m.set(2*i.group2, m.caps.at(int(m.regs[2*i.group2])).below)
	if i.group != 0 {
		m.capture(i.group, start, end)
	}
	return true
}

// refer matches what a group matched. A group that has not matched is the empty
// text in ECMAScript, and a failure in .NET. short says that it failed only because
// the text ends.
func (m *machine) refer(i *minst, pos int, b *budget) (next int, ok, short bool) {
	start, end, ok := m.captured(i.group)
	if !ok {
		return pos, m.code.ecma, false
	}
	want := m.text[start:end]
	b.left -= len(want) / 8
	if i.fold == syntax.FoldNone && utf8.ValidString(want) && !strings.ContainsRune(want, utf8.RuneError) {
		if i.back {
			return pos - len(want), strings.HasSuffix(m.text[:pos], want), false
		}
		rest := m.text[pos:]
		return pos + len(want), strings.HasPrefix(rest, want), len(rest) < len(want) && strings.HasPrefix(want, rest)
	}
	// One by one: the same character may be written in several ways, as a broken
	// byte is U+FFFD whatever it is.
	b.left -= len(want)
	for len(want) > 0 {
		var w rune
		var size int
		if i.back {
			w, size = utf8.DecodeLastRuneInString(want)
			want = want[:len(want)-size]
		} else {
			w, size = utf8.DecodeRuneInString(want)
			want = want[size:]
		}
		r, step := m.char(pos, i.back)
		if step == 0 {
			return pos, false, true
		}
		if !i.fold.Equal(r, w) {
			return pos, false, false
		}
		pos += step
	}
	return pos, true, false
}
