package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// formless finds what is no character of any text, and never will be: noncharacters, and the planes in which Unicode has
// nothing. What a later version of Unicode may put elsewhere stays: fonts know new emoji and scripts before programs do.
func formless(r rune) bool {
	switch {
	case r < 0xFDD0:
		return false
	case r < 0x40000:
		return r <= 0xFDEF || r&0xFFFE == 0xFFFE
	}
	return r < 0xE0000 || r > 0xE0FFF && r < 0xF0000 || r&0xFFFE == 0xFFFE
}

// minPrivate is how many characters for private use stand in a row before they say something. One or two are icons, as fonts
// for programmers have them.
const minPrivate = 4

// blanks tells whether a character shows nothing where it stands, though elsewhere it belongs to a text: the blank of Braille, a
// note without a head, marks between hieroglyphs, rows of characters for private use and of line separators.
func blanks(text string, at int, r rune, size int) (Kind, bool) {
	switch {
	case r < 0x2028 || r > 0x2800 && r < 0xE000: // most
		return 0, false
	case r == 0x2028 || r == 0x2029: // one breaks a line
		before, _ := lastShown(neighbours(text, at, size).left)
		return ZeroWidth, before == 0x2028 || before == 0x2029
	case r == 0x2800:
		return ZeroWidth, !neighbours(text, at, size).lineHas(func(r rune) bool { return r > 0x2800 && r <= 0x28FF })
	case r == 0x1D159:
		return ZeroWidth, !neighbours(text, at, size).lineHas(func(r rune) bool { return r != 0x1D159 && r >= 0x1D100 && r <= 0x1D1FF && !ignorable(r) })
	case r >= 0x13430 && r <= 0x1345F:
		return ZeroWidth, !neighbours(text, at, size).lineHas(func(r rune) bool { return r >= 0x13000 && r < 0x13430 })
	case unicode.Is(unicode.Co, r):
		return Private, neighbours(text, at, size).privateRow() >= minPrivate
	}
	return 0, false
}

// lineHas tells whether a character stands nearby in the line.
func (c context) lineHas(is func(rune) bool) bool {
	left := c.left[strings.LastIndexByte(c.left, '\n')+1:]
	right, _, _ := strings.Cut(c.right, "\n")
	return strings.ContainsFunc(left, is) || strings.ContainsFunc(right, is)
}

// privateRow counts the characters for private use in a row, as far as it matters. What is left out between them parts nothing.
func (c context) privateRow() int {
	count := 1
	for left := c.left; count < minPrivate; count++ {
		r, rest := lastShown(left)
		if !unicode.Is(unicode.Co, r) {
			break
		}
		left = rest
	}
	for right := strings.TrimLeftFunc(c.right, leftOut); count < minPrivate; count++ {
		r, n := utf8.DecodeRuneInString(right)
		if !unicode.Is(unicode.Co, r) {
			break
		}
		right = strings.TrimLeftFunc(right[n:], leftOut)
	}
	return count
}

// lastShown is the last character of a text that is not left out wherever it stands, and what is before it.
func lastShown(text string) (r rune, rest string) {
	text = strings.TrimRightFunc(text, leftOut)
	r, n := utf8.DecodeLastRuneInString(text)
	return r, text[:len(text)-n]
}

func leftOut(r rune) bool { return vanishes(r) || formless(r) }
