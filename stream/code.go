package stream

import (
	"github.com/pertain-dev/pertain/internal/regex"
)

// edge is what assertions need to know of the character before a place.
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
	return [edges]rune{' ', regex.NoRune, 'a', '\n'}[c]
}

// inst is an instruction of the part of the expressions that is run as it is
// written, in 16 bytes.
type inst struct {
	op     regex.Op
	assert regex.Assertion
	set    uint32 // OpSet: number of the set; OpMatch: number of the expression
	out    uint32
	alt    uint32
}

// code holds the instructions of many expressions.
type code struct {
	insts []inst
}

// add appends a program and gives the number that its instructions are shifted by.
func (c *code) add(p *regex.Program, ids []uint32, expression uint32) uint32 {
	base := uint32(len(c.insts))
	for i := range p.Insts {
		from := &p.Insts[i]
		to := inst{op: from.Op, assert: from.Assert, out: base + from.Out, alt: base + from.Alt, set: ids[i]}
		if from.Op == regex.OpMatch {
			to.set = expression
		}
		c.insts = append(c.insts, to)
	}
	return base
}

// loops says for each instruction whether it is part of a loop. Programs are
// numbered back to front: an arrow to a higher number closes a loop over all
// instructions between.
func loops(p *regex.Program) []bool {
	var looped []bool
	for i := range p.Insts {
		inst := &p.Insts[i]
		high := uint32(0)
		switch inst.Op {
		case regex.OpSplit:
			high = max(inst.Out, inst.Alt)
		case regex.OpSet, regex.OpAssert:
			high = inst.Out
		}
		if high <= uint32(i) {
			continue
		}
		if looped == nil {
			looped = make([]bool, len(p.Insts))
		}
		for at := uint32(i); at <= high; at++ {
			looped[at] = true
		}
	}
	if looped == nil {
		looped = make([]bool, len(p.Insts))
	}
	return looped
}

// nullable says whether a program matches the empty text whatever is around.
func nullable(p *regex.Program) bool {
	seen := make(map[uint32]bool)
	todo := []uint32{p.Start}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		switch i := &p.Insts[at]; i.Op {
		case regex.OpMatch:
			return true
		case regex.OpSplit:
			todo = append(todo, i.Out, i.Alt)
		}
	}
	return false
}
