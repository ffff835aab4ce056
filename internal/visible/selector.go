package visible

import (
	"strings"
	"unicode"
)

func isSelector(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// selects tells whether a variation selector chooses a form of the character
// before it. One that follows anything else, such as another selector, is a byte of
// somebody's message.
func selects(r rune, c context) bool {
	base := c.before
	switch {
	case ignorable(base):
		return false
	case r == 0xFE0E || r == 0xFE0F:
		if base >= '0' && base <= '9' || base == '#' || base == '*' {
			return c.after == 0x20E3 // a keycap
		}
		return isPicture(base) || base >= 0x80 && strings.ContainsRune("©®‼⁉™ℹ", base)
	case r >= 0xFE00 && r <= 0xFE0D:
		return base == '0' || unicode.In(base, unicode.Sm, unicode.Han) || unicode.In(base, shaped...) || base >= 0x3000 && base <= 0x303F || base >= 0xFF01 && base <= 0xFF1F
	case r >= 0x180B && r <= 0x180F:
		return unicode.Is(unicode.Mongolian, base)
	}
	return unicode.Is(unicode.Han, base) // U+E0100 and on
}

// shaped are the scripts that cannot be written without the first selectors.
var shaped = []*unicode.RangeTable{unicode.Myanmar, unicode.Phags_Pa, unicode.Egyptian_Hieroglyphs, unicode.Manichaean}

// maxSelectors is how many selectors of a sort a text may have. Each can stand at
// its place and all of them can spell a message: few fonts show a difference.
const maxSelectors = 15

// channel tells which selectors a text has so many of that they say something.
type channel struct {
	forms  bool // rare forms of ideographs, punctuation and operators
	styles bool // pictures as text and as emoji by turns
}

// channels counts the selectors of a text.
func channels(text string) channel {
	var forms, plain, coloured int
	var before rune
	for _, r := range text {
		switch {
		case r == 0xFE0E:
			plain++
		case r == 0xFE0F:
			coloured++
		case r >= 0xE0100 && r <= 0xE01EF, r >= 0xFE00 && r <= 0xFE0D && !unicode.In(before, shaped...):
			forms++
		}
		before = r
	}
	return channel{forms: forms > maxSelectors, styles: min(plain, coloured) > maxSelectors}
}

// carries tells whether a selector is one of those.
func (c channel) carries(r, before rune) bool {
	switch {
	case r == 0xFE0E || r == 0xFE0F:
		return c.styles
	case r >= 0xFE00 && r <= 0xFE0D:
		return c.forms && !unicode.In(before, shaped...)
	}
	return c.forms && r >= 0xE0100 && r <= 0xE01EF
}
