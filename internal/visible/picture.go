package visible

import (
	"strings"
	"unicode/utf8"
)

// inEmoji tells whether a joiner stands between two pictures.
func (c context) inEmoji() bool {
	left := c.left
	for {
		r, size := utf8.DecodeLastRuneInString(left)
		if r != 0xFE0F && !(r >= 0x1F3FB && r <= 0x1F3FF) {
			return isPicture(r) && isPicture(c.after)
		}
		if left = left[:len(left)-size]; len(c.left)-len(left) > 2*utf8.UTFMax { // one of each
			return false
		}
	}
}

// isPicture finds what emoji are made of. Arrows, lines and boxes are none, but for
// those that Unicode lists: a drawing of lines has room for a long message.
func isPicture(r rune) bool {
	switch {
	case r < 0x2000:
		return false
	case r >= 0x2600 && r <= 0x27BF, r >= 0x1F000 && r <= 0x1FAFF:
		return true
	case r >= 0x2194 && r <= 0x2199, r >= 0x23E9 && r <= 0x23F3, r >= 0x23F8 && r <= 0x23FA, r >= 0x25FB && r <= 0x25FE, r >= 0x2B05 && r <= 0x2B07:
		return true
	}
	return r != utf8.RuneError && strings.ContainsRune("↩↪⌚⌛⌨⏏Ⓜ▪▫▶◀⤴⤵⬛⬜⭐⭕〰〽㊗㊙", r)
}

// inFlag tells whether a tag character belongs to the flag of England, Scotland or
// Wales: a black flag, the tags of the code, and the closing tag. Fonts have no
// others, so that any other code is a text that nobody sees.
func inFlag(text string, at int) bool {
	const flag, size, most = "\U0001F3F4", 4, 6
	for start := at; start >= 0 && start >= at-(most-1)*size; start -= size {
		if !strings.HasSuffix(text[:start], flag) {
			continue
		}
		for _, tags := range [...]string{
			"\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", // gbeng
			"\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", // gbsct
			"\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F", // gbwls
		} {
			if strings.HasPrefix(text[start:], tags) {
				return true
			}
		}
	}
	return false
}
