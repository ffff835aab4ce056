package regex

import (
	"math"
	"time"
	"unicode/utf8"
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
