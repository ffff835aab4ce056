package lanes

import (
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// edge is what assertions need to know of the character before a position.
type edge uint8

const (
	elsewhere edge = iota // after a character that is none of the following
	atBegin
	afterWord
	afterLine
	edges = 4
)

// rune gives a character that stands for the edge.
func (c edge) rune() rune {
	return [edges]rune{' ', syntax.NoRune, 'a', '\n'}[c]
}

// variant is which list of a detour counts after such a character.
func (c edge) variant() int {
	if c == afterLine {
		return 1
	}
	return 0
}

// inst is an instruction of the part of the expressions that is run as it is
// written, in 16 bytes.
type inst struct {
	op     syntax.Op
	assert syntax.Assertion
	set    uint32 // OpSet: number of the set; OpMatch: number of the expression
	out    uint32
	alt    uint32
}

// code holds the instructions of many expressions.
type code struct {
	insts []inst
}

// add appends the instructions of an expression and gives the number that they are
// shifted by.
func (c *code) add(insts []inst) uint32 {
	base := uint32(len(c.insts))
	for _, i := range insts {
		i.out += base
		i.alt += base
		c.insts = append(c.insts, i)
	}
	return base
}

// loops says for each instruction whether it is part of a loop. Programs are
// numbered back to front: an arrow to a higher number closes a loop over all
// instructions between.
func loops(insts []inst) []bool {
	looped := make([]bool, len(insts))
	for i := range insts {
		high := uint32(0)
		switch inst := &insts[i]; inst.op {
		case syntax.OpSplit:
			high = max(inst.out, inst.alt)
		case syntax.OpSet, syntax.OpAssert:
			high = inst.out
		}
		if high <= uint32(i) {
			continue
		}
		for at := uint32(i); at <= high; at++ {
			looped[at] = true
		}
	}
	return looped
}
