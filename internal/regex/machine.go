package regex

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Bounds on the machine's stacks, in entries; some 64 MiB each. A match that
// needs more is given up as if its time had run out.
const (
	maxStack = 4 << 20 // of 16 bytes
	maxTrail = 8 << 20 // of 8 bytes
)

// machine is the state of one backtracking match. What it has noted (captures,
// counters) lives in registers; each change is put on a trail, so that going
// back to an earlier choice also goes back to the registers of then.
type machine struct {
	code  *machineCode
	text  string
	regs  []int32
	trail pages[change]
	stack pages[choice]
	caps  pages[capture] // only for code.balance
	spent bool           // the budget or the memory is used up
}

// choice is a way that was not taken yet.
type choice struct {
	at    int32 // instruction
	pos   int32
	trail int32 // length of the trail
	// rest is -1 for a plain choice. For a repeat it is how far characters may
	// be given back (greedy), or how many more may be taken (lazy).
	rest int32
}

type change struct {
	reg int32
	old int32
}

// machines keeps the memory of finished matches for the next ones, whatever their
// expression: one for each would hold a few hundred kilobytes each.
var machines = sync.Pool{New: func() any { return new(machine) }}

// run searches the text for the first match. ok is false when the budget is used up.
func (code *machineCode) run(text string, b *budget) (start, end int, ok bool) {
	m := machines.Get().(*machine)
	m.code, m.text, m.spent = code, text, false
	if cap(m.regs) < code.registers {
		m.regs = make([]int32, code.registers)
	}
	m.regs = m.regs[:code.registers]
	start, end = m.search(b)
	ok = !m.spent
	m.code, m.text = nil, ""
	m.stack.release()
	m.trail.release()
	m.caps.release()
	machines.Put(m)
	return start, end, ok
}

func (m *machine) search(b *budget) (start, end int) {
	for pos := 0; pos <= len(m.text); {
		if first := m.code.first; first != nil {
			from := pos
			for pos < len(m.text) && !first[m.text[pos]] {
				pos++
			}
			if !b.take((pos - from) / 8) {
				m.spent = true
				return -1, -1
			}
			if pos == len(m.text) || m.code.anchored && pos > 0 {
				return -1, -1
			}
			if !utf8.RuneStart(m.text[pos]) && inside(m.text, pos) {
				pos++
				continue
			}
		}
		end, matched := m.try(pos, b)
		if m.spent {
			return -1, -1
		}
		if matched {
			return pos, end
		}
		if m.code.anchored || pos == len(m.text) {
			break
		}
		_, size := utf8.DecodeRuneInString(m.text[pos:])
		pos += size
	}
	return -1, -1
}

// inside says whether pos is within a valid multi-byte character.
func inside(text string, pos int) bool {
	for start := pos - 1; start >= 0 && start > pos-utf8.UTFMax; start-- {
		if utf8.RuneStart(text[start]) {
			_, size := utf8.DecodeRuneInString(text[start:])
			return start+size > pos
		}
	}
	return false
}

func (m *machine) set(reg, value int32) {
	m.trail.push(change{reg: reg, old: m.regs[reg]})
	m.regs[reg] = value
}

