package regex

import "regexp/syntax"

// Linear gives the expression as a simplified tree of regexp/syntax, ready for
// syntax.Compile, with the same matches in the same order of preference except
// where a repeated part can match nothing. Captures are left out, and folding is
// part of the classes. ok is false where there is no such tree: the expression
// has no Program, or it asserts what Go's syntax cannot say (.NET's $ and \b,
// ECMAScript's ^ and $ with the m flag).
func (re *Regexp) Linear() (expression *syntax.Regexp, ok bool) {
	program, ok := re.Program()
	if !ok {
		return nil, false
	}
	for a := range goAssertions {
		if program.Uses(Assertion(a)) && goAssertions[a] == syntax.OpNoMatch {
			return nil, false
		}
	}
	return goSyntax(re.tree().root).Simplify(), true
}

// goAssertions maps each Assertion; OpNoMatch says that there is none.
var goAssertions = [...]syntax.Op{
	BeginText:            syntax.OpBeginText,
	EndText:              syntax.OpEndText,
	EndFinal:             syntax.OpNoMatch,
	BeginLine:            syntax.OpBeginLine,
	EndLine:              syntax.OpEndLine,
	BeginLineAny:         syntax.OpNoMatch,
	EndLineAny:           syntax.OpNoMatch,
	WordBoundaryASCII:    syntax.OpWordBoundary,
	NotWordBoundaryASCII: syntax.OpNoWordBoundary,
	WordBoundary:         syntax.OpNoMatch,
	NotWordBoundary:      syntax.OpNoMatch,
}

func goSyntax(n *node) *syntax.Regexp {
	switch n.kind {
	case kindChar, kindClass:
		set := n.runes()
		if r, ok := set.single(); ok {
			return &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{r}}
		}
		if len(set) == 0 {
			return &syntax.Regexp{Op: syntax.OpNoMatch}
		}
		return &syntax.Regexp{Op: syntax.OpCharClass, Rune: set}
	case kindConcat:
		return &syntax.Regexp{Op: syntax.OpConcat, Sub: goSyntaxes(n.subs)}
	case kindAlternate:
		if len(n.subs) == 0 {
			return &syntax.Regexp{Op: syntax.OpNoMatch}
		}
		return &syntax.Regexp{Op: syntax.OpAlternate, Sub: goSyntaxes(n.subs)}
	case kindRepeat:
		r := &syntax.Regexp{Op: syntax.OpRepeat, Min: n.min, Max: n.max, Sub: goSyntaxes(n.subs)}
		if n.lazy {
			r.Flags |= syntax.NonGreedy
		}
		return r
	case kindCapture:
		return goSyntax(n.subs[0])
	case kindAssert:
		return &syntax.Regexp{Op: goAssertions[n.assert]}
	default:
		return &syntax.Regexp{Op: syntax.OpEmptyMatch}
	}
}

func goSyntaxes(subs []*node) []*syntax.Regexp {
	out := make([]*syntax.Regexp, len(subs))
	for i, sub := range subs {
		out[i] = goSyntax(sub)
	}
	return out
}
