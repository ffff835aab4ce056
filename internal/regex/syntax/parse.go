package syntax

import (
	"math"
	"unicode/utf8"
)

// Bounds on what an author may write, so that no expression can make parsing or
// building slow or large.
const (
	MaxPattern = 64 << 10 // bytes
	maxDepth   = 250      // groups and classes within each other
)

// parser is the part that both dialects share: the offset in the pattern, the
// first thing that went wrong, and where nodes come from. After a failure every
// method still terminates; callers look at err where it matters.
type parser struct {
	slab
	src   string
	pos   int
	depth int
	err   *SyntaxError
}

// Parse reads a pattern of at most MaxPattern bytes. The error is nil if it is valid.
func Parse(pattern string, options Options) (*Tree, *SyntaxError) {
	if len(pattern) > MaxPattern {
		return nil, tooLong(pattern, options)
	}
	return ParseLong(pattern, options)
}

// tooLong says what is wrong with a pattern that cannot be held.
func tooLong(pattern string, options Options) *SyntaxError {
	err := &SyntaxError{Offset: MaxPattern, Message: "the regular expression is longer than 64 KiB", Hint: "split it into several conditions"}
	if options.Dialect == ECMAScript {
		err.Message = "the regular expression is longer than 64 KiB, and does not consist of alternatives"
		err.Hint = "only alternatives, a|b|c, may be up to 1 MiB together and 64 KiB each; split it into several"
		if len(pattern) > MaxAlternatives {
			err.Offset, err.Message = MaxAlternatives, "the regular expression is longer than 1 MiB"
			err.Hint = "split it into several"
		}
	}
	return err
}

// ParseLong parses whatever the length.
func ParseLong(pattern string, options Options) (*Tree, *SyntaxError) {
	if options.Dialect == ECMAScript {
		return parseECMAScript(pattern, options)
	}
	return parseDotNet(pattern, options)
}

// fail notes what is wrong at offset, unless something was wrong before.
func (p *parser) fail(offset int, message, hint string) {
	if p.err == nil {
		p.err = &SyntaxError{Offset: min(max(offset, 0), len(p.src)), Message: message, Hint: hint}
	}
	p.pos = len(p.src)
}

func (p *parser) enter(offset int) bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(offset, "groups or classes are nested more than 250 deep", "")
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

func (p *parser) more() bool { return p.pos < len(p.src) }

// at says whether the pattern goes on with b.
func (p *parser) at(b byte) bool { return p.pos < len(p.src) && p.src[p.pos] == b }

// peek gives the byte that is ahead by n, 0 beyond the end. A NUL in a pattern
// reads the same, which is harmless: no construct looks for one.
func (p *parser) peek(n int) byte {
	if p.pos+n < len(p.src) {
		return p.src[p.pos+n]
	}
	return 0
}

func (p *parser) accept(b byte) bool {
	if p.at(b) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) next() rune {
	if c := p.src[p.pos]; c < utf8.RuneSelf {
		p.pos++
		return rune(c)
	}
	r, size := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += size
	return r
}

// decimal reads digits. A number beyond 32 bits is read to its end and given as
// the largest such number, with ok false.
func (p *parser) decimal() (n int, ok bool) {
	ok = true
	for p.more() && isDigit(p.src[p.pos]) {
		if n > (math.MaxInt32-int(p.src[p.pos]-'0'))/10 {
			n, ok = math.MaxInt32, false
		} else if ok {
			n = n*10 + int(p.src[p.pos]-'0')
		}
		p.pos++
	}
	return n, ok
}

// control is the character that the letter of an escape such as \n stands for, in both dialects.
func control(letter rune) rune {
	switch letter {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return '\v'
}

// hex reads exactly count hexadecimal digits, or nothing.
func (p *parser) hex(count int) (rune, bool) {
	var r rune
	for i := range count {
		d := hexValue(p.peek(i))
		if d < 0 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	p.pos += count
	return r, true
}

// quantifierAhead says whether the pattern goes on with {n}, {n,} or {n,m}.
// Any other brace is an ordinary character in both dialects.
func (p *parser) quantifierAhead() bool {
	i := p.pos + 1
	digits := func() bool {
		start := i
		for i < len(p.src) && isDigit(p.src[i]) {
			i++
		}
		return i > start
	}
	if !p.at('{') || !digits() {
		return false
	}
	if i < len(p.src) && p.src[i] == ',' {
		i++
		digits()
	}
	return i < len(p.src) && p.src[i] == '}'
}

// quantifier reads one of * + ? {n} {n,} {n,m}, without a ? that makes it lazy.
// fits is false if a number is beyond 32 bits.
func (p *parser) quantifier() (least, most int, fits bool) {
	c := p.src[p.pos]
	p.pos++
	switch c {
	case '*':
		return 0, Unlimited, true
	case '+':
		return 1, Unlimited, true
	case '?':
		return 0, 1, true
	}
	least, fits = p.decimal()
	most = least
	if p.accept(',') {
		most = Unlimited
		if !p.at('}') {
			upper, ok := p.decimal()
			most, fits = upper, fits && ok
		}
	}
	p.accept('}')
	return least, most, fits
}

func (p *parser) atQuantifier() bool {
	return p.at('*') || p.at('+') || p.at('?') || p.quantifierAhead()
}

func (p *parser) literal(r rune, fold Folding, offset int) *Node {
	n := p.node(KindChar, offset)
	n.Char, n.Fold = r, fold
	return n
}

func (p *parser) assertion(a Assertion, offset int) *Node {
	n := p.node(KindAssert, offset)
	n.Assert = a
	return n
}

func (p *parser) named(set func() RuneSet, negate bool, offset int) *Node {
	n := p.node(KindClass, offset)
	n.Class = &Class{Named: []namedSet{{set: set, negate: negate}}}
	return n
}

func (p *parser) repeat(sub *Node, least, most int, lazy bool) *Node {
	n := p.node(KindRepeat, sub.offset)
	n.Min, n.Max, n.Lazy = least, most, lazy
	n.Subs = []*Node{sub}
	return n
}

// sequence joins parts of one branch.
func (p *parser) sequence(parts []*Node, offset int) *Node {
	switch len(parts) {
	case 0:
		return p.node(KindEmpty, offset)
	case 1:
		return parts[0]
	}
	n := p.node(KindConcat, offset)
	n.Subs = parts
	return n
}

// choice joins the branches of an alternation.
func (p *parser) choice(branches []*Node, offset int) *Node {
	if len(branches) == 1 {
		return branches[0]
	}
	n := p.node(KindAlternate, offset)
	n.Subs = branches
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isOctal(c byte) bool { return '0' <= c && c <= '7' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func hexValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	default:
		return -1
	}
}

// The messages that both dialects use.
const (
	nothingToRepeat   = "there is nothing before the quantifier that it could repeat"
	unclosedGroup     = "the group is never closed"
	unopenedGroup     = "there is no group that this parenthesis could close"
	unclosedClass     = "the character class is never closed"
	endsWithBackslash = "the expression ends with a backslash"
	reversedRange     = "the range of the character class is in reverse order"
	reversedCounts    = "the quantifier's upper bound is below its lower bound"
)

const (
	hintEscapeQuantifier = `write a backslash before it to mean the character itself`
	hintEscapeParen      = `write \( or \) to mean the character itself`
	hintEscapeBracket    = `close it with ], or write \[ to mean the character itself`
	hintEscapeBackslash  = `write \\ to mean the character itself`
)
