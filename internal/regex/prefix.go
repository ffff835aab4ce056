package regex

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Prefix looks for matches in a text of which only the start is known. It answers
// for what no further text can change: a match counts once it is found without
// looking at the end.
//
// It is made for ECMAScript expressions, holds the machine's code, and is safe for
// concurrent use.
type Prefix struct {
	code *machineCode
	// looks has an entry for each instruction: what the machine must do with
	// look-around there beyond what it does on a whole text.
	looks []prefixLook
}

type prefixLook struct {
	inside   bool  // the instruction belongs to a look-around
	captures bool  // a mopMark whose look-around remembers groups
	negative int32 // at the instruction after a negative look-around: register of its mark, else -1
}

// Known says what is known of the text around the one that is searched.
type Known struct {
	// Cut: more text came before. The start of this one is then no start, of the
	// text or of a line, and look-behind sees nothing beyond it.
	Cut bool
	// End: nothing follows.
	End bool
}

// Steps bounds a search, in steps of a few nanoseconds each. Steps, unlike a clock,
// give the same answer on a machine that is busy. 0 sets no bound.
type Steps struct {
	// Start is for what starts at one offset. If it takes more it is given up, and
	// the search goes on at the next.
	Start int
	// All is for the whole search: when it is used up, no further offset is tried.
	All int
}

// Span is a part of a text: from From up to, without, To, in bytes.
type Span struct{ From, To int }

// Found is the answer of [Prefix.Search].
type Found struct {
	Matched    bool
	Start, End int // of the match, in bytes
	// Resume is the first offset at which a match may still start, once more text
	// is known. It means nothing if Matched.
	Resume int
	// Waiting says that a match may be completed by what a look-around or an
	// assertion sees of further text, without taking any of it.
	Waiting bool
	// GivenUp are the offsets at which it took too many steps, in order.
	GivenUp []Span
	// Stopped says that all steps were used up before the offset Next, which was not
	// tried, nor were those after it.
	Stopped bool
	Next    int
	Steps   int // taken
}

// Prefix builds the machine's code.
func (re *Regexp) Prefix() *Prefix {
	t := re.Tree()
	p := &Prefix{code: newMachineCode(t, firstBytes(t.Root))}
	p.looks = make([]prefixLook, len(p.code.insts)+1)
	for i := range p.looks {
		p.looks[i].negative = -1
	}
	for i, inst := range p.code.insts {
		end := i + 1
		switch inst.op {
		case mopMark:
			for ; p.code.insts[end].op != mopLookEnd || p.code.insts[end].reg != inst.reg; end++ {
				p.looks[i].captures = p.looks[i].captures || p.code.insts[end].op == mopClose
			}
		case mopMarkElse:
			end = int(inst.y)
			p.looks[end].negative = inst.reg
		default:
			continue
		}
		for at := i; at < end; at++ {
			p.looks[at].inside = true
		}
	}
	return p
}

// prefixMachine is a machine that notes when it wanted to see more text.
type prefixMachine struct {
	*machine
	looks   []prefixLook
	known   Known
	hits    int32 // how often the end was looked at; less what turned out not to matter
	waiting bool
}

// Search looks for a match that starts at from or later, and at no offset of skip,
// which is in order. The text and from are to be cut between characters.
func (p *Prefix) Search(text string, from int, known Known, steps Steps, skip []Span) Found {
	m := prefixMachine{machine: machines.Get().(*machine), looks: p.looks, known: known}
	m.code, m.text, m.spent = p.code, text, false
	// Each look-around has two registers, and here a third for its hits.
	size := 2 * p.code.registers
	if cap(m.regs) < size {
		m.regs = make([]int32, size)
	}
	m.regs = m.regs[:size]
	found := m.search(from, steps, skip)
	m.machine.code, m.text = nil, ""
	m.stack.release()
	m.trail.release()
	m.caps.release()
	machines.Put(m.machine)
	return found
}

func (m *prefixMachine) search(pos int, steps Steps, skip []Span) Found {
	found := Found{Resume: -1}
	open := func(at int) {
		if found.Resume < 0 {
			found.Resume = at
		}
	}
	for !m.code.anchored || pos == 0 && !m.known.Cut {
		if first := m.code.first; first != nil {
			from := pos
			for pos < len(m.text) && !first[m.text[pos]] {
				pos++
			}
			found.Steps += (pos - from) / 8
			if m.code.anchored && pos > 0 {
				break
			}
			if pos == len(m.text) {
				open(pos)
				break
			}
			if !utf8.RuneStart(m.text[pos]) && inside(m.text, pos) {
				pos++
				continue
			}
		}
		for len(skip) > 0 && skip[0].To <= pos {
			skip = skip[1:]
		}
		skipped := len(skip) > 0 && skip[0].From <= pos
		if steps.All > 0 && found.Steps >= steps.All && !skipped {
			open(pos)
			found.Stopped, found.Next, found.Waiting = true, pos, m.waiting
			return found
		}
		_, size := utf8.DecodeRuneInString(m.text[pos:])
		if !skipped {
			m.hits = 0
			end := m.start(pos, steps.Start, &found.Steps)
			switch {
			case m.spent:
				m.spent = false
				found.giveUp(Span{pos, pos + max(size, 1)})
			case end >= 0:
				return Found{Matched: true, Start: pos, End: end, GivenUp: found.GivenUp, Steps: found.Steps}
			case m.hits > 0:
				open(pos)
			}
		}
		if pos == len(m.text) {
			open(pos)
			break
		}
		pos += size
	}
	open(len(m.text))
	found.Waiting = m.waiting
	return found
}

// start tries one offset, and counts what that takes.
func (m *prefixMachine) start(pos, limit int, taken *int) int {
	waiting := m.waiting
	b := budget{left: math.MaxInt}
	if limit > 0 {
		// When they are used up, the first look at the clock says that it is late.
		b = budget{left: limit, deadline: time.Unix(0, 0)}
	}
	from := b.left
	end := m.try(pos, &b)
	if m.spent {
		m.waiting = waiting // whatever it waited for, nobody will come back to it
		*taken += limit
		return -1
	}
	*taken += from - b.left
	return end
}

// giveUp adds an offset that comes after all others.
func (f *Found) giveUp(s Span) {
	if n := len(f.GivenUp); n > 0 && f.GivenUp[n-1].To == s.From {
		f.GivenUp[n-1].To = s.To
		return
	}
	f.GivenUp = append(f.GivenUp, s)
}

// hit notes that the instruction at wanted to see what comes after the text.
func (m *prefixMachine) hit(at int32) {
	if m.known.End {
		return
	}
	m.hits++
	m.waiting = m.waiting || m.looks[at].inside || m.code.insts[at].op == mopAssert
}

// next reads a character for the instruction at.
func (m *prefixMachine) next(at int32, pos int, back bool) (rune, int) {
	r, size := m.char(pos, back)
	if size == 0 && !back {
		m.hit(at)
	}
	return r, size
}

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
