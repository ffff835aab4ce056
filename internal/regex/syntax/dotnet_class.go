package syntax

const hintLast = "move the subtraction -[...] to the end of the class"

// class reads a character class whose opening bracket was read.
func (p *dotnetParser) class(start int) *Class {
	c := &Class{Fold: p.folding()}
	if !p.enter(start) {
		return c
	}
	defer p.leave()
	c.Negate = p.accept('^')
	low, inRange := rune(0), false
	for first := true; p.err == nil; first = false {
		if !p.more() {
			p.fail(start, unclosedClass, hintEscapeBracket)
			break
		}
		offset := p.pos
		r := p.next()
		escaped := false
		switch {
		case r == ']' && !first:
			return c
		case r == '\\' && p.more():
			if set, negate, ok := p.shorthand(offset); ok {
				if inRange {
					p.fail(offset, "a range cannot end with a class such as \\d", `write \- to mean the hyphen itself`)
				}
				c.Named = append(c.Named, namedSet{set: set, negate: negate})
				continue
			}
			if p.at('-') {
				p.pos++
				if inRange {
					p.addRange(c, low, '-', offset)
					inRange = false
				} else {
					c.Pairs = append(c.Pairs, '-', '-')
				}
				continue
			}
			r = p.charEscape(offset)
			escaped = true
		case r == '[' && p.at(':') && !inRange:
			p.skipPOSIX()
		}
		switch {
		case inRange:
			inRange = false
			if r == '[' && !escaped && !first {
				// What looked like a range is "x-[...]", a subtraction.
				c.Pairs = append(c.Pairs, low, low)
				p.subtraction(c, offset)
			} else {
				p.addRange(c, low, r, offset)
			}
		case p.at('-') && p.pos+1 < len(p.src) && p.src[p.pos+1] != ']':
			low, inRange = r, true
			p.pos++
		case r == '-' && !escaped && p.at('[') && !first:
			p.pos++
			p.subtraction(c, offset)
		default:
			c.Pairs = append(c.Pairs, r, r)
		}
	}
	return c
}

func (p *dotnetParser) addRange(c *Class, low, high rune, offset int) {
	if low > high {
		p.fail(offset, reversedRange, "swap its two ends")
		return
	}
	c.Pairs = append(c.Pairs, low, high)
}

// subtraction reads the inner class of [outer-[inner]].
func (p *dotnetParser) subtraction(c *Class, offset int) {
	c.Except = p.class(offset)
	if p.err == nil && p.more() && !p.at(']') {
		p.fail(p.pos, "a class subtraction is not the last thing in its class", hintLast)
	}
}

// skipPOSIX skips the rest of a name such as [:alpha:]. .NET reads such names and
// takes the opening bracket alone from them.
func (p *dotnetParser) skipPOSIX() {
	back := p.pos
	p.pos++
	p.name()
	if !p.accept(':') || !p.accept(']') {
		p.pos = back
	}
}
