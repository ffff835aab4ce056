package look

import (
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Program is an expression in the form that a [Reading] runs. It is safe for
// concurrent use.
type Program struct {
	main        section
	lookarounds []section // by number of the look-around; those inside of others after these
}

// section is the expression without the inside of its look-around, or the inside
// of one without that of those in it.
type section struct {
	insts []inst
	start uint32
	end   uint32 // the instruction at which it has matched; len(insts): there is none
	// into has the instructions from which an instruction is reached: those of i are
	// into[from[i]:from[i+1]].
	into, from     []uint32
	behind, negate bool
	// states are the instructions as who looks for the preferred match comes to them:
	// each once for how many of the repeats around it have taken something.
	states []finderState
}

type finderState struct{ inst, fed uint32 }

// maxFinderStates bounds the states. Beyond, repeats may take nothing, which is another
// preference but the same matches.
const maxFinderStates = 64 << 10

type inst struct {
	syntax.Inst
	depth uint32    // repeats around it that must take something
	first uint32    // its first state; there is one more for each such repeat
	ascii [2]uint64 // the characters of ASCII in its set, as bits
}

func (i *inst) takes(r rune) bool {
	if uint32(r) < utf8.RuneSelf {
		return i.ascii[r>>6]&(1<<(r&63)) != 0
	}
	return syntax.RuneSet(i.Set).Contains(r)
}

// Compile gives the code of an expression; nil if it has back-references or is
// too large.
func Compile(tree *syntax.Tree) *Program {
	if tree.Root.Refers() {
		return nil
	}
	code := buildCode(tree.Root, true)
	if code == nil {
		return nil
	}
	out := &Program{main: newSection(code, code.Start)}
	out.main.spread()
	for _, p := range code.lookarounds {
		part := newSection(code, p.start)
		part.behind, part.negate = p.behind, p.negate
		out.lookarounds = append(out.lookarounds, part)
	}
	return out
}

// Size counts its instructions; nil has none.
func (c *Program) Size() int {
	if c == nil {
		return 0
	}
	size := len(c.main.insts) + len(c.main.states)/8
	for i := range c.lookarounds {
		size += len(c.lookarounds[i].insts)
	}
	return size
}

// newSection takes what is reached from an instruction, each with a new number.
func newSection(code *code, start uint32) section {
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
	var p section
	for i := 0; i < len(list); i++ {
		inst := inst{Inst: code.Insts[list[i]]}
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
func (p *section) spread() {
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
		if total > maxFinderStates {
			i.depth = 0
		}
		i.first = uint32(len(p.states))
		for fed := range i.depth + 1 {
			p.states = append(p.states, finderState{uint32(at), fed})
		}
	}
}

// link finds from where each instruction is reached.
func (p *section) link() {
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
