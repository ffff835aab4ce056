package syntax

import "unicode/utf8"

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
