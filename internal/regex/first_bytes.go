package regex

import (
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// firstBytes gives the bytes that a match of n can start with; nil for any.
func firstBytes(n *syntax.Node) *[256]bool {
	var set [256]bool
	if !addFirst(n, &set) {
		return nil
	}
	return &set
}

// addFirst adds to set the bytes that n can start with, and says whether n
// always takes a character.
func addFirst(n *syntax.Node, set *[256]bool) bool {
	switch n.Kind {
	case syntax.KindChar, syntax.KindClass:
		c := n.Class
		if n.Kind == syntax.KindChar {
			c = &syntax.Class{Pairs: []rune{n.Char, n.Char}, Fold: n.Fold}
		}
		for r := range rune(utf8.RuneSelf) {
			set[r] = set[r] || c.Has(r)
		}
		for b := utf8.RuneSelf; b < len(set) && !c.ASCIIOnly(); b++ {
			set[b] = true
		}
		return true
	case syntax.KindConcat:
		for _, sub := range n.Subs {
			if addFirst(sub, set) {
				return true
			}
		}
		return false
	case syntax.KindAlternate, syntax.KindIfGroup:
		takes := true
		for _, sub := range n.Subs {
			takes = addFirst(sub, set) && takes
		}
		return takes
	case syntax.KindIfMatch:
		yes, no := addFirst(n.Subs[1], set), addFirst(n.Subs[2], set)
		return yes && no
	case syntax.KindRepeat:
		if n.Max == 0 {
			return false
		}
		return addFirst(n.Subs[0], set) && n.Min > 0
	case syntax.KindCapture, syntax.KindAtomic:
		return addFirst(n.Subs[0], set)
	case syntax.KindBackref: // a look-ahead may have captured anything
		for b := range set {
			set[b] = true
		}
		return false
	default:
		return false
	}
}
