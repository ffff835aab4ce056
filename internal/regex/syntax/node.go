package syntax

import "slices"

// Kind says what a node of the parsed expression is.
type Kind uint8

const (
	KindEmpty     Kind = iota // matches the empty string
	KindChar                  // one code point: char, folded when fold is set
	KindClass                 // one code point out of class
	KindConcat                // subs one after the other
	KindAlternate             // subs, the first that leads to a match
	KindRepeat                // subs[0] between min and max times
	KindCapture               // subs[0], remembered as group; balances off group2
	KindLook                  // subs[0] ahead or behind, consumes nothing
	KindAtomic                // subs[0], never re-entered once matched
	KindBackref               // what group matched last
	KindAssert                // a condition on the boundary between two code points
	KindIfGroup               // subs[0] if group has matched, else subs[1]
	KindIfMatch               // subs[1] if subs[0] matches here, else subs[2]
)

// Unlimited is the max of a repeat without an upper bound.
const Unlimited = -1

// Node is one node of the parsed expression. Both dialects share it: what
// differs between them is already settled in the assertion kind, in the class
// and in the fold, so that no engine asks for the dialect again, except for how
// a repeat treats empty rounds and captures.
type Node struct {
	Kind   Kind
	Assert Assertion
	Fold   Folding
	Lazy   bool
	Negate bool // kindLook
	Behind bool // kindLook
	Char   rune
	Class  *Class
	Min    int
	Max    int // unlimited if there is no bound
	Group  int // 0 for a capture that only balances
	Pops   int // the group a balancing capture pops; 0 for none
	Subs   []*Node
	offset int // byte offset of the node in the pattern
}

// Tree is a parsed expression.
type Tree struct {
	Dialect Dialect
	Root    *Node
	Groups  int // highest group number + 1; group 0 is the whole match
}

// slab hands out nodes from small blocks: an expression has a few dozen, and one
// allocation for each would be most of the time that parsing takes.
type slab struct {
	free []Node
}

func (s *slab) node(k Kind, offset int) *Node {
	if len(s.free) == 0 {
		s.free = make([]Node, 16)
	}
	n := &s.free[0]
	s.free = s.free[1:]
	n.Kind, n.offset = k, offset
	return n
}

// Nullable says whether the node can match without consuming anything. It may
// say yes where the answer is no, never the other way round.
func (n *Node) Nullable() bool {
	switch n.Kind {
	case KindChar, KindClass:
		return false
	case KindConcat:
		for _, sub := range n.Subs {
			if !sub.Nullable() {
				return false
			}
		}
		return true
	case KindAlternate, KindIfGroup:
		for _, sub := range n.Subs {
			if sub.Nullable() {
				return true
			}
		}
		return false
	case KindRepeat:
		return n.Min == 0 || n.Subs[0].Nullable()
	case KindCapture, KindAtomic:
		return n.Subs[0].Nullable()
	case KindIfMatch:
		return n.Subs[1].Nullable() || n.Subs[2].Nullable()
	default:
		return true
	}
}

// Linear says whether a finite automaton can hold the node's meaning.
func (n *Node) Linear() bool {
	switch n.Kind {
	case KindLook, KindAtomic, KindBackref, KindIfGroup, KindIfMatch:
		return false
	case KindCapture:
		if n.Pops != 0 {
			return false
		}
	}
	for _, sub := range n.Subs {
		if !sub.Linear() {
			return false
		}
	}
	return true
}

// Refers says whether the node has what no automaton can hold: back-references, and what
// only .NET has beside them.
func (n *Node) Refers() bool {
	switch n.Kind {
	case KindBackref, KindAtomic, KindIfGroup, KindIfMatch:
		return true
	}
	return n.Pops != 0 || slices.ContainsFunc(n.Subs, (*Node).Refers)
}

// RepeatsEmpty says whether something is repeated that can match nothing. On what
// such a repeat prefers the dialects differ, and a program follows neither.
func (n *Node) RepeatsEmpty() bool {
	if n.Kind == KindRepeat && n.Max != 0 && !(n.Min == 1 && n.Max == 1) && n.Subs[0].Nullable() {
		return true
	}
	return slices.ContainsFunc(n.Subs, (*Node).RepeatsEmpty)
}

// Anchored says whether every match of the node starts at the start of the text.
func (n *Node) Anchored() bool {
	switch n.Kind {
	case KindAssert:
		return n.Assert == BeginText
	case KindConcat:
		for _, sub := range n.Subs {
			if sub.Anchored() {
				return true
			}
			if sub.Kind != KindAssert && sub.Kind != KindEmpty && sub.Kind != KindLook {
				return false
			}
		}
		return false
	case KindAlternate:
		for _, sub := range n.Subs {
			if !sub.Anchored() {
				return false
			}
		}
		return len(n.Subs) > 0
	case KindCapture, KindAtomic:
		return n.Subs[0].Anchored()
	case KindRepeat:
		return n.Min > 0 && n.Subs[0].Anchored()
	default:
		return false
	}
}
