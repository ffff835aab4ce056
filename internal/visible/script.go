package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joining are the scripts in which a joiner or non-joiner changes how letters look.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Phags_Pa, unicode.Manichaean,
	unicode.Psalter_Pahlavi, unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Sogdian,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Balinese,
	unicode.Javanese, unicode.Sundanese, unicode.Limbu, unicode.Meetei_Mayek, unicode.Grantha, unicode.Newa, unicode.Sharada,
	unicode.Tirhuta, unicode.Chakma, unicode.Kaithi, unicode.Modi, unicode.Brahmi, unicode.Tai_Tham, unicode.Kharoshthi,
}

// unspaced are the scripts without spaces between words, where a zero-width space
// says where a line may be broken.
var unspaced = []*unicode.RangeTable{
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese,
	unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet,
}

// context is what stands around a character.
type context struct {
	before, after rune // utf8.RuneError: nothing
	left, right   string
}

// lookAround is how far the letters of a line are looked for, in bytes.
const lookAround = 128

func neighbours(text string, at, size int) context {
	c := context{left: text[max(at-lookAround, 0):at], right: text[at+size : min(at+size+lookAround, len(text))]}
	c.before, _ = utf8.DecodeLastRuneInString(text[:at])
	c.after, _ = utf8.DecodeRuneInString(text[at+size:])
	return c
}

// rightToLeft tells whether letters that run from right to left stand nearby in the line.
func (c context) rightToLeft() bool {
	return hasRightToLeft(c.left[strings.LastIndexByte(c.left, '\n')+1:]) || hasRightToLeft(c.right)
}

// hasRightToLeft looks for such letters up to the end of the line.
func hasRightToLeft(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case b == '\n':
			return false
		case b >= 0xD6 && b <= 0xE0 || b >= 0xEF: // they begin with one of these
			if r, _ := utf8.DecodeRuneInString(text[i:]); isRightToLeft(r) {
				return true
			}
		}
	}
	return false
}

func isRightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF && unicode.IsLetter(r) || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}

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

// isPicture finds what emoji are made of.
func isPicture(r rune) bool {
	return r >= 0x2190 && r <= 0x2BFF || r >= 0x1F000 && r <= 0x1FAFF || r == 0x3030 || r == 0x303D || r == 0x3297 || r == 0x3299
}

func isSelector(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// selects tells whether a variation selector chooses a form of the character
// before it. One that follows anything else is a byte of somebody's message.
func selects(r, base rune) bool {
	switch {
	case r == 0xFE0E || r == 0xFE0F:
		return isPicture(base) || base != 0 && strings.ContainsRune("#*0123456789©®‼⁉™ℹ", base)
	case r >= 0xFE00 && r <= 0xFE0D:
		return base == '0' || unicode.In(base, unicode.Sm, unicode.Han, unicode.Myanmar, unicode.Phags_Pa, unicode.Egyptian_Hieroglyphs, unicode.Manichaean) || base >= 0x3000 && base <= 0x303F || base >= 0xFF01 && base <= 0xFF1F
	case r >= 0x180B && r <= 0x180F:
		return unicode.Is(unicode.Mongolian, base)
	}
	return unicode.Is(unicode.Han, base) // U+E0100 and on
}

func isJamo(r rune) bool {
	return r >= 0x1100 && r <= 0x11FF && r != 0x115F && r != 0x1160 || r >= 0xA960 && r <= 0xA97C || r >= 0xD7B0 && r <= 0xD7FB
}

// inFlag tells whether a tag character belongs to the flag of a part of a country:
// a black flag, the tags of its code, such as gbeng, and the closing tag.
func inFlag(text string, at int) bool {
	const flag, closing, size, most = "\U0001F3F4", "\U000E007F", 4, 6
	start := at
	for range most + 1 {
		if strings.HasSuffix(text[:start], flag) {
			code, _, closed := strings.Cut(text[start:min(start+(most+1)*size, len(text))], closing)
			return closed && len(code) >= 3*size && len(code) <= most*size && start+len(code) >= at && isRegion(code)
		}
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if r < 0xE0020 || r > 0xE007E {
			return false
		}
		start -= n
	}
	return false
}

func isRegion(tags string) bool {
	return !strings.ContainsFunc(tags, func(r rune) bool {
		c := r - 0xE0000
		return !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')
	})
}
