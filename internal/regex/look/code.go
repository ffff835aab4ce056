package look

import "github.com/pertain-dev/pertain/internal/regex/syntax"

// code is an expression without back-references as a network of
// instructions that keeps look-around: an instruction OpLook goes on at Out if the
// part number Alt holds, or does not.
type code struct {
	*syntax.Program
	lookarounds []lookaround
	main        []bool // by instruction: it is in no look-around
	behinds     []int  // parts that look behind, each after those inside it
}

// codeBuilder builds a code.
type codeBuilder struct {
	*syntax.Builder
	code   *code
	inside int // depth of look-around
}

// lookaround is the inside of a look-around. One that looks behind is read forwards
// too: it holds at an offset if it matches some text that ends there.
type lookaround struct {
	behind, negate bool
	start          uint32
	// Its instructions, those of look-around inside of it included, are from first up
	// to, without, end. None of them leads out of it, but to the match.
	first, end uint32
}

// maxLookarounds bounds the look-arounds of one expression.
const maxLookarounds = 64

// newCode gives nil if the expression is too large, or if it has
// back-references and not only what is sure is asked for.
func newCode(root *syntax.Node, sure bool) *code {
	if root.Refers() && !sure {
		return nil
	}
	return buildCode(root, false)
}

// buildCode takes back-references so that there is no match that the expression
// does not have: where one makes for a match it fails, where one makes against it, inside
// a negative look-around, it is any text.
func buildCode(root *syntax.Node, marked bool) *code {
	if root.TooLarge(true) {
		return nil
	}
	code := &code{}
	b := &codeBuilder{Builder: &syntax.Builder{RefsFail: true, Marked: marked}, code: code}
	b.Builder.Look = b.look
	match := b.Add(syntax.Inst{Op: syntax.OpMatch})
	b.Start = b.Build(root, match)
	if b.Full || len(code.lookarounds) > maxLookarounds {
		return nil
	}
	b.note(true)
	code.Program = &b.Program
	return code
}

// note says of the instructions that were added since the last call whether they are
// outside of look-around.
func (b *codeBuilder) note(main bool) {
	for len(b.code.main) < len(b.Insts) {
		b.code.main = append(b.code.main, main)
	}
}

// reaches says whether anything can match at all.
func (code *code) reaches() bool {
	seen := make([]bool, len(code.Insts))
	todo := []uint32{code.Start}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		switch i := &code.Insts[at]; i.Op {
		case syntax.OpMatch:
			return true
		case syntax.OpSplit:
			todo = append(todo, i.Out, i.Alt)
		case syntax.OpSet, syntax.OpAssert, syntax.OpLook:
			todo = append(todo, i.Out)
		}
	}
	return false
}

// look builds a look-around.
func (b *codeBuilder) look(n *syntax.Node, next uint32) uint32 {
	code := b.code
	b.note(b.inside == 0)
	b.inside++
	outer := b.RefsFail
	if n.Negate {
		b.RefsFail = !outer
	}
	number := len(code.lookarounds)
	code.lookarounds = append(code.lookarounds, lookaround{behind: n.Behind, negate: n.Negate, first: uint32(len(b.Insts))})
	end := uint32(0) // the match, which as the end of a look-ahead is one too
	if n.Behind {
		end = b.Add(syntax.Inst{Op: syntax.OpBehind, Alt: uint32(number)})
	}
	code.lookarounds[number].start = b.Build(n.Subs[0], end)
	code.lookarounds[number].end = uint32(len(b.Insts))
	if n.Behind {
		code.behinds = append(code.behinds, number)
	}
	b.note(false)
	b.inside--
	b.RefsFail = outer
	return b.Add(syntax.Inst{Op: syntax.OpLook, Out: next, Alt: uint32(number)})
}
