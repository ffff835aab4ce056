package lanes

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// The trie holds the starts of expressions: what they start with as long as each
// character is one of a few and nothing repeats. It is run as an automaton of its
// own, which therefore has about as many states as the trie has nodes, whatever
// the expressions go on with. Where an expression goes on with something wider, a
// lane takes over from that node on.
type trie struct {
	nodes []trieNode
	extra []trieExtra // 0 is not used
	roots []root
}

// trieNode has one arrow and one expression that matches when it is reached, and
// whatever else few nodes have in extra.
type trieNode struct {
	child  uint32
	class  uint16
	used   bool   // there is an arrow
	accept uint32 // the expression's number and 1; 0: none
	extra  uint32 // 0: none
}

type trieExtra struct {
	arrows []arrow  // all but the first, by class
	accept []uint32 // more expressions that match when the node is reached
	guards []guard  // those that do if an assertion holds there
	lane   uint32   // what goes on from here; 0: nothing
}

type arrow struct {
	class uint16
	child uint32
}

type guard struct {
	assert     syntax.Assertion
	expression uint32
}

// root is where expressions start: anywhere, or where an assertion holds.
type root struct {
	guarded bool
	assert  syntax.Assertion
	node    uint32
}

// A set is narrow, and belongs into the trie, if it has at most so many characters.
const narrow = 4

// rare is how likely the start of an expression may be, by the likelihood of its
// characters, for a lane to be entered after it. More likely ones are run all the
// time, together.
const rare = 0.01

const (
	TrieLane   = 0
	AlwaysLane = 1
)

// finish sorts what step looks up.
func (t *trie) finish() {
	for i := range t.extra {
		slices.SortStableFunc(t.extra[i].arrows, func(a, b arrow) int { return cmp.Compare(a.class, b.class) })
		slices.Sort(t.extra[i].accept)
		t.extra[i].accept = slices.Compact(t.extra[i].accept)
	}
}

// follow appends the nodes that a class leads to.
func (t *trie) follow(node uint32, class uint16, to []uint32) []uint32 {
	n := &t.nodes[node]
	if n.used && n.class == class {
		to = append(to, n.child)
	}
	if n.extra == 0 {
		return to
	}
	arrows := t.extra[n.extra].arrows
	at, _ := slices.BinarySearchFunc(arrows, class, func(a arrow, class uint16) int { return cmp.Compare(a.class, class) })
	for ; at < len(arrows) && arrows[at].class == class; at++ {
		to = append(to, arrows[at].child)
	}
	return to
}

func isNarrow(set []rune) bool {
	count := rune(0)
	for i := 0; i < len(set); i += 2 {
		if count += set[i+1] - set[i] + 1; count > narrow {
			return false
		}
	}
	return count > 0
}

// likelihood says how often one of the characters of a narrow set is met in prose
// and code.
func likelihood(set []rune) float64 {
	sum := 0.0
	for i := 0; i < len(set); i += 2 {
		for r := set[i]; r <= set[i+1]; r++ {
			if r < utf8.RuneSelf {
				sum += common(byte(r))
			} else {
				sum += 0.001
			}
		}
	}
	return min(sum, 1)
}

// common is about how often a character of ASCII is met.
func common(c byte) float64 {
	switch {
	case c == ' ':
		return 0.17
	case 'a' <= c && c <= 'z':
		// per thousand, from a to z
		return float64("\x37\x0c\x1e\x1e\x5f\x12\x0f\x1e\x32\x03\x07\x23\x16\x32\x32\x16\x02\x32\x32\x41\x1a\x09\x0c\x05\x0d\x02"[c-'a']) / 1000
	case c == '\n':
		return 0.025
	case c == '.' || c == ',':
		return 0.012
	case c == '(' || c == ')' || c == '"' || c == '_' || c == '-' || c == '=':
		return 0.008
	default:
		return 0.004
	}
}
