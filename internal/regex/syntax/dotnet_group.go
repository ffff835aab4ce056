package syntax

import "unicode/utf8"

// name reads a group's name, which may turn out empty.
func (p *parser) name() string {
	start := p.pos
	for p.more() {
		r, size := utf8.DecodeRuneInString(p.src[p.pos:])
		if !IsNameRune(r) {
			break
		}
		p.pos += size
	}
	return p.src[start:p.pos]
}

const (
	badGroup     = "what follows (? is no kind of group"
	badGroupName = "the group's name is not valid"
	hintGroup    = "kinds of groups are (?:...), (?<name>...), (?=...), (?!...), (?<=...), (?<!...), (?>...) and (?i)"
	hintName     = "a name is made of letters, digits and _"
)

// group reads a group whose opening parenthesis was read. It gives nil for
// options that stand alone.
func (p *dotnetParser) group(start int) *Node {
	if !p.enter(start) {
		return nil
	}
	defer p.leave()
	outer := p.options
	if !p.at('?') || p.peek(1) == ')' {
		var n *Node
		if p.options&optExplicit == 0 {
			n = p.node(KindCapture, start)
			n.Group = p.groups.slot(p.auto)
			p.auto++
		}
		return p.body(n, start, outer)
	}
	p.pos++
	if !p.more() {
		p.fail(start, badGroup, hintGroup)
		return nil
	}
	c := p.src[p.pos]
	p.pos++
	switch c {
	case ':':
		return p.body(nil, start, outer)
	case '=', '!':
		return p.look(start, c == '!', false, outer)
	case '>':
		return p.body(p.node(KindAtomic, start), start, outer)
	case '(':
		return p.conditional(start, outer)
	case '<', '\'':
		if c == '<' && (p.at('=') || p.at('!')) {
			negate := p.at('!')
			p.pos++
			return p.look(start, negate, true, outer)
		}
		n := p.namedGroup(start, c)
		return p.body(n, start, outer)
	}
	p.pos--
	p.inlineOptions()
	switch {
	case p.accept(')'):
		return nil // the options hold up to the end of the group around this one
	case p.accept(':'):
		return p.body(nil, start, outer)
	}
	hint := hintGroup
	if p.at('P') {
		hint = "in .NET a named group is (?<name>...)"
	}
	p.fail(start, badGroup, hint)
	return nil
}

// body reads the inside of a group and its end. n is the node that the inside
// becomes part of, nil if the group does nothing but group.
func (p *dotnetParser) body(n *Node, start int, outer dotnetOptions) *Node {
	inside := p.alternation()
	if p.err == nil && !p.accept(')') {
		p.fail(start, unclosedGroup, hintEscapeParen)
	}
	p.options = outer
	if n == nil {
		// A group of its own, so that a quantifier takes all of it.
		return inside
	}
	n.Subs = []*Node{inside}
	return n
}

func (p *dotnetParser) look(start int, negate, after bool, outer dotnetOptions) *Node {
	n := p.node(KindLook, start)
	n.Negate, n.Behind = negate, after
	return p.body(n, start, outer)
}

// inlineOptions reads letters such as i-s and sets the options.
func (p *dotnetParser) inlineOptions() {
	p.options = scanDotNetOptions(&p.parser, p.options)
}

func scanDotNetOptions(p *parser, options dotnetOptions) dotnetOptions {
	for off := false; p.more(); p.pos++ {
		c := p.src[p.pos]
		option := dotnetOption(c)
		switch {
		case c == '-':
			off = true
		case c == '+':
			off = false
		case option == 0:
			return options
		case off:
			options &^= option
		default:
			options |= option
		}
	}
	return options
}

// namedGroup reads the rest of (?<name>, (?<name-other> or (?<-other>.
func (p *dotnetParser) namedGroup(start int, open byte) *Node {
	end := closing(open)
	n := p.node(KindCapture, start)
	from := p.pos
	if !p.at('-') {
		number, ok := p.groupName(from)
		if ok && number == 0 {
			p.fail(from, "group 0 is the whole match and cannot be captured", "count groups from 1")
		}
		n.Group = p.groups.slot(number)
	}
	if p.accept('-') {
		from = p.pos
		number, ok := p.groupName(from)
		if ok && !p.groups.has(number) {
			p.fail(from, "the group that is balanced off does not exist", "")
		}
		n.Pops = p.groups.slot(number)
		if n.Pops == 0 {
			p.fail(from, "balancing off group 0 is valid in .NET but not supported here", "name the group that is balanced off")
		}
	}
	if !p.accept(end) {
		p.fail(from, badGroupName, hintName)
	}
	return n
}

