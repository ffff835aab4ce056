package syntax

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
