package syntax

import "unicode/utf8"

// dotnetOptions are the inline options of .NET: i, m, n, s and x.
type dotnetOptions uint8

const (
	optIgnoreCase dotnetOptions = 1 << iota
	optMultiline
	optExplicit // n: plain parentheses don't capture
	optSingleline
	optExtended // x: white space and # comments are not part of the expression
)

// dotnetOption gives the option of an inline letter, 0 if there is none.
func dotnetOption(c byte) dotnetOptions {
	switch c | 0x20 {
	case 'i':
		return optIgnoreCase
	case 'm':
		return optMultiline
	case 'n':
		return optExplicit
	case 's':
		return optSingleline
	case 'x':
		return optExtended
	default:
		return 0
	}
}

// dotnetParser reads the .NET dialect.
type dotnetParser struct {
	parser
	options dotnetOptions
	groups  *dotnetGroups
	auto    int // number of the next plain capturing group
}

func parseDotNet(pattern string, options Options) (*Tree, *SyntaxError) {
	p := &dotnetParser{parser: parser{src: pattern}, auto: 1}
	if options.IgnoreCase {
		p.options = optIgnoreCase
	}
	p.groups = countDotNetGroups(pattern, p.options)
	root := p.alternation()
	if p.err == nil && p.more() {
		p.fail(p.pos, unopenedGroup, hintEscapeParen)
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Tree{Dialect: DotNet, Root: root, Groups: p.groups.count()}, nil
}

func (p *dotnetParser) folding() Folding {
	if p.options&optIgnoreCase != 0 {
		return foldSimple
	}
	return FoldNone
}

// alternation reads branches up to a closing parenthesis or the end.
func (p *dotnetParser) alternation() *Node {
	start := p.pos
	branches := []*Node{p.branch()}
	for p.err == nil && p.accept('|') {
		branches = append(branches, p.branch())
	}
	return p.choice(branches, start)
}

func (p *dotnetParser) branch() *Node {
	start := p.pos
	var parts []*Node
	quantified := false // the last thing read was a quantifier
	for p.err == nil {
		p.skipBlank()
		if !p.more() || p.at('|') || p.at(')') {
			break
		}
		if p.atQuantifier() {
			p.failQuantifier(quantified)
			break
		}
		atom := p.atom()
		if atom == nil { // options such as (?i), which are no unit of their own
			quantified = false
			continue
		}
		p.skipBlank()
		quantified = p.err == nil && p.atQuantifier()
		if quantified {
			atom = p.quantify(atom)
		}
		parts = append(parts, atom)
	}
	return p.sequence(parts, start)
}

func (p *dotnetParser) failQuantifier(quantified bool) {
	if !quantified {
		p.fail(p.pos, nothingToRepeat, hintEscapeQuantifier)
		return
	}
	hint := "put the part before it in a group: (?:...)"
	if p.at('+') {
		hint = "possessive quantifiers don't exist in .NET; write (?>...) around the repeated part"
	}
	p.fail(p.pos, "a quantifier follows another quantifier", hint)
}

func (p *dotnetParser) quantify(atom *Node) *Node {
	start := p.pos
	least, most, fits := p.quantifier()
	if !fits {
		p.fail(start, "the quantifier's number is above 2147483647", "")
	}
	p.skipBlank()
	lazy := p.accept('?')
	if most != Unlimited && least > most {
		p.fail(start, reversedCounts, "swap the two numbers")
	}
	return p.repeat(atom, least, most, lazy)
}

// skipBlank skips comments, and in x mode white space and # comments.
func (p *dotnetParser) skipBlank() {
	for p.more() {
		switch c := p.src[p.pos]; {
		case p.options&optExtended != 0 && (c == ' ' || '\t' <= c && c <= '\r'):
			p.pos++
		case p.options&optExtended != 0 && c == '#':
			for p.more() && !p.at('\n') {
				p.pos++
			}
		case c == '(' && p.peek(1) == '?' && p.peek(2) == '#':
			start := p.pos
			for p.more() && !p.at(')') {
				p.pos++
			}
			if !p.accept(')') {
				p.fail(start, "the comment is never closed", "close it with )")
			}
		default:
			return
		}
	}
}

// atom reads one unit. It gives nil for options that stand alone, and after a failure.
func (p *dotnetParser) atom() *Node {
	start := p.pos
	switch r := p.next(); r {
	case '(':
		return p.group(start)
	case '[':
		n := p.node(KindClass, start)
		n.Class = p.class(start)
		return n
	case '\\':
		return p.escape(start)
	case '^':
		if p.options&optMultiline != 0 {
			return p.assertion(BeginLine, start)
		}
		return p.assertion(BeginText, start)
	case '$':
		if p.options&optMultiline != 0 {
			return p.assertion(EndLine, start)
		}
		return p.assertion(EndFinal, start)
	case '.':
		if p.options&optSingleline != 0 {
			return p.named(everything, false, start)
		}
		return p.named(lineFeed, true, start)
	default:
		return p.literal(r, p.folding(), start)
	}
}

// escape reads what follows a backslash outside a class.
func (p *dotnetParser) escape(start int) *Node {
	if !p.more() {
		p.fail(start, endsWithBackslash, hintEscapeBackslash)
		return nil
	}
	c := p.src[p.pos]
	switch c {
	case 'b':
		p.pos++
		return p.assertion(WordBoundary, start)
	case 'B':
		p.pos++
		return p.assertion(NotWordBoundary, start)
	case 'A', 'G': // \G is where the search began, which is always the start of the text
		p.pos++
		return p.assertion(BeginText, start)
	case 'Z':
		p.pos++
		return p.assertion(EndFinal, start)
	case 'z':
		p.pos++
		return p.assertion(EndText, start)
	}
	if set, negate, ok := p.shorthand(start); ok {
		return p.named(set, negate, start)
	}
	if n := p.backReference(start); n != nil || p.err != nil {
		return n
	}
	return p.literal(p.charEscape(start), p.folding(), start)
}

// shorthand reads the rest of \d \s \w \p{...} and their opposites.
func (p *dotnetParser) shorthand(start int) (set func() RuneSet, negate, ok bool) {
	c := p.src[p.pos]
	switch c {
	case 'd', 'D':
		set = unicodeDigits
	case 's', 'S':
		set = unicodeSpace
	case 'w', 'W':
		set = unicodeWord
	case 'p', 'P':
		p.pos++
		return p.property(start), c == 'P', true
	default:
		return nil, false, false
	}
	p.pos++
	return set, c < 'a', true
}

func (p *dotnetParser) property(start int) func() RuneSet {
	const hint = `write a category or a block, such as \p{Lu} or \p{IsGreek}`
	if !p.accept('{') {
		p.fail(start, `\p is not followed by a name in braces`, hint)
		return everything
	}
	from := p.pos
	for p.more() {
		r, size := utf8.DecodeRuneInString(p.src[p.pos:])
		if r != '-' && !IsNameRune(r) {
			break
		}
		p.pos += size
	}
	name := p.src[from:p.pos]
	if !p.accept('}') {
		p.fail(start, `\p is not followed by a name in braces`, hint)
		return everything
	}
	if p.options&optIgnoreCase != 0 && (name == "Lu" || name == "Ll" || name == "Lt") {
		return casedLetters // as .NET does, so that \p{Lu} ignores case too
	}
	set, ok := property(name)
	if !ok {
		hint := hint
		if _, isBlock := property("Is" + name); isBlock {
			hint = `write \p{Is` + name + `}`
		}
		p.fail(from, `there is no category or block "`+name+`"`, hint)
		return everything
	}
	return set
}

// charEscape reads the rest of an escape that stands for one character.
func (p *dotnetParser) charEscape(start int) rune {
	if isOctal(p.peek(0)) {
		var r rune
		for i := 0; i < 3 && isOctal(p.peek(0)); i++ {
			r = r<<3 | rune(p.src[p.pos]-'0')
			p.pos++
		}
		return r & 0xFF
	}
	switch r := p.next(); r {
	case 'x':
		return p.hexEscape(start, 2)
	case 'u':
		r := p.hexEscape(start, 4)
		return p.joinSurrogates(r)
	case 'a':
		return '\a'
	case 'e':
		return 0x1B
	case 'b', 'f', 'n', 'r', 't', 'v':
		return control(r)
	case 'c':
		if !p.more() {
			p.fail(start, `\c is not followed by a control character`, `write a letter after it, such as \cA`)
			return 0
		}
		c := p.src[p.pos]
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c < '@' || c-'@' >= ' ' {
			p.fail(start, `\c is not followed by a control character`, `write a letter after it, such as \cA`)
			return 0
		}
		p.pos++
		return rune(c - '@')
	default:
		if IsNameRune(r) {
			p.fail(start, `there is no escape \`+string(r), hintEscapeBackslash)
			return 0
		}
		return r
	}
}

func (p *dotnetParser) hexEscape(start, digits int) rune {
	r, ok := p.hex(digits)
	if !ok {
		hint := `write \x and two hexadecimal digits, such as \x20`
		if digits == 4 {
			hint = `write \u and four hexadecimal digits, such as \u00E9`
		}
		p.fail(start, "there are too few hexadecimal digits", hint)
	}
	return r
}

// joinSurrogates reads on after a high surrogate if the low one follows, so that
// the pair is the one character that the author had in mind.
func (p *parser) joinSurrogates(high rune) rune {
	if high < 0xD800 || high > 0xDBFF || p.peek(0) != '\\' || p.peek(1) != 'u' {
		return high
	}
	back := p.pos
	p.pos += 2
	low, ok := p.hex(4)
	if !ok || low < 0xDC00 || low > 0xDFFF {
		p.pos = back
		return high
	}
	return (high-0xD800)<<10 + (low - 0xDC00) + 0x10000
}
