package regex

import (
	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"unicode/utf8"
)

// ReadingCode is an expression in the form that a [Reading] runs. It is safe for
// concurrent use.
type ReadingCode struct {
	main  readingPart
	parts []readingPart // by number of the look-around; those inside of others behind these
}

// readingPart is the expression without the inside of its look-around, or the inside
// of one without that of those in it.
type readingPart struct {
	insts []readingInst
	start uint32
	end   uint32 // the instruction at which it has matched; len(insts): there is none
	// into has the instructions from which an instruction is reached: those of i are
	// into[from[i]:from[i+1]].
	into, from     []uint32
	behind, negate bool
	// states are the instructions as who looks for the preferred match comes to them:
	// each once for how many of the repeats around it have taken something.
	states []readingState
}

type readingState struct{ inst, fed uint32 }

// maxReadingStates bounds the states. Beyond, repeats may take nothing, which is another
// preference but the same matches.
const maxReadingStates = 64 << 10

type readingInst struct {
	syntax.Inst
	depth uint32    // repeats around it that must take something
	first uint32    // its first state; there is one more for each such repeat
	ascii [2]uint64 // the characters of ASCII in its set, as bits
}

func (i *readingInst) takes(r rune) bool {
	if uint32(r) < utf8.RuneSelf {
		return i.ascii[r>>6]&(1<<(r&63)) != 0
	}
	return syntax.RuneSet(i.Set).Contains(r)
}

// ReadingCode gives the code of the expression; nil if it has back-references or is
// too large.
func (re *Regexp) ReadingCode() *ReadingCode {
	root := re.tree().Root
	if refers(root) {
		return nil
	}
	code := buildOutlookCode(root, true)
	if code == nil {
		return nil
	}
	out := &ReadingCode{main: newReadingPart(code, code.Start)}
	out.main.spread()
	for _, p := range code.parts {
		part := newReadingPart(code, p.start)
		part.behind, part.negate = p.behind, p.negate
		out.parts = append(out.parts, part)
	}
	return out
}

// Size counts its instructions; nil has none.
func (c *ReadingCode) Size() int {
	if c == nil {
		return 0
	}
	size := len(c.main.insts) + len(c.main.states)/8
	for i := range c.parts {
		size += len(c.parts[i].insts)
	}
	return size
}

// newReadingPart takes what is reached from an instruction, each with a new number.
func newReadingPart(code *outlookCode, start uint32) readingPart {
	numbers := map[uint32]uint32{start: 0}
	list := []uint32{start}
	number := func(at uint32) uint32 {
		n, ok := numbers[at]
		if !ok {
			n = uint32(len(list))
			numbers[at] = n
			list = append(list, at)
		}
		return n
	}
	var p readingPart
	for i := 0; i < len(list); i++ {
		inst := readingInst{Inst: code.Insts[list[i]]}
		switch inst.Op {
		case syntax.OpSplit:
			inst.Out, inst.Alt = number(inst.Out), number(inst.Alt)
		case syntax.OpSet:
			inst.Out = number(inst.Out)
			for r := range rune(utf8.RuneSelf) {
				if syntax.RuneSet(inst.Set).Contains(r) {
					inst.ascii[r>>6] |= 1 << (r & 63)
				}
			}
		case syntax.OpAssert, syntax.OpLook, syntax.OpEnter, syntax.OpLeave:
			inst.Out = number(inst.Out)
		}
		p.insts = append(p.insts, inst)
	}
	p.end = uint32(len(p.insts))
	for i := range p.insts {
		if op := p.insts[i].Op; op == syntax.OpMatch || op == syntax.OpBehind {
			p.end = uint32(i)
		}
	}
	p.link()
	return p
}

// spread makes the states. Around what OpEnter leads to is one repeat more.
func (p *readingPart) spread() {
	seen := make([]bool, len(p.insts))
	seen[p.start] = true
	list := []uint32{p.start}
	total := 0
	for n := 0; n < len(list); n++ {
		i := &p.insts[list[n]]
		total += int(i.depth) + 1
		depth := i.depth
		to := []uint32{i.Out}
		switch i.Op {
		case syntax.OpSplit:
			to = append(to, i.Alt)
		case syntax.OpEnter:
			depth++
		case syntax.OpLeave:
			depth--
		case syntax.OpMatch, syntax.OpFail:
			to = nil
		}
		for _, at := range to {
			if !seen[at] {
				seen[at] = true
				p.insts[at].depth = depth
				list = append(list, at)
			}
		}
	}
	for at := range p.insts {
		i := &p.insts[at]
		if total > maxReadingStates {
			i.depth = 0
		}
		i.first = uint32(len(p.states))
		for fed := range i.depth + 1 {
			p.states = append(p.states, readingState{uint32(at), fed})
		}
	}
}

// link finds from where each instruction is reached.
func (p *readingPart) link() {
	each := func(take func(to, at uint32)) {
		for at := range p.insts {
			switch i := &p.insts[at]; i.Op {
			case syntax.OpSplit:
				take(i.Out, uint32(at))
				take(i.Alt, uint32(at))
			case syntax.OpSet, syntax.OpAssert, syntax.OpLook, syntax.OpEnter, syntax.OpLeave:
				take(i.Out, uint32(at))
			}
		}
	}
	p.from = make([]uint32, len(p.insts)+2)
	each(func(to, _ uint32) { p.from[to+2]++ })
	for i := 2; i < len(p.from); i++ {
		p.from[i] += p.from[i-1]
	}
	p.into = make([]uint32, p.from[len(p.from)-1])
	each(func(to, at uint32) {
		p.into[p.from[to+1]] = at
		p.from[to+1]++
	})
}
