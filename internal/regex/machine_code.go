package regex

import (
	"math"
	"unicode/utf8"
)

// mop is what an instruction of the backtracking machine does.
type mop uint8

const (
	mopChar      mop = iota // one character: char
	mopSet                  // one character of set
	mopString               // the bytes of str
	mopRepeatSet            // set, least to most times, as one instruction
	mopSplit                // go on at x, on failure at y
	mopJump                 // go on at x
	mopOpen                 // note the place in register reg
	mopClose                // group is from the place in reg to here
	mopBalance              // the same, and pop group2
	mopClear                // forget groups from group up to, without, group2
	mopLoopBegin            // registers reg and reg+1 count a loop's rounds
	mopLoop                 // one more round at x, or leave at y
	mopRound                // a round of the loop begins
	mopMark                 // note the place and the height of the stack in reg, reg+1
	mopMarkElse             // the same, and on failure go on at y
	mopLookEnd              // drop what was stacked since the mark, go back to its place
	mopCutFail              // drop what was stacked since the mark, and fail
	mopCut                  // drop what was stacked since the mark
	mopBackref              // what group matched
	mopIfGroup              // go on at x if group has matched, else at y
	mopAssert               //
	mopFail                 //
	mopMatch                //
)

// minst is an instruction of the backtracking machine.
type minst struct {
	op     mop
	assert Assertion
	fold   folding
	back   bool // match towards the begin of the text, inside a look-behind
	lazy   bool
	char   rune
	x, y   int32
	reg    int32
	group  int32
	group2 int32
	least  int32
	most   int32 // math.MaxInt32 for no bound
	set    *charSet
	str    string
	// stop is the byte that must follow a repeat, so that giving back characters
	// can skip the places where it does not; -1 if that is not known.
	stop int16
}

// charSet is a set of characters that answers for ASCII without a search. It
// keeps the class as it was written: resolved, ten thousand classes of a hostile
// expression would take tens of megabytes.
type charSet struct {
	ascii [2]uint64
	class *class
}

func newCharSet(c *class) *charSet {
	set := &charSet{class: c}
	for r := rune(0); r < utf8.RuneSelf; r++ {
		if c.has(r) {
			set.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	return set
}

func (c *charSet) has(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r>>6]&(1<<(r&63)) != 0
	}
	return c.class.has(r)
}

// machineCode is an expression as the backtracking machine runs it.
type machineCode struct {
	insts     []minst
	groups    int
	registers int
	balance   bool // some group is balanced off, so captures are kept as stacks
	ecma      bool
	anchored  bool
	first     *[256]bool // bytes that a match can start with; nil for any
}

type codeBuilder struct {
	machineCode
	back bool
	sets map[charKey]*charSet // of single characters
}

type charKey struct {
	char rune
	fold folding
}

func newMachineCode(t *tree, first *[256]bool) *machineCode {
	b := &codeBuilder{}
	b.groups = t.groups
	b.ecma = t.dialect == ECMAScript
	b.registers = 2 * t.groups // where each group starts and ends
	b.balance = balances(t.root)
	b.anchored = t.root.anchored()
	b.first = first
	b.build(t.root)
	b.add(minst{op: mopMatch})
	for i := range b.insts[:len(b.insts)-1] {
		b.insts[i].stop = b.stopByte(&b.insts[i], &b.insts[i+1])
	}
	return &b.machineCode
}

func balances(n *node) bool {
	if n.group2 != 0 {
		return true
	}
	for _, sub := range n.subs {
		if balances(sub) {
			return true
		}
	}
	return false
}

// stopByte gives the byte that next needs, if it is one.
func (b *codeBuilder) stopByte(i, next *minst) int16 {
	if i.op != mopRepeatSet || i.back || i.lazy {
		return -1
	}
	switch {
	case next.op == mopChar && !next.back && next.char < utf8.RuneSelf:
		return int16(next.char)
	case next.op == mopString && !next.back:
		return int16(next.str[0])
	default:
		return -1
	}
}

func (b *codeBuilder) add(i minst) int32 {
	i.back = b.back
	b.insts = append(b.insts, i)
	return int32(len(b.insts) - 1)
}

func (b *codeBuilder) here() int32 { return int32(len(b.insts)) }

func (b *codeBuilder) allot(n int) int32 {
	reg := b.registers
	b.registers += n
	return int32(reg)
}

func (b *codeBuilder) build(n *node) {
	switch n.kind {
	case kindEmpty:
	case kindChar, kindClass:
		b.one(n)
	case kindConcat:
		b.concat(n.subs)
	case kindAlternate:
		b.choice(n.subs)
	case kindRepeat:
		b.repeat(n)
	case kindCapture:
		reg := b.allot(1)
		b.add(minst{op: mopOpen, reg: reg})
		b.build(n.subs[0])
		close := minst{op: mopClose, reg: reg, group: int32(n.group)}
		if n.group2 != 0 {
			close.op, close.group2 = mopBalance, int32(n.group2)
		}
		b.add(close)
	case kindAtomic:
		reg := b.allot(2)
		b.add(minst{op: mopMark, reg: reg})
		b.build(n.subs[0])
		b.add(minst{op: mopCut, reg: reg})
	case kindLook:
		b.look(n)
	case kindBackref:
		b.add(minst{op: mopBackref, group: int32(n.group), fold: n.fold})
	case kindAssert:
		b.add(minst{op: mopAssert, assert: n.assert})
	case kindIfGroup:
		test := b.add(minst{op: mopIfGroup, group: int32(n.group)})
		b.insts[test].x = b.here()
		b.either(n.subs[0], n.subs[1], func(at int32) { b.insts[test].y = at })
	case kindIfMatch:
		reg := b.allot(2)
		test := b.add(minst{op: mopMarkElse, reg: reg})
		b.build(n.subs[0])
		b.add(minst{op: mopLookEnd, reg: reg})
		b.either(n.subs[1], n.subs[2], func(at int32) { b.insts[test].y = at })
	}
}

