package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cursive are the scripts whose letters join: a non-joiner parts two of them, and a
// joiner gives the last one of a word the form that it has before another.
var cursive = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Phags_Pa, unicode.Manichaean,
	unicode.Psalter_Pahlavi, unicode.Adlam, unicode.Hanifi_Rohingya, unicode.Sogdian,
}

// conjoining are the scripts in which a joiner or non-joiner beside a sign, most
// often one that takes the vowel away, changes how consonants are drawn together.
var conjoining = []*unicode.RangeTable{
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

// shapes tells whether a joiner or non-joiner changes how the letters beside it look.
func (c context) shapes(r rune) bool {
	switch {
	case c.before < 0x0600:
		return false
	case unicode.In(c.before, conjoining...):
		return unicode.IsMark(c.before) || unicode.IsMark(c.after)
	case !unicode.In(c.before, cursive...):
		return false
	case r == 0x200C:
		return isLetter(c.before) && isLetter(c.after)
	}
	// Letters within a word join by themselves.
	return unicode.IsLetter(c.before) && !endsJoin(c.before) && !isLetter(c.after)
}

// isLetter finds what words are made of.
func isLetter(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) }

// endsJoin finds the Arabic letters that never join the next one.
func endsJoin(r rune) bool {
	return r >= 0x0621 && r <= 0x0625 || r == 0x0627 || r == 0x0629 || r >= 0x062F && r <= 0x0632 || r == 0x0648 ||
		r >= 0x0671 && r <= 0x0677 || r >= 0x0688 && r <= 0x0699 || r == 0x06C0 || r >= 0x06C3 && r <= 0x06CB ||
		r == 0x06CD || r == 0x06CF || r == 0x06D2 || r == 0x06D3 || r == 0x06D5 || r == 0x06EE || r == 0x06EF
}

func isJamo(r rune) bool {
	return r >= 0x1100 && r <= 0x11FF && r != 0x115F && r != 0x1160 || r >= 0xA960 && r <= 0xA97C || r >= 0xD7B0 && r <= 0xD7FB
}
