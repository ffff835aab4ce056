package syntax

// escape reads what follows a backslash outside a class.
func (p *ecmaParser) escape(start int) (n *Node, repeatable bool) {
	if !p.more() {
		p.fail(start, endsWithBackslash, hintEscapeBackslash)
		return nil, false
	}
	switch c := p.src[p.pos]; {
	case c == 'b':
		p.pos++
		return p.assertion(WordBoundaryASCII, start), false
	case c == 'B':
		p.pos++
		return p.assertion(NotWordBoundaryASCII, start), false
	case '1' <= c && c <= '9':
		back := p.pos
		if number, fits := p.decimal(); fits && number <= p.groups {
			return p.reference(number, start), true
		}
		p.pos = back
	case c == 'k' && p.names != nil:
		p.pos++
		return p.namedReference(start), true
	}
	if set, negate, ok := p.shorthand(); ok {
		return p.named(set, negate, start), true
	}
	return p.literal(p.charEscape(start, false), p.fold, start), true
}

func (p *ecmaParser) reference(number, start int) *Node {
	p.refers = true
	n := p.node(KindBackref, start)
	n.Group, n.Fold = number, p.fold
	return n
}

func (p *ecmaParser) namedReference(start int) *Node {
	name, ok := "", false
	if p.accept('<') {
		name, ok = p.identifier()
	}
	if !ok {
		p.fail(start, `\k is not followed by a group's name`, `write \k<name>`)
		return nil
	}
	numbers := p.names[name]
	if numbers == nil {
		p.fail(start, "there is no group that this back-reference could mean", "")
		return nil
	}
	// Of several groups of one name at most one has taken part in the match, and a
	// reference to each of the others takes nothing.
	var parts []*Node
	for _, number := range numbers {
		parts = append(parts, p.reference(number, start))
	}
	return p.sequence(parts, start)
}

func (p *ecmaParser) shorthand() (set func() RuneSet, negate, ok bool) {
	c := p.peek(0)
	switch c {
	case 'd', 'D':
		set = asciiDigits
	case 's', 'S':
		set = ecmaSpace
	case 'w', 'W':
		set = ASCIIWord
	default:
		return nil, false, false
	}
	p.pos++
	return set, c < 'a', true
}

// charEscape reads the rest of an escape that stands for one character. Where
// the escape is not complete, the character after the backslash means itself.
func (p *ecmaParser) charEscape(start int, inClass bool) rune {
	if c := p.peek(0); isOctal(c) {
		r := rune(c - '0')
		p.pos++
		for i := 0; i < 2 && r < 32 && isOctal(p.peek(0)); i++ {
			r = r<<3 | rune(p.src[p.pos]-'0')
			p.pos++
		}
		return r
	}
	switch r := p.next(); r {
	case 'b', 'f', 'n', 'r', 't', 'v': // the first only in a class
		return control(r)
	case 'c':
		c := p.peek(0)
		if isLetter(c) || inClass && (isDigit(c) || c == '_') {
			p.pos++
			return rune(c & 0x1F)
		}
		p.pos-- // the backslash is a character, and the c another
		return '\\'
	case 'x':
		if r, ok := p.hex(2); ok {
			return r
		}
		return 'x'
	case 'u':
		if r, ok := p.hex(4); ok {
			return p.joinSurrogates(r)
		}
		return 'u'
	case 'k':
		if p.names != nil {
			p.fail(start, `\k does not stand for a character in an expression with named groups`, "write k")
		}
		return 'k'
	default:
		return r
	}
}

// class reads a character class whose opening bracket was read.
func (p *ecmaParser) class(start int) *Class {
	c := &Class{Fold: p.fold}
	c.Negate = p.accept('^')
	for p.err == nil && p.more() && !p.at(']') {
		offset := p.pos
		low, isSet := p.classAtom(c)
		if !p.at('-') || p.pos+1 >= len(p.src) || p.src[p.pos+1] == ']' || p.err != nil {
			if !isSet {
				c.Pairs = append(c.Pairs, low, low)
			}
			continue
		}
		p.pos++
		high, highIsSet := p.classAtom(c)
		switch {
		case isSet || highIsSet: // no range then: the hyphen is a character
			c.Pairs = append(c.Pairs, '-', '-')
			if !isSet {
				c.Pairs = append(c.Pairs, low, low)
			}
			if !highIsSet {
				c.Pairs = append(c.Pairs, high, high)
			}
		case low > high:
			p.fail(offset, reversedRange, "swap its two ends")
		default:
			c.Pairs = append(c.Pairs, low, high)
		}
	}
	if p.err == nil && !p.accept(']') {
		p.fail(start, unclosedClass, hintEscapeBracket)
	}
	return c
}

// classAtom reads a character, or adds a set such as \d to c.
func (p *ecmaParser) classAtom(c *Class) (r rune, isSet bool) {
	offset := p.pos
	if r = p.next(); r != '\\' {
		return r, false
	}
	if !p.more() {
		p.fail(offset, endsWithBackslash, hintEscapeBackslash)
		return 0, false
	}
	if set, negate, ok := p.shorthand(); ok {
		c.Named = append(c.Named, namedSet{set: set, negate: negate})
		return 0, true
	}
	return p.charEscape(offset, true), false
}
