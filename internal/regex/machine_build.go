package regex

import (
	"math"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

type codeBuilder struct {
	machineCode
	back bool
	sets map[charKey]*charSet // of single characters
}

type charKey struct {
	char rune
	fold syntax.Folding
}

func newMachineCode(t *syntax.Tree, first *[256]bool) *machineCode {
	b := &codeBuilder{}
	b.groups = t.Groups
	b.ecma = t.Dialect == syntax.ECMAScript
	b.registers = 2 * t.Groups // where each group starts and ends
	b.balance = balances(t.Root)
	b.anchored = t.Root.Anchored()
	b.first = first
	b.build(t.Root)
	b.add(minst{op: mopMatch})
	for i := range b.insts[:len(b.insts)-1] {
		b.insts[i].stop = b.stopByte(&b.insts[i], &b.insts[i+1])
	}
	return &b.machineCode
}

func balances(n *syntax.Node) bool {
	if n.Pops != 0 {
		return true
	}
	for _, sub := range n.Subs {
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

func (b *codeBuilder) build(n *syntax.Node) {
	switch n.Kind {
	case syntax.KindEmpty:
	case syntax.KindChar, syntax.KindClass:
		b.one(n)
	case syntax.KindConcat:
		b.concat(n.Subs)
	case syntax.KindAlternate:
		b.choice(n.Subs)
	case syntax.KindRepeat:
		b.repeat(n)
	case syntax.KindCapture:
		reg := b.allot(1)
		b.add(minst{op: mopOpen, reg: reg})
		b.build(n.Subs[0])
		close := minst{op: mopClose, reg: reg, group: int32(n.Group)}
		if n.Pops != 0 {
			close.op, close.group2 = mopBalance, int32(n.Pops)
		}
		b.add(close)
	case syntax.KindAtomic:
		reg := b.allot(2)
		b.add(minst{op: mopMark, reg: reg})
		b.build(n.Subs[0])
		b.add(minst{op: mopCut, reg: reg})
	case syntax.KindLook:
		b.look(n)
	case syntax.KindBackref:
		b.add(minst{op: mopBackref, group: int32(n.Group), fold: n.Fold})
	case syntax.KindAssert:
		b.add(minst{op: mopAssert, assert: n.Assert})
	case syntax.KindIfGroup:
		test := b.add(minst{op: mopIfGroup, group: int32(n.Group)})
		b.insts[test].x = b.here()
		b.either(n.Subs[0], n.Subs[1], func(at int32) { b.insts[test].y = at })
	case syntax.KindIfMatch:
		reg := b.allot(2)
		test := b.add(minst{op: mopMarkElse, reg: reg})
		b.build(n.Subs[0])
		b.add(minst{op: mopLookEnd, reg: reg})
		b.either(n.Subs[1], n.Subs[2], func(at int32) { b.insts[test].y = at })
	}
}

// either builds yes, a jump over no, and no, whose start it tells.
func (b *codeBuilder) either(yes, no *syntax.Node, startOfNo func(int32)) {
	b.build(yes)
	jump := b.add(minst{op: mopJump})
	startOfNo(b.here())
	b.build(no)
	b.insts[jump].x = b.here()
}

// one builds a node that matches one character.
func (b *codeBuilder) one(n *syntax.Node) {
	if n.Kind == syntax.KindChar && !n.Folds() {
		b.add(minst{op: mopChar, char: n.Char})
		return
	}
	b.add(minst{op: mopSet, set: b.charSet(n)})
}

func (b *codeBuilder) charSet(n *syntax.Node) *charSet {
	if n.Kind == syntax.KindClass {
		return newCharSet(n.Class)
	}
	key := charKey{n.Char, n.Fold}
	set, ok := b.sets[key]
	if !ok {
		set = newCharSet(&syntax.Class{Pairs: []rune{n.Char, n.Char}, Fold: n.Fold})
		if b.sets == nil {
			b.sets = make(map[charKey]*charSet)
		}
		b.sets[key] = set
	}
	return set
}

func (b *codeBuilder) concat(subs []*syntax.Node) {
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

func (b *codeBuilder) choice(branches []*syntax.Node) {
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

func (b *codeBuilder) repeat(n *syntax.Node) {
	sub := n.Subs[0]
	most := int32(math.MaxInt32)
	if n.Max != syntax.Unlimited {
		most = int32(n.Max)
	}
	switch {
	case most == 0:
		return
	case sub.Kind == syntax.KindChar || sub.Kind == syntax.KindClass:
		b.add(minst{op: mopRepeatSet, set: b.charSet(sub), least: int32(n.Min), most: most, lazy: n.Lazy})
		return
	case n.Min == 1 && n.Max == 1:
		b.build(sub)
		return
	}
	low, high := syntax.CaptureRange(sub)
	clear := b.ecma && high > low
	if !sub.Nullable() && n.Min == 0 && (n.Max == 1 || n.Max == syntax.Unlimited) {
		split := b.add(minst{op: mopSplit})
		inside := b.here()
		if clear {
			b.add(minst{op: mopClear, group: low, group2: high})
		}
		b.build(sub)
		if n.Max == syntax.Unlimited {
			b.add(minst{op: mopJump, x: split})
		}
		b.insts[split].x, b.insts[split].y = inside, b.here()
		if n.Lazy {
			b.insts[split].x, b.insts[split].y = b.here(), inside
		}
		return
	}
	reg := b.allot(2)
	b.add(minst{op: mopLoopBegin, reg: reg})
	loop := b.add(minst{op: mopLoop, reg: reg, least: int32(n.Min), most: most, lazy: n.Lazy})
	b.insts[loop].x = b.add(minst{op: mopRound, reg: reg})
	if clear {
		b.add(minst{op: mopClear, group: low, group2: high})
	}
	b.build(sub)
	b.add(minst{op: mopJump, x: loop})
	b.insts[loop].y = b.here()
}

func (b *codeBuilder) look(n *syntax.Node) {
	reg := b.allot(2)
	outer := b.back
	b.back = n.Behind
	if n.Negate {
		test := b.add(minst{op: mopMarkElse, reg: reg})
		b.build(n.Subs[0])
		b.add(minst{op: mopCutFail, reg: reg})
		b.insts[test].y = b.here()
	} else {
		b.add(minst{op: mopMark, reg: reg})
		b.build(n.Subs[0])
		b.add(minst{op: mopLookEnd, reg: reg})
	}
	b.back = outer
}

// plainRun gives the characters that subs start with, as long as they have one
// form only.
func plainRun(subs []*syntax.Node) []rune {
	var text []rune
	for _, sub := range subs {
		// A surrogate has no form in UTF-8, and U+FFFD may be any broken byte.
		if sub.Kind != syntax.KindChar || !utf8.ValidRune(sub.Char) || sub.Char == utf8.RuneError || sub.Folds() {
			break
		}
		text = append(text, sub.Char)
	}
	return text
}