// try matches at pos.
func (m *machine) try(start int, b *budget) (end int, matched bool) {
	m.trail.size, m.stack.size, m.caps.size = 0, 0, 0
	for i := range m.regs {
		m.regs[i] = -1
	}
	b.left -= len(m.regs) / 16
	text, insts := m.text, m.code.insts
	pos, at := start, int32(0)
	for {
		b.left--
		if b.left <= 0 && !b.look() || m.stack.size > maxStack || m.trail.size > maxTrail || m.caps.size > maxStack {
			m.spent = true
			return 0, false
		}
		i := &insts[at]
		at++
		switch i.op {
		case mopChar:
			if r, size := m.char(pos, i.back); size != 0 && r == i.char {
				pos += size
				continue
			}
		case mopSet:
			if r, size := m.char(pos, i.back); size != 0 && i.set.has(r) {
				pos += size
				continue
			}
		case mopString:
			if strings.HasPrefix(text[pos:], i.str) {
				pos += len(i.str)
				continue
			}
		case mopRepeatSet:
			if p, ok := m.repeat(i, at-1, pos, b); ok {
				pos = p
				continue
			}
		case mopSplit:
			m.push(i.y, pos)
			at = i.x
			continue
		case mopJump:
			at = i.x
			continue
		case mopOpen:
			m.set(i.reg, int32(pos))
			continue
		case mopClose:
			m.capture(i.group, m.regs[i.reg], int32(pos))
			continue
		case mopBalance:
			if m.balance(i, int32(pos)) {
				continue
			}
		case mopClear:
			b.left -= int(i.group2-i.group) / 8
			for g := i.group; g < i.group2; g++ {
				if m.regs[2*g] >= 0 {
					m.set(2*g, -1)
					m.set(2*g+1, -1)
				}
			}
			continue
		case mopLoopBegin:
			m.set(i.reg, 0)
			m.set(i.reg+1, -1)
			continue
		case mopLoop:
			if next := m.loop(i, pos); next >= 0 {
				at = next
				continue
			}
		case mopRound:
			m.set(i.reg, m.regs[i.reg]+1)
			m.set(i.reg+1, int32(pos))
			continue
		case mopMark, mopMarkElse:
			m.set(i.reg, int32(m.stack.size))
			m.set(i.reg+1, int32(pos))
			if i.op == mopMarkElse {
				m.push(i.y, pos)
			}
			continue
		case mopLookEnd:
			m.stack.size = int(m.regs[i.reg])
			pos = int(m.regs[i.reg+1])
			continue
		case mopCut:
			m.stack.size = int(m.regs[i.reg])
			continue
		case mopCutFail:
			m.stack.size = int(m.regs[i.reg])
		case mopBackref:
			if p, ok, _ := m.refer(i, pos, b); ok {
				pos = p
				continue
			}
		case mopIfGroup:
			at = i.y
			if _, _, ok := m.captured(i.group); ok {
				at = i.x
			}
			continue
		case mopAssert:
			if m.holds(i.assert, pos) {
				continue
			}
		case mopMatch:
			return pos, true
		}
		// Failed: take the last way that was not taken.
		if at, pos = m.pop(b); at < 0 {
			return 0, false
		}
	}
}

func (m *machine) push(at int32, pos int) {
	m.stack.push(choice{at: at, pos: int32(pos), trail: int32(m.trail.size), rest: -1})
}

// pop gives the offset to go on at after a failure; at is -1 when there is none.
func (m *machine) pop(b *budget) (at int32, pos int) {
	for m.stack.size > 0 {
		c := m.stack.at(m.stack.size - 1)
		for m.trail.size > int(c.trail) {
			m.trail.size--
			last := m.trail.at(m.trail.size)
			m.regs[last.reg] = last.old
		}
		at, pos = c.at, int(c.pos)
		if c.rest < 0 {
			m.stack.size--
			return at, pos
		}
		i := &m.code.insts[at]
		if i.lazy {
			r, size := m.char(pos, i.back)
			if size == 0 || !i.set.has(r) {
				m.stack.size--
				continue
			}
			pos += size
			if c.rest--; c.rest == 0 {
				m.stack.size--
			}
			c.pos = int32(pos)
			return at + 1, pos
		}
		pos = m.giveBack(i, pos, int(c.rest), b)
		if pos < 0 {
			m.stack.size--
			continue
		}
		if c.pos = int32(pos); c.pos == c.rest {
			m.stack.size--
		}
		return at + 1, pos
	}
	return -1, 0
}

// char gives the character after pos and its size in bytes, or, going back, the
// one before pos and its negative size. The size is 0 at the end of the text.
func (m *machine) char(pos int, back bool) (rune, int) {
	if back {
		if pos == 0 {
			return 0, 0
		}
		if c := m.text[pos-1]; c < utf8.RuneSelf {
			return rune(c), -1
		}
		r, size := utf8.DecodeLastRuneInString(m.text[:pos])
		return r, -size
	}
	if pos == len(m.text) {
		return 0, 0
	}
	if c := m.text[pos]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(m.text[pos:])
}

// holds decides an assertion at pos.
func (m *machine) holds(a syntax.Assertion, pos int) bool {
	before, size := m.char(pos, true)
	if size == 0 {
		before = syntax.NoRune
	}
	after, size := m.char(pos, false)
	if size == 0 {
		after = syntax.NoRune
	}
	return a.Holds(before, after, pos+size == len(m.text))
}
