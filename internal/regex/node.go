package regex

import "slices"

// kind says what a node of the parsed expression is.
type kind uint8

const (
	kindEmpty     kind = iota // matches the empty string
	kindChar                  // one code point: char, folded when fold is set
	kindClass                 // one code point out of class
	kindConcat                // subs one after the other
	kindAlternate             // subs, the first that leads to a match
	kindRepeat                // subs[0] between min and max times
	kindCapture               // subs[0], remembered as group; balances off group2
	kindLook                  // subs[0] ahead of or behind here, consumes nothing
	kindAtomic                // subs[0], never re-entered once matched
	kindBackref               // what group matched last
	kindAssert                // a condition on the place between two code points
	kindIfGroup               // subs[0] if group has matched, else subs[1]
	kindIfMatch               // subs[1] if subs[0] matches here, else subs[2]
)

// unlimited is the max of a repeat without an upper bound.
const unlimited = -1

// node is one node of the parsed expression. Both dialects share it: what
// differs between them is already settled in the assertion kind, in the class
// and in the fold, so that no engine asks for the dialect again, except for how
// a repeat treats empty rounds and captures.
type node struct {
	kind   kind
	assert Assertion
	fold   folding
	lazy   bool
	negate bool // kindLook
	behind bool // kindLook
	char   rune
	class  *class
	min    int
	max    int // unlimited if there is no bound
	group  int // 0 for a capture that only balances
	group2 int // the group a balancing capture pops; 0 for none
	subs   []*node
	offset int // byte offset of the node in the pattern
}

// tree is a parsed expression.
type tree struct {
	dialect Dialect
	root    *node
	groups  int // highest group number + 1; group 0 is the whole match
}

// slab hands out nodes from small blocks: an expression has a few dozen, and one
// allocation for each would be most of the time that parsing takes.
type slab struct {
	free []node
}

func (s *slab) node(k kind, offset int) *node {
	if len(s.free) == 0 {
		s.free = make([]node, 16)
	}
	n := &s.free[0]
	s.free = s.free[1:]
	n.kind, n.offset = k, offset
	return n
}

// nullable says whether the node can match without consuming anything. It may
// say yes where the answer is no, never the other way round.
func (n *node) nullable() bool {
	switch n.kind {
	case kindChar, kindClass:
		return false
	case kindConcat:
		for _, sub := range n.subs {
			if !sub.nullable() {
				return false
			}
		}
		return true
	case kindAlternate, kindIfGroup:
		for _, sub := range n.subs {
			if sub.nullable() {
				return true
			}
		}
		return false
	case kindRepeat:
		return n.min == 0 || n.subs[0].nullable()
	case kindCapture, kindAtomic:
		return n.subs[0].nullable()
	case kindIfMatch:
		return n.subs[1].nullable() || n.subs[2].nullable()
	default:
		return true
	}
}

// linear says whether a finite automaton can hold the node's meaning.
func (n *node) linear() bool {
	switch n.kind {
	case kindLook, kindAtomic, kindBackref, kindIfGroup, kindIfMatch:
		return false
	case kindCapture:
		if n.group2 != 0 {
			return false
		}
	}
	for _, sub := range n.subs {
		if !sub.linear() {
			return false
		}
	}
	return true
}

// repeatsEmpty says whether something is repeated that can match nothing. On what
// such a repeat prefers the dialects differ, and a program follows neither.
func (n *node) repeatsEmpty() bool {
	if n.kind == kindRepeat && n.max != 0 && !(n.min == 1 && n.max == 1) && n.subs[0].nullable() {
		return true
	}
	return slices.ContainsFunc(n.subs, (*node).repeatsEmpty)
}

// anchored says whether every match of the node starts at the start of the text.
func (n *node) anchored() bool {
	switch n.kind {
	case kindAssert:
		return n.assert == BeginText
	case kindConcat:
		for _, sub := range n.subs {
			if sub.anchored() {
				return true
			}
			if sub.kind != kindAssert && sub.kind != kindEmpty && sub.kind != kindLook {
				return false
			}
		}
		return false
	case kindAlternate:
		for _, sub := range n.subs {
			if !sub.anchored() {
				return false
			}
		}
		return len(n.subs) > 0
	case kindCapture, kindAtomic:
		return n.subs[0].anchored()
	case kindRepeat:
		return n.min > 0 && n.subs[0].anchored()
	default:
		return false
	}
}
