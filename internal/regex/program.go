package regex

import (
	"unicode"
	"unicode/utf8"
)

// Bounds on a linear program. Beyond them (large counted repeats of groups, many
// large classes) building an automaton and its steps cost more than backtracking
// usually does.
const (
	maxInsts  = 4096
	maxRanges = 32 << 10 // in all classes together
	maxSets   = 256      // different ones
)

// Op is what an instruction of a program does.
type Op uint8

const (
	OpSet    Op = iota // take one character of Set and go on at Out
	OpSplit            // go on at Out and at Alt, of which the expression prefers Out
	OpAssert           // go on at Out if Assert holds here
	OpMatch            // the expression has matched
	OpFail             // nothing goes on from here

	// The others are only in programs that keep look-around.

	OpLook   // go on at Out if the look-around of number Alt holds, or does not
	OpBehind // the look-behind of number Alt has matched
	// OpEnter and OpLeave are around what a repeat may leave out, if it may take
	// nothing and the builder is asked to mark that. Who prefers what the expression
	// prefers finds no way from the one to its other over no character.
	OpEnter
	OpLeave
)

// Inst is an instruction of a program.
type Inst struct {
	Op     Op
	Assert Assertion
	Out    uint32
	Alt    uint32
	// Set is a sorted list of inclusive ranges, low and high in turn, as in
	// regexp/syntax. It is shared: don't change it.
	Set []rune
}

// Program is a nondeterministic automaton: the form of an expression that can be
// run over a text in one pass, all alternatives at once. Case folding is already
// part of its sets.
type Program struct {
	Insts    []Inst
	Start    uint32
	Anchored bool // every match starts at the start of the text
	asserts  uint16
}

// Uses says whether an instruction of the program asserts a.
func (p *Program) Uses(a Assertion) bool { return p.asserts&(1<<a) != 0 }

// builder makes a program back to front: each node is given the
// instruction that follows it and answers with the one that starts it.
type builder struct {
	Program
	// full: the program became too large, and what was built means nothing.
	full bool
	// look builds a look-around; nil takes it for always true.
	look func(n *node, next uint32) uint32
	// refsFail: a back-reference fails, instead of standing for any text.
	refsFail bool
	// marked: what a repeat may leave out is between OpEnter and OpLeave.
	marked bool
	sets   map[*class]runeSet // those that are resolved
	size   int                // ranges in sets
}

// newProgram gives the linear program of an expression, nil if it is too large.
// What is not linear is taken for the loosest thing it could be, so that the
// program matches wherever the expression does, and perhaps elsewhere.
func newProgram(root *node) *Program {
	b := &builder{}
	match := b.add(Inst{Op: OpMatch})
	b.Start = b.build(root, match)
	if b.full {
		return nil
	}
	b.Anchored = root.anchored()
	return &b.Program
}

func (b *builder) add(i Inst) uint32 {
	if len(b.Insts) >= maxInsts {
		b.full = true
		return 0
	}
	b.Insts = append(b.Insts, i)
	return uint32(len(b.Insts) - 1)
}

func (b *builder) build(n *node, next uint32) uint32 {
	if b.full {
		return next
	}
	switch n.kind {
	case kindChar, kindClass:
		return b.add(Inst{Op: OpSet, Set: b.set(n), Out: next})
	case kindConcat:
		for i := len(n.subs) - 1; i >= 0; i-- {
			next = b.build(n.subs[i], next)
		}
		return next
	case kindAlternate:
		return b.choice(n.subs, next)
	case kindRepeat:
		return b.repeat(n, next)
	case kindCapture, kindAtomic:
		return b.build(n.subs[0], next)
	case kindAssert:
		b.asserts |= 1 << n.assert
		return b.add(Inst{Op: OpAssert, Assert: n.assert, Out: next})
	case kindBackref: // any text
		if b.refsFail {
			return b.add(Inst{Op: OpFail})
		}
		return b.loop(&node{kind: kindClass, class: &class{named: []namedSet{{set: everything}}}}, false, next)
	case kindIfGroup:
		return b.choice(n.subs, next)
	case kindIfMatch:
		return b.choice(n.subs[1:], next)
	case kindLook:
		if b.look != nil {
			return b.look(n, next)
		}
		return next // as if it always held
	default: // kindEmpty
		return next
	}
}

func (b *builder) choice(branches []*node, next uint32) uint32 {
	if len(branches) == 0 {
		return b.add(Inst{Op: OpFail})
	}
	start := b.build(branches[len(branches)-1], next)
	for i := len(branches) - 2; i >= 0; i-- {
		start = b.add(Inst{Op: OpSplit, Out: b.build(branches[i], next), Alt: start})
	}
	return start
}

func (b *builder) repeat(n *node, next uint32) uint32 {
	sub := n.subs[0]
	if n.max == unlimited {
		next = b.loop(sub, n.lazy, next)
	} else {
		exit := next
		for i := n.min; i < n.max && !b.full; i++ {
			next = b.split(b.round(sub, next), exit, n.lazy)
		}
	}
	for i := 0; i < n.min && !b.full; i++ {
		before := len(b.Insts)
		next = b.build(sub, next)
		if len(b.Insts) == before {
			break // an empty body, however often
		}
	}
	return next
}

func (b *builder) loop(sub *node, lazy bool, next uint32) uint32 {
	split := b.split(0, next, lazy)
	body := b.round(sub, split)
	switch {
	case b.full:
	case lazy:
		b.Insts[split].Alt = body
	default:
		b.Insts[split].Out = body
	}
	return split
}

// round builds what a repeat may leave out. It does so with marks around it if the
// program is to prefer what the expression does: it must then take something.
func (b *builder) round(sub *node, next uint32) uint32 {
	if !b.marked || !sub.nullable() {
		return b.build(sub, next)
	}
	body := b.build(sub, b.add(Inst{Op: OpLeave, Out: next}))
	return b.add(Inst{Op: OpEnter, Out: body})
}

// split chooses between one more round and leaving, which a lazy repeat prefers.
func (b *builder) split(round, exit uint32, lazy bool) uint32 {
	if lazy {
		round, exit = exit, round
	}
	return b.add(Inst{Op: OpSplit, Out: round, Alt: exit})
}

// set gives the set of a kindChar or kindClass node.
func (b *builder) set(n *node) runeSet {
	if n.kind == kindChar {
		return n.runes()
	}
	if set, ok := b.sets[n.class]; ok {
		return set
	}
	if b.size += n.class.weight(); b.size > maxRanges {
		b.full = true
		return nil
	}
	if b.sets == nil {
		b.sets = make(map[*class]runeSet)
	}
	set := n.class.resolve()
	b.sets[n.class] = set
	return set
}

// runes gives the set of a kindChar or kindClass node.
func (n *node) runes() runeSet {
	if n.kind == kindClass {
		return n.class.resolve()
	}
	if !n.folds() {
		if n.char < utf8.RuneSelf {
			return singles[2*n.char : 2*n.char+2 : 2*n.char+2]
		}
		return runeSet{n.char, n.char}
	}
	var pairs []rune
	for _, r := range n.fold.orbit(n.char) {
		pairs = append(pairs, r, r)
	}
	return newRuneSet(pairs)
}

// singles has the set of each character of ASCII: most of what expressions are made
// of. It is never changed.
var singles = func() runeSet {
	var out runeSet
	for r := range rune(utf8.RuneSelf) {
		out = append(out, r, r)
	}
	return out
}()

// folds says whether a kindChar node stands for more than one character.
func (n *node) folds() bool {
	return n.fold != foldNone && unicode.SimpleFold(n.char) != n.char
}