// either builds yes, a jump over no, and no, whose start it tells.
func (b *codeBuilder) either(yes, no *node, startOfNo func(int32)) {
	b.build(yes)
	jump := b.add(minst{op: mopJump})
	startOfNo(b.here())
	b.build(no)
	b.insts[jump].x = b.here()
}

// one builds a node that matches one character.
func (b *codeBuilder) one(n *node) {
	if n.kind == kindChar && !n.folds() {
		b.add(minst{op: mopChar, char: n.char})
		return
	}
	b.add(minst{op: mopSet, set: b.charSet(n)})
}

func (b *codeBuilder) charSet(n *node) *charSet {
	if n.kind == kindClass {
		return newCharSet(n.class)
	}
	key := charKey{n.char, n.fold}
	set, ok := b.sets[key]
	if !ok {
		set = newCharSet(&class{pairs: []rune{n.char, n.char}, fold: n.fold})
		if b.sets == nil {
			b.sets = make(map[charKey]*charSet)
		}
		b.sets[key] = set
	}
	return set
}

func (b *codeBuilder) concat(subs []*node) {
	for i := 0; i < len(subs); i++ {
		at := i
		if b.back {
			at = len(subs) - 1 - i
		}
		if !b.back {
			if text := plainRun(subs[i:]); len(text) > 1 {
				b.add(minst{op: mopString, str: string(text)})
				i += len(text) - 1
				continue
			}
		}
		b.build(subs[at])
	}
}

// plainRun gives the characters that subs start with, as long as they have one
// form only.
func plainRun(subs []*node) []rune {
	var text []rune
	for _, sub := range subs {
		// A surrogate has no form in UTF-8, and U+FFFD may be any broken byte.
		if sub.kind != kindChar || !utf8.ValidRune(sub.char) || sub.char == utf8.RuneError || sub.folds() {
			break
		}
		text = append(text, sub.char)
	}
	return text
}

func (b *codeBuilder) choice(branches []*node) {
	if len(branches) == 0 {
		b.add(minst{op: mopFail})
		return
	}
	var jumps []int32
	for i, branch := range branches {
		if i == len(branches)-1 {
			b.build(branch)
			break
		}
		split := b.add(minst{op: mopSplit})
		b.insts[split].x = b.here()
		b.build(branch)
		jumps = append(jumps, b.add(minst{op: mopJump}))
		b.insts[split].y = b.here()
	}
	for _, jump := range jumps {
		b.insts[jump].x = b.here()
	}
}

func (b *codeBuilder) repeat(n *node) {
	sub := n.subs[0]
	most := int32(math.MaxInt32)
	if n.max != unlimited {
		most = int32(n.max)
	}
	switch {
	case most == 0:
		return
	case sub.kind == kindChar || sub.kind == kindClass:
		b.add(minst{op: mopRepeatSet, set: b.charSet(sub), least: int32(n.min), most: most, lazy: n.lazy})
		return
	case n.min == 1 && n.max == 1:
		b.build(sub)
		return
	}
	low, high := captureRange(sub)
	clear := b.ecma && high > low
	if !sub.nullable() && n.min == 0 && (n.max == 1 || n.max == unlimited) {
		split := b.add(minst{op: mopSplit})
		inside := b.here()
		if clear {
			b.add(minst{op: mopClear, group: low, group2: high})
		}
		b.build(sub)
		if n.max == unlimited {
			b.add(minst{op: mopJump, x: split})
		}
		b.insts[split].x, b.insts[split].y = inside, b.here()
		if n.lazy {
			b.insts[split].x, b.insts[split].y = b.here(), inside
		}
		return
	}
	reg := b.allot(2)
	b.add(minst{op: mopLoopBegin, reg: reg})
	loop := b.add(minst{op: mopLoop, reg: reg, least: int32(n.min), most: most, lazy: n.lazy})
	b.insts[loop].x = b.add(minst{op: mopRound, reg: reg})
	if clear {
		b.add(minst{op: mopClear, group: low, group2: high})
	}
	b.build(sub)
	b.add(minst{op: mopJump, x: loop})
	b.insts[loop].y = b.here()
}

func (b *codeBuilder) look(n *node) {
	reg := b.allot(2)
	outer := b.back
	b.back = n.behind
	if n.negate {
		test := b.add(minst{op: mopMarkElse, reg: reg})
		b.build(n.subs[0])
		b.add(minst{op: mopCutFail, reg: reg})
		b.insts[test].y = b.here()
	} else {
		b.add(minst{op: mopMark, reg: reg})
		b.build(n.subs[0])
		b.add(minst{op: mopLookEnd, reg: reg})
	}
	b.back = outer
}