// groupName reads the name or number of a group and gives its number; ok is
// false after a failure. An unknown name has number -1.
func (p *dotnetParser) groupName(from int) (number int, ok bool) {
	if isDigit(p.peek(0)) {
		n, fits := p.decimal()
		if !fits {
			p.fail(from, "the group's number is above 2147483647", "")
		}
		return n, fits
	}
	name := p.name()
	if name == "" {
		p.fail(from, badGroupName, hintName)
		return -1, false
	}
	return p.groups.number(name), true
}

func closing(open byte) byte {
	if open == '<' {
		return '>'
	}
	return open
}

// conditional reads the rest of (?(group)yes|no) or (?(expression)yes|no).
func (p *dotnetParser) conditional(start int, outer dotnetOptions) *Node {
	from := p.pos
	n := p.node(KindIfGroup, start)
	switch {
	case isDigit(p.peek(0)):
		number, _ := p.decimal()
		if !p.accept(')') {
			p.fail(from, "the group that the condition asks for is not written as a number", "write (?(1)yes|no)")
		} else if !p.groups.has(number) {
			p.fail(from, "the condition asks for a group that does not exist", "")
		}
		n.Group = p.groups.slot(number)
	default:
		number := p.groups.number(p.name())
		if number >= 0 && p.accept(')') {
			n.Group = p.groups.slot(number)
			break
		}
		p.pos = from
		n.Kind = KindIfMatch
		test := p.test(from - 1)
		if test == nil {
			return nil
		}
		n.Subs = append(n.Subs, test)
	}
	branchStart := p.pos
	yes := p.branch()
	no := p.node(KindEmpty, p.pos)
	if p.err == nil && p.accept('|') {
		no = p.branch()
	}
	if p.err == nil && p.at('|') {
		p.fail(branchStart, "a conditional has more than two branches", "put them in a group: (?:a|b)")
	}
	n.Subs = append(n.Subs, yes, no)
	if p.err == nil && !p.accept(')') {
		p.fail(start, unclosedGroup, hintEscapeParen)
	}
	p.options = outer
	return n
}

// test reads the expression that a conditional tries, from after its opening
// parenthesis at start.
func (p *dotnetParser) test(start int) *Node {
	if !p.enter(start) {
		return nil
	}
	defer p.leave()
	outer := p.options
	if !p.at('?') || p.peek(1) == ')' {
		return p.body(nil, start, outer)
	}
	switch c := p.peek(1); {
	case c == '#':
		p.fail(start, "the test of a conditional cannot be a comment", "")
	case c == '\'' || c == '<' && p.peek(2) != '=' && p.peek(2) != '!':
		p.fail(start, "the test of a conditional cannot be a named group", "")
	case c == '=' || c == '!':
		p.pos += 2
		return p.look(start, c == '!', false, outer)
	case c == '<':
		negate := p.peek(2) == '!'
		p.pos += 3
		return p.look(start, negate, true, outer)
	case c == '>':
		p.pos += 2
		return p.body(p.node(KindAtomic, start), start, outer)
	case c == ':':
		p.pos += 2
		return p.body(nil, start, outer)
	case c == '(':
		p.pos += 2
		return p.conditional(start, outer)
	default:
		p.fail(start, badGroup, "the test of a conditional cannot set options")
	}
	return nil
}

// backReference reads the rest of \1, \k<name> or \<name>. It gives nil, with
// the offset unchanged, if the escape is not a reference.
func (p *dotnetParser) backReference(start int) *Node {
	back := p.pos
	named := p.at('k')
	if named {
		p.pos++
	}
	if open := p.peek(0); (open == '<' || open == '\'') && p.pos+1 < len(p.src) {
		p.pos++
		end := closing(open)
		from := p.pos
		numeric := isDigit(p.peek(0))
		number := -1
		if numeric {
			number, _ = p.decimal()
		} else if name := p.name(); name != "" {
			number = p.groups.number(name)
		}
		if p.pos > from && p.accept(end) {
			return p.reference(number, start)
		}
		if named {
			p.fail(start, `\k is not followed by a group's name`, `write \k<name>`)
		}
		p.pos = back
		return nil
	}
	if named {
		p.fail(start, `\k is not followed by a group's name`, `write \k<name>`)
		return nil
	}
	if c := p.peek(0); '1' <= c && c <= '9' {
		number, fits := p.decimal()
		if !fits {
			p.fail(start, "the group's number is above 2147483647", "")
		}
		if p.groups.has(number) || number <= 9 {
			return p.reference(number, start)
		}
		p.pos = back
	}
	return nil
}

func (p *dotnetParser) reference(number, start int) *Node {
	if !p.groups.has(number) {
		p.fail(start, "there is no group that this back-reference could mean", "")
		return nil
	}
	if number == 0 {
		// Valid, and never true: group 0 is set only when the match is over.
		return p.node(KindAlternate, start)
	}
	n := p.node(KindBackref, start)
	n.Group, n.Fold = p.groups.slot(number), p.folding()
	return n
}
