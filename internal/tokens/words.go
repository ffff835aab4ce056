package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The encoding cuts a text into words before it looks for tokens, by this expression, the first alternative that matches:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
//
// An engine for expressions takes most of the time of counting, so that they are found by hand. A test compares the two.

// class is what a character is to that expression.
type class uint8

const (
	other  class = iota
	upper        // Lu, Lt
	lower        // Ll
	either       // Lm, Lo: a letter of both kinds
	mark         // M: counts like either, and is no letter
	number       // N
	blank        // white space but line breaks
	breaks       // \r, \n
)

func (c class) isUpper() bool  { return c == upper || c == either || c == mark }
func (c class) isLower() bool  { return c == lower || c == either || c == mark }
func (c class) isBlank() bool  { return c == blank || c == breaks }
func (c class) isSymbol() bool { return c == other || c == mark }

// classes finds classes, and remembers those of characters that are not ASCII, each at a place that others share.
type classes struct {
	ascii [utf8.RuneSelf]class
	known [1 << 10]struct {
		r rune
		c class
	}
}

func newClasses() *classes {
	t := &classes{}
	for r := range rune(utf8.RuneSelf) {
		t.ascii[r] = classOf(r)
	}
	return t
}

// at gives the class of the character at an offset, and its bytes.
func (t *classes) at(text string, i int) (class, int) {
	if b := text[i]; b < utf8.RuneSelf {
		return t.ascii[b], 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	k := &t.known[uint32(r)%uint32(len(t.known))]
	if k.r != r {
		k.r, k.c = r, classOf(r)
	}
	return k.c, size
}

func classOf(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return breaks
	case unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) || r == 0x2028 || r == 0x2029:
		return blank
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upper
	case unicode.In(r, unicode.Lo, unicode.Lm):
		return either
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.Is(unicode.N, r):
		return number
	}
	return other
}

// word is the end of the word that begins at an offset.
func (t *classes) word(text string, at int) int {
	first, size := t.at(text, at)
	mayLead := first != breaks && first != number && first != upper && first != lower && first != either
	for _, need := range []func(string, int) int{t.small, t.capital} {
		if mayLead && at+size < len(text) {
			if end := need(text, at+size); end >= 0 {
				return contraction(text, end)
			}
		}
		if end := need(text, at); end >= 0 {
			return contraction(text, end)
		}
	}
	if first == number {
		end := at
		for range 3 {
			if end == len(text) {
				break
			}
			c, size := t.at(text, end)
			if c != number {
				break
			}
			end += size
		}
		return end
	}
	start := at
	if text[at] == ' ' {
		start++
	}
	if end := t.run(text, start, class.isSymbol); end > start {
		for end < len(text) && strings.IndexByte("\r\n/", text[end]) >= 0 {
			end++
		}
		return end
	}
	return t.space(text, at)
}

func (t *classes) run(text string, at int, in func(class) bool) int {
	for at < len(text) {
		c, size := t.at(text, at)
		if !in(c) {
			break
		}
		at += size
	}
	return at
}

// small is the end of letters of which the last are small ones: as many that may be large as there are, then at least one that may
// be small, if need be the last of those that may be both. -1: there are none.
func (t *classes) small(text string, at int) int {
	end := -1
	for at < len(text) {
		c, size := t.at(text, at)
		if !c.isUpper() {
			if c == lower {
				return t.run(text, at, class.isLower)
			}
			break
		}
		at += size
		if c != upper {
			end = at
		}
	}
	return end
}

// capital is the end of large letters; -1: there are none. Small ones after them are found by small.
func (t *classes) capital(text string, at int) int {
	if end := t.run(text, at, class.isUpper); end > at {
		return end
	}
	return -1
}

// contraction adds what English leaves of a word after an apostrophe.
func contraction(text string, at int) int {
	if at+1 >= len(text) || text[at] != '\'' {
		return at
	}
	rest := text[at+1:]
	for _, short := range []string{"s", "t", "re", "ve", "m", "ll", "d"} {
		if len(rest) >= len(short) && strings.EqualFold(rest[:len(short)], short) {
			return at + 1 + len(short)
		}
		if short == "s" && strings.HasPrefix(rest, "ſ") { // which is an s without case
			return at + 1 + len("ſ")
		}
	}
	return at
}

// space is the end of white space: after its last line break or, without one, before its last character, which goes with the
// word after it.
func (t *classes) space(text string, at int) int {
	end, last, broken := at, at, -1
	for end < len(text) {
		c, size := t.at(text, end)
		if !c.isBlank() {
			break
		}
		last = end
		end += size
		if c == breaks {
			broken = end
		}
	}
	switch {
	case broken >= 0:
		return broken
	case end < len(text) && last > at:
		return last
	}
	return end
}
