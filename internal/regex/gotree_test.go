package regex_test

import (
	gosyntax "regexp/syntax"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// goTree gives an expression as a simplified tree of regexp/syntax, so that Go's engine
// can run it: with the same matches in the same order of preference, except where a
// repeated part can match nothing. Captures are left out, and folding is part of the
// classes. ok is false where there is no such tree: the expression has no program, or
// it asserts what Go's syntax cannot say (.NET's $ and \b, ECMAScript's ^ and $ with
// the m flag).
func goTree(re *regex.Regexp) (expression *gosyntax.Regexp, ok bool) {
	program, ok := re.Program()
	if !ok {
		return nil, false
	}
	for a := range goAssertions {
		if program.Uses(syntax.Assertion(a)) && goAssertions[a] == gosyntax.OpNoMatch {
			return nil, false
		}
	}
	tree, bad := syntax.Parse(re.String(), re.Options())
	if bad != nil {
		return nil, false
	}
	return goSyntax(tree.Root).Simplify(), true
}

// goAssertions maps each Assertion; OpNoMatch says that there is none.
var goAssertions = [...]gosyntax.Op{
	syntax.BeginText:            gosyntax.OpBeginText,
	syntax.EndText:              gosyntax.OpEndText,
	syntax.EndFinal:             gosyntax.OpNoMatch,
	syntax.BeginLine:            gosyntax.OpBeginLine,
	syntax.EndLine:              gosyntax.OpEndLine,
	syntax.BeginLineAny:         gosyntax.OpNoMatch,
	syntax.EndLineAny:           gosyntax.OpNoMatch,
	syntax.WordBoundaryASCII:    gosyntax.OpWordBoundary,
	syntax.NotWordBoundaryASCII: gosyntax.OpNoWordBoundary,
	syntax.WordBoundary:         gosyntax.OpNoMatch,
	syntax.NotWordBoundary:      gosyntax.OpNoMatch,
}

func goSyntax(n *syntax.Node) *gosyntax.Regexp {
	switch n.Kind {
	case syntax.KindChar, syntax.KindClass:
		set := n.Runes()
		if r, ok := set.Single(); ok {
			return &gosyntax.Regexp{Op: gosyntax.OpLiteral, Rune: []rune{r}}
		}
		if len(set) == 0 {
			return &gosyntax.Regexp{Op: gosyntax.OpNoMatch}
		}
		return &gosyntax.Regexp{Op: gosyntax.OpCharClass, Rune: set}
	case syntax.KindConcat:
		return &gosyntax.Regexp{Op: gosyntax.OpConcat, Sub: goSyntaxes(n.Subs)}
	case syntax.KindAlternate:
		if len(n.Subs) == 0 {
			return &gosyntax.Regexp{Op: gosyntax.OpNoMatch}
		}
		return &gosyntax.Regexp{Op: gosyntax.OpAlternate, Sub: goSyntaxes(n.Subs)}
	case syntax.KindRepeat:
		r := &gosyntax.Regexp{Op: gosyntax.OpRepeat, Min: n.Min, Max: n.Max, Sub: goSyntaxes(n.Subs)}
		if n.Lazy {
			r.Flags |= gosyntax.NonGreedy
		}
		return r
	case syntax.KindCapture:
		return goSyntax(n.Subs[0])
	case syntax.KindAssert:
		return &gosyntax.Regexp{Op: goAssertions[n.Assert]}
	default:
		return &gosyntax.Regexp{Op: gosyntax.OpEmptyMatch}
	}
}

func goSyntaxes(subs []*syntax.Node) []*gosyntax.Regexp {
	out := make([]*gosyntax.Regexp, len(subs))
	for i, sub := range subs {
		out[i] = goSyntax(sub)
	}
	return out
}
