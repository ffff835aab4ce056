package regex

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// try matches at start, and gives where the match ends, -1 if there is none.
func (m *prefixMachine) try(start int, b *budget) int {
	m.trail.size, m.stack.size, m.caps.size = 0, 0, 0
	for i := range m.regs {
		m.regs[i] = -1
	}
	b.left -= len(m.regs) / 16
	pos, at := start, int32(0)
	for {
		b.left--
		if b.left <= 0 && !b.look() || m.stack.size > maxStack || m.trail.size > maxTrail {
			m.spent = true
			return -1
		}
		// A negative look-around ends here when nothing in it matched. If that
		// was for want of text, it is not known to hold.
		if reg := m.looks[at].negative; reg >= 0 && m.leaving(at, reg) {
			if m.hits > m.regs[m.hitsOf(reg)] {
				if at, pos = m.back(b); at < 0 {
					return -1
				}
				continue
			}
			m.set(m.hitsOf(reg)+1, -1) // it may be passed by in a later round of a loop
		}
		var ok bool
		if at, pos, ok = m.step(at, pos, b); ok {
			if at < 0 {
				return pos
			}
			continue
		}
		if m.spent {
			return -1
		}
		if at, pos = m.back(b); at < 0 {
			return -1
		}
	}
}

// hitsOf gives the register that holds the hits at the start of a look-around.
func (m *prefixMachine) hitsOf(reg int32) int32 { return reg + int32(m.code.registers) }

// leaving says whether the machine has come to the end of a negative look-around
// through it, and not past it.
func (m *prefixMachine) leaving(at, reg int32) bool { return m.regs[m.hitsOf(reg)+1] == at }

// step runs one instruction; ok is false if it fails. at is -1 after a match.
func (m *prefixMachine) step(at int32, pos int, b *budget) (int32, int, bool) {
	i := &m.code.insts[at]
	switch i.op {
	case mopChar:
		r, size := m.next(at, pos, i.back)
		return at + 1, pos + size, size != 0 && r == i.char
	case mopSet:
		r, size := m.next(at, pos, i.back)
		return at + 1, pos + size, size != 0 && i.set.has(r)
	case mopString:
		rest := m.text[pos:]
		if len(rest) < len(i.str) && strings.HasPrefix(i.str, rest) {
			m.hit(at)
		}
		return at + 1, pos + len(i.str), strings.HasPrefix(rest, i.str)
	case mopRepeatSet:
		p, ok := m.repeat(i, at, pos, b)
		if p == len(m.text) && !i.back && !(ok && (i.lazy || i.least == i.most)) {
			m.hit(at)
		}
		return at + 1, p, ok
	case mopSplit:
		m.push(i.y, pos)
		return i.x, pos, true
	case mopJump:
		return i.x, pos, true
	case mopOpen:
		m.set(i.reg, int32(pos))
	case mopClose:
		m.capture(i.group, m.regs[i.reg], int32(pos))
	case mopClear:
		b.left -= int(i.group2-i.group) / 8
		for g := i.group; g < i.group2; g++ {
			if m.regs[2*g] >= 0 {
				m.set(2*g, -1)
				m.set(2*g+1, -1)
			}
		}
	case mopLoopBegin:
		m.set(i.reg, 0)
		m.set(i.reg+1, -1)
	case mopLoop:
		next := m.loop(i, pos)
		return next, pos, next >= 0
	case mopRound:
		m.set(i.reg, m.regs[i.reg]+1)
		m.set(i.reg+1, int32(pos))
	case mopMark, mopMarkElse:
		m.mark(i, at, pos)
	case mopLookEnd:
		return m.lookEnd(i, at)
	case mopCutFail:
		// What is inside matches for certain: what was missing on the way to that
		// does not matter any more.
		m.stack.size = int(m.regs[i.reg])
		m.hits = m.regs[m.hitsOf(i.reg)]
		return at, pos, false
	case mopBackref:
		p, ok, short := m.refer(i, pos, b)
		if short && !i.back {
			m.hit(at)
		}
		return at + 1, p, ok
	case mopAssert:
		return at + 1, pos, m.holds(at, i.assert, pos)
	case mopMatch:
		return -1, pos, true
	default:
		return at, pos, false
	}
	return at + 1, pos, true
}

func (m *prefixMachine) mark(i *minst, at int32, pos int) {
	m.set(i.reg, int32(m.stack.size))
	m.set(i.reg+1, int32(pos))
	m.set(m.hitsOf(i.reg), m.hits)
	if i.op == mopMarkElse {
		// Set before the choice is stacked, so that it is still set when the
		// machine comes back to it.
		m.set(m.hitsOf(i.reg)+1, i.y)
		m.push(i.y, pos)
		return
	}
	m.set(m.hitsOf(i.reg)+1, at)
}

// lookEnd ends a look-around that matched. One that remembers groups could have
// remembered others, had more text been there.
func (m *prefixMachine) lookEnd(i *minst, at int32) (int32, int, bool) {
	before := m.regs[m.hitsOf(i.reg)]
	begin := m.regs[m.hitsOf(i.reg)+1]
	if m.hits > before {
		if m.looks[begin].captures {
			m.stack.size = int(m.regs[i.reg])
			return at, 0, false
		}
		m.hits = before
	}
	m.stack.size = int(m.regs[i.reg])
	return at + 1, int(m.regs[i.reg+1]), true
}

func (m *prefixMachine) holds(at int32, a syntax.Assertion, pos int) bool {
	before, size := m.char(pos, true)
	if size == 0 {
		before = syntax.NoRune
		if m.known.Cut {
			before = ' '
		}
	}
	after, size := m.char(pos, false)
	if size == 0 {
		after = syntax.NoRune
		if !m.known.End && a != syntax.BeginText && a != syntax.BeginLineAny {
			m.hit(at)
			return false
		}
	}
	return a.Holds(before, after, pos+size == len(m.text))
}

// back goes to the last way that was not taken; at is -1 when there is none.
func (m *prefixMachine) back(b *budget) (at int32, pos int) {
	if m.stack.size > 0 {
		if c := m.stack.at(m.stack.size - 1); c.rest >= 0 && int(c.pos) == len(m.text) {
			if i := &m.code.insts[c.at]; i.lazy && !i.back {
				m.hit(c.at)
			}
		}
	}
	return m.pop(b)
}
