package glob

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// class is a set of characters: [a-z], or its complement.
type class struct {
	ranges []span
	negate bool
	fold   bool
	ascii  [2]uint64 // the answer for ASCII, with negate and fold applied
}

type span struct{ lo, hi rune }

// class reads from `[` to `]`. As in the shell, a `]` that comes first stands for itself, and so does a `-` that comes first or last.
func (p *parser) class() (*class, *SyntaxError) {
	open := p.pos
	unclosed := &SyntaxError{open, "`[` is not closed", "add `]`, or write `\\[` for a bracket"}
	p.pos++
	c := &class{fold: p.fold}
	if p.pos < len(p.src) && (p.src[p.pos] == '!' || p.src[p.pos] == '^') {
		c.negate = true
		p.pos++
	}
	for first := true; ; first = false {
		if p.pos == len(p.src) {
			return nil, unclosed
		}
		if p.src[p.pos] == ']' && !first {
			p.pos++
			c.table()
			return c, nil
		}
		from := p.pos
		lo, ok := p.classChar()
		if !ok {
			return nil, unclosed
		}
		hi := lo
		if p.pos+1 < len(p.src) && p.src[p.pos] == '-' && p.src[p.pos+1] != ']' {
			p.pos++
			if hi, ok = p.classChar(); !ok {
				return nil, unclosed
			}
			if hi < lo {
				return nil, &SyntaxError{from, "the range runs backwards", "write the smaller character first"}
			}
		}
		c.ranges = append(c.ranges, span{lo, hi})
	}
}

// classChar reads one character of a class, escaped or plain.
func (p *parser) classChar() (rune, bool) {
	if p.src[p.pos] == '\\' {
		p.pos++
	}
	r, n := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += n
	return r, n > 0
}

func (c *class) table() {
	slices.SortFunc(c.ranges, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	merged := c.ranges[:0]
	for _, s := range c.ranges {
		if n := len(merged); n > 0 && s.lo <= merged[n-1].hi+1 {
			merged[n-1].hi = max(merged[n-1].hi, s.hi)
		} else {
			merged = append(merged, s)
		}
	}
	c.ranges = merged
	for _, s := range merged {
		for r := s.lo; r <= min(s.hi, unicode.MaxASCII); r++ {
			c.ascii[r/64] |= 1 << (r % 64)
		}
	}
	if c.fold {
		for r := 'a'; r <= 'z'; r++ { // of ASCII, letters alone have other spellings
			for _, r := range [...]rune{r, r - 'a' + 'A'} {
				if !c.negate == c.search(r) {
					c.ascii[r/64] |= 1 << (r % 64)
				}
			}
		}
	}
	if c.negate {
		c.ascii = [2]uint64{^c.ascii[0], ^c.ascii[1]}
	}
}

func (c *class) has(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r/64]&(1<<(r%64)) != 0
	}
	return c.search(r)
}

func (c *class) search(r rune) bool {
	in := c.listed(r)
	if !in && c.fold && r <= unicode.MaxRune {
		// The text is folded, the class is not: some other spelling of the character may be in it.
		for f := unicode.SimpleFold(r); f != r && !in; f = unicode.SimpleFold(f) {
			in = c.listed(f)
		}
	}
	return in != c.negate
}

func (c *class) listed(r rune) bool {
	at, found := slices.BinarySearchFunc(c.ranges, r, func(s span, r rune) int { return cmp.Compare(s.lo, r) })
	return found || at > 0 && r <= c.ranges[at-1].hi
}
