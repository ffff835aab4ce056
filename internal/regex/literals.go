package regex

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/casefold"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Literals says what a text must hold for an expression to match.
type Literals struct {
	// Any lists the literals one of which is in every text that matches. Empty
	// if nothing is known: then any text may match.
	Any []string
	// Folded says that the literals are folded (see Fold) and are to be looked
	// for in folded text.
	Folded bool
}

// In says whether text holds one of the literals, or nothing is known of them.
func (l Literals) In(text string) bool {
	if len(l.Any) == 0 {
		return true
	}
	if l.Folded {
		text = syntax.Fold(text)
	}
	return slices.ContainsFunc(l.Any, func(s string) bool { return strings.Contains(text, s) })
}

// Required gives the literals of the expression. It is worked out anew at each
// call, in a few microseconds: keep what you need of it.
func (re *Regexp) Required() Literals {
	found := findLiterals(re.Tree().Root)
	return Literals{Any: found.best, Folded: found.folded}
}

// Bounds on sets of literals: beyond, a part of the expression is taken for
// unknown.
const (
	maxLiterals     = 32
	maxLiteralBytes = 64
)

// foundLiterals is what is known of an expression or a part of it.
type foundLiterals struct {
	best   []string
	folded bool
	whole  bool // the expression matches exactly where one of best is
}

func findLiterals(root *syntax.Node) foundLiterals {
	f := &literalFinder{folded: folds(root)}
	exact, best := f.find(root)
	whole := false
	if better(exact, best) {
		best, whole = exact, !f.folded && !f.zeroWidth
	}
	if score(best) == 0 {
		return foundLiterals{folded: f.folded}
	}
	slices.Sort(best)
	best = slices.Compact(best)
	return foundLiterals{best: best, folded: f.folded, whole: whole}
}

// folds says whether any part of n ignores case. One such part makes all
// literals of an expression folded, which is sound since a text that holds a
// literal holds it folded too.
func folds(n *syntax.Node) bool {
	if n.Fold != syntax.FoldNone || n.Class != nil && n.Class.Fold != syntax.FoldNone {
		return true
	}
	return slices.ContainsFunc(n.Subs, folds)
}

type literalFinder struct {
	folded    bool
	zeroWidth bool // something that takes no characters was passed over
}

// find gives the texts that n matches, nil if they are not a small set, and the
// best set of literals of which each match of n holds one, nil if none is known.
func (f *literalFinder) find(n *syntax.Node) (exact, best []string) {
	switch n.Kind {
	case syntax.KindEmpty:
		return []string{""}, nil
	case syntax.KindAssert:
		f.zeroWidth = true
		return []string{""}, nil
	case syntax.KindLook: // what a look-around sees is not needed for anything here
		f.zeroWidth = true
		return []string{""}, nil
	case syntax.KindChar:
		return f.char(n.Char, n.Char), nil
	case syntax.KindClass:
		return f.class(n.Class), nil
	case syntax.KindCapture, syntax.KindAtomic:
		return f.find(n.Subs[0])
	case syntax.KindConcat:
		return f.concat(n.Subs)
	case syntax.KindAlternate:
		return f.choice(n.Subs)
	case syntax.KindIfGroup:
		return f.choice(n.Subs)
	case syntax.KindIfMatch:
		return f.choice(n.Subs[1:])
	case syntax.KindRepeat:
		return f.repeat(n)
	default:
		return nil, nil
	}
}

// char gives the literals for the characters from low to high, nil if one of
// them can stand in a text in a form that is not known.
func (f *literalFinder) char(low, high rune) []string {
	var out []string
	for r := low; r <= high; r++ {
		if !utf8.ValidRune(r) || r == utf8.RuneError {
			return nil
		}
		if f.folded {
			out = append(out, string(casefold.Rune(r)))
		} else {
			out = append(out, string(r))
		}
	}
	return out
}

func (f *literalFinder) class(c *syntax.Class) []string {
	if c.Negate || len(c.Named) > 0 || c.Except != nil || len(c.Pairs) == 0 || syntax.RuneSet(c.Pairs).Count(9) > 8 {
		return nil
	}
	var out []string
	for i := 0; i < len(c.Pairs); i += 2 {
		more := f.char(c.Pairs[i], c.Pairs[i+1])
		if more == nil {
			return nil
		}
		out = append(out, more...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (f *literalFinder) concat(subs []*syntax.Node) (exact, best []string) {
	exact = []string{""}
	broken := false
	for _, sub := range subs {
		e, b := f.find(sub)
		if better(b, best) {
			best = b
		}
		if joined := join(exact, e); joined != nil {
			exact = joined
			continue
		}
		if better(exact, best) {
			best = exact
		}
		// What follows starts afresh, and is no longer the whole.
		broken = true
		if exact = e; exact == nil {
			exact = []string{""}
		}
	}
	if !broken {
		return exact, nil
	}
	if better(exact, best) {
		best = exact
	}
	return nil, best
}

// join gives every text of a followed by every text of b; nil if b is not known
// or there would be too many.
func join(a, b []string) []string {
	if b == nil || len(a)*len(b) > maxLiterals {
		return nil
	}
	var out []string
	for _, x := range a {
		for _, y := range b {
			if len(x)+len(y) > maxLiteralBytes {
				return nil
			}
			out = append(out, x+y)
		}
	}
	return out
}

func (f *literalFinder) choice(branches []*syntax.Node) (exact, best []string) {
	exact, best = []string{}, []string{}
	for _, branch := range branches {
		e, b := f.find(branch)
		if exact != nil && e != nil && len(exact)+len(e) <= maxLiterals {
			exact = append(exact, e...)
		} else {
			exact = nil
		}
		if better(e, b) {
			b = e
		}
		if best != nil && score(b) > 0 && len(best)+len(b) <= maxLiterals {
			best = append(best, b...)
		} else {
			best = nil
		}
	}
	if len(exact) == 0 { // no branch at all matches nothing: not worth a literal
		exact = nil
	}
	return exact, best
}

func (f *literalFinder) repeat(n *syntax.Node) (exact, best []string) {
	exact, best = f.find(n.Subs[0])
	switch {
	case n.Min == 0 && n.Max == 1:
		if exact != nil && len(exact) < maxLiterals {
			return append(slices.Clone(exact), ""), nil
		}
		return nil, nil
	case n.Min == 0:
		return nil, nil
	case n.Min == n.Max && n.Min <= 8:
		all := []string{""}
		for range n.Min {
			if all = join(all, exact); all == nil {
				break
			}
		}
		if all != nil {
			return all, best
		}
	}
	if better(exact, best) {
		best = exact
	}
	return nil, best
}

// better says whether a tells more about a text than b.
func better(a, b []string) bool { return score(a) > score(b) }

// score weighs a set of literals by its shortest, and by how few they are.
func score(set []string) int {
	if len(set) == 0 {
		return 0
	}
	shortest := maxLiteralBytes
	for _, s := range set {
		shortest = min(shortest, len(s))
	}
	return shortest * (2*maxLiterals - len(set))
}
