package syntax

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

// Builder makes a program back to front: each node is given the
// instruction that follows it and answers with the one that starts it.
type Builder struct {
	Program
	// Full: the program became too large, and what was built means nothing.
	Full bool
	// Look builds a look-around; nil takes it for always true.
	Look func(n *Node, next uint32) uint32
	// RefsFail: a back-reference fails, instead of standing for any text.
	RefsFail bool
	// Marked: what a repeat may leave out is between OpEnter and OpLeave.
	Marked bool
	sets   map[*Class]RuneSet // those that are resolved
	joined map[*Node]RuneSet  // see either
	size   int                // ranges in sets
}

// NewProgram gives the linear program of an expression, nil if it is too large.
// What is not linear is taken for the loosest thing it could be, so that the
// program matches wherever the expression does, and perhaps elsewhere.
func NewProgram(root *Node) *Program {
	if root.TooLarge(false) {
		return nil
	}
	b := &Builder{}
	match := b.Add(Inst{Op: OpMatch})
	b.Start = b.Build(root, match)
	if b.Full {
		return nil
	}
	b.Anchored = root.Anchored()
	return &b.Program
}

// Add appends an instruction and gives its number.
func (b *Builder) Add(i Inst) uint32 {
	if len(b.Insts) >= maxInsts {
		b.Full = true
		return 0
	}
	b.Insts = append(b.Insts, i)
	return uint32(len(b.Insts) - 1)
}

// Build adds the instructions of a node, which go on at next, and gives the first of them.
func (b *Builder) Build(n *Node, next uint32) uint32 {
	if b.Full {
		return next
	}
	switch n.Kind {
	case KindChar, KindClass:
		return b.Add(Inst{Op: OpSet, Set: b.set(n), Out: next})
	case KindConcat:
		for i := len(n.Subs) - 1; i >= 0; i-- {
			next = b.Build(n.Subs[i], next)
		}
		return next
	case KindAlternate:
		if set := b.either(n); set != nil {
			return b.Add(Inst{Op: OpSet, Set: set, Out: next})
		}
		return b.choice(n.Subs, next)
	case KindRepeat:
		return b.repeat(n, next)
	case KindCapture, KindAtomic:
		return b.Build(n.Subs[0], next)
	case KindAssert:
		b.asserts |= 1 << n.Assert
		return b.Add(Inst{Op: OpAssert, Assert: n.Assert, Out: next})
	case KindBackref: // any text
		if b.RefsFail {
			return b.Add(Inst{Op: OpFail})
		}
		return b.loop(&Node{Kind: KindClass, Class: &Class{Named: []namedSet{{set: everything}}}}, false, next)
	case KindIfGroup:
		return b.choice(n.Subs, next)
	case KindIfMatch:
		return b.choice(n.Subs[1:], next)
	case KindLook:
		if b.Look != nil {
			return b.Look(n, next)
		}
		return next // as if it always held
	default: // kindEmpty
		return next
	}
}

// either gives the set of alternatives that are one character each, as in .|\n; nil if
// they are not.
func (b *Builder) either(n *Node) RuneSet {
	if set, ok := b.joined[n]; ok {
		return set
	}
	if !n.oneOf() {
		return nil
	}
	var pairs []rune
	for _, sub := range n.Subs {
		pairs = append(pairs, b.set(sub)...)
	}
	if b.size += len(pairs) / 2; b.size > maxRanges {
		b.Full = true
	}
	if b.joined == nil {
		b.joined = make(map[*Node]RuneSet)
	}
	set := NewRuneSet(pairs)
	b.joined[n] = set
	return set
}

// oneOf says whether alternatives are one character each.
func (n *Node) oneOf() bool {
	for _, sub := range n.Subs {
		if sub.Kind != KindChar && sub.Kind != KindClass {
			return false
		}
	}
	return len(n.Subs) > 0
}

func (b *Builder) choice(branches []*Node, next uint32) uint32 {
	if len(branches) == 0 {
		return b.Add(Inst{Op: OpFail})
	}
	start := b.Build(branches[len(branches)-1], next)
	for i := len(branches) - 2; i >= 0; i-- {
		start = b.Add(Inst{Op: OpSplit, Out: b.Build(branches[i], next), Alt: start})
	}
	return start
}

func (b *Builder) repeat(n *Node, next uint32) uint32 {
	sub := n.Subs[0]
	if n.Max == Unlimited {
		next = b.loop(sub, n.Lazy, next)
	} else {
		exit := next
		for i := n.Min; i < n.Max && !b.Full; i++ {
			next = b.split(b.round(sub, next), exit, n.Lazy)
		}
	}
	for i := 0; i < n.Min && !b.Full; i++ {
		before := len(b.Insts)
		next = b.Build(sub, next)
		if len(b.Insts) == before {
			break // an empty body, however often
		}
	}
	return next
}

func (b *Builder) loop(sub *Node, lazy bool, next uint32) uint32 {
	split := b.split(0, next, lazy)
	body := b.round(sub, split)
	switch {
	case b.Full:
	case lazy:
		b.Insts[split].Alt = body
	default:
		b.Insts[split].Out = body
	}
	return split
}

// round builds what a repeat may leave out. It does so with marks around it if the
// program is to prefer what the expression does: it must then take something.
func (b *Builder) round(sub *Node, next uint32) uint32 {
	if !b.Marked || !sub.Nullable() {
		return b.Build(sub, next)
	}
	body := b.Build(sub, b.Add(Inst{Op: OpLeave, Out: next}))
	return b.Add(Inst{Op: OpEnter, Out: body})
}

// split chooses between one more round and leaving, which a lazy repeat prefers.
func (b *Builder) split(round, exit uint32, lazy bool) uint32 {
	if lazy {
		round, exit = exit, round
	}
	return b.Add(Inst{Op: OpSplit, Out: round, Alt: exit})
}

// set gives the set of a kindChar or kindClass node.
func (b *Builder) set(n *Node) RuneSet {
	if n.Kind == KindChar {
		return n.Runes()
	}
	if set, ok := b.sets[n.Class]; ok {
		return set
	}
	if b.size += n.Class.weight(); b.size > maxRanges {
		b.Full = true
		return nil
	}
	if b.sets == nil {
		b.sets = make(map[*Class]RuneSet)
	}
	set := n.Class.resolve()
	b.sets[n.Class] = set
	return set
}

// Runes gives the set of a kindChar or kindClass node.
func (n *Node) Runes() RuneSet {
	if n.Kind == KindClass {
		return n.Class.resolve()
	}
	if !n.Folds() {
		if n.Char < utf8.RuneSelf {
			return singles[2*n.Char : 2*n.Char+2 : 2*n.Char+2]
		}
		return RuneSet{n.Char, n.Char}
	}
	var pairs []rune
	for _, r := range n.Fold.orbit(n.Char) {
		pairs = append(pairs, r, r)
	}
	return NewRuneSet(pairs)
}

// singles has the set of each character of ASCII: most of what expressions are made
// of. It is never changed.
var singles = func() RuneSet {
	var out RuneSet
	for r := range rune(utf8.RuneSelf) {
		out = append(out, r, r)
	}
	return out
}()

// Folds says whether a kindChar node stands for more than one character.
func (n *Node) Folds() bool {
	return n.Fold != FoldNone && unicode.SimpleFold(n.Char) != n.Char
}
