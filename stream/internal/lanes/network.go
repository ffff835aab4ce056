package lanes

import "github.com/pertain-dev/pertain/internal/regex/syntax"

// network is all expressions of a set in the form that the automaton is made from.
// It is immutable.
type network struct {
	alphabet *alphabet
	trie     trie
	code     code
	lanes    []lane
	// What assertions ask for; contexts that nobody asks for are not told apart.
	asksBegin, asksWord, asksLine bool
	classContext                  []edge // by class: the context after it
	classAhead                    []edge // by class: what it is for an assertion before it
	// Of the always lane, by context: expressions that match there without taking
	// a character, and whether others may once the next character is known.
	matchesAt [edges][]uint32
	pendingAt [edges]bool
}

// mask leaves out what no assertion asks for.
func (n *network) mask(c edge) edge {
	switch {
	case c == atBegin && !n.asksBegin && !n.asksLine, c == afterWord && !n.asksWord, c == afterLine && !n.asksLine:
		return elsewhere
	default:
		return c
	}
}

func (n *network) after(class uint16) edge { return n.classContext[class] }

// isWord and isLine are the sets that assertions are about.
var (
	wordSet = []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	lineSet = []rune{'\n', '\n', '\r', '\r', 0x2028, 0x2029}
)

func in(set []rune, r rune) bool {
	for i := 0; i < len(set); i += 2 {
		if set[i] <= r && r <= set[i+1] {
			return true
		}
	}
	return false
}

// asks notes what the assertions of a program ask for.
func (n *network) asks(p *syntax.Program) {
	n.asksBegin = n.asksBegin || p.Uses(syntax.BeginText)
	n.asksLine = n.asksLine || p.Uses(syntax.BeginLineAny)
	n.asksWord = n.asksWord || p.Uses(syntax.WordBoundaryASCII) || p.Uses(syntax.NotWordBoundaryASCII)
}

// settle works out what depends on the alphabet.
func (n *network) settle() {
	n.classContext, n.classAhead = make([]edge, n.alphabet.size()), make([]edge, n.alphabet.size())
	for class, r := range n.alphabet.sample {
		c := elsewhere
		if in(wordSet, r) {
			c = afterWord
		} else if in(lineSet, r) {
			c = afterLine
		}
		n.classContext[class], n.classAhead[class] = n.mask(c), c
	}
}
