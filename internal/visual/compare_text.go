package visual

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/casefold"
	"github.com/pertain-dev/pertain/internal/glob"
)

// needle is a text that others are compared with or searched for. It allocates
// nothing while it does so.
type needle struct {
	text string
	fold bool // text is folded, and what is compared is folded on the way

	// How many bytes a text can have that is equal to this one: without case, a
	// character may be spelled in more than one length (k and the Kelvin sign).
	least, most int

	// Two neighbours in text, or one character alone, that have no spelling but
	// ASCII ones: a search looks for these first. Of several the rarest; width is
	// how many they are, 0 if there are none.
	pivot, width int

	// The first and the last byte, and the bits in which those of an equal text
	// are the same.
	ends, endBits uint32
}

func newNeedle(text string, caseSensitive bool) *needle {
	n := &needle{text: text, least: len(text), most: len(text)}
	if caseSensitive {
		n.setEnds(0xFF)
		return n
	}
	n.text, n.fold = glob.Fold(text), true
	n.setEnds(0xFF &^ 0x20) // but for the bit of lower case
	n.least, n.most = 0, 0
	best, before := 0, 0 // how rare the pivot is, and the character before this one; 0 where it has other spellings
	for i, r := range n.text {
		shortest, longest := lengths(n.text[i:], r)
		n.least += shortest
		n.most += longest
		rank := 0
		if longest == 1 && r < utf8.RuneSelf {
			rank = rarity(n.text[i])
		}
		pair := 0
		if rank > 0 && before > 0 {
			pair = pairRarity(n.text[i-1:i+1], before+rank)
		}
		switch {
		case pair > 0 && (n.width < 2 || pair > best):
			best, n.pivot, n.width = pair, i-1, 2
		case rank > best && n.width < 2:
			best, n.pivot, n.width = rank, i, 1
		}
		before = rank
	}
	return n
}

// rarity is at least 1, and higher for characters that are rarer in texts.
func rarity(c byte) int {
	const frequent = " etaoinsrhldcumfpgwybvk.,\n-_/0123456789xjqz" // the most frequent first
	if i := strings.IndexByte(frequent, c); i >= 0 {
		return i + 1
	}
	return len(frequent) + 1
}

// pairRarity is rarity for two neighbours: that of both together, unless they are
// a pair that words are full of.
func pairRarity(pair string, both int) int {
	const frequent = "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur"
	if strings.Contains(frequent, pair) {
		return 1
	}
	return both
}

// lengths are the shortest and longest spelling of a character in bytes; s
// starts with it.
func lengths(s string, r rune) (shortest, longest int) {
	if r == utf8.RuneError && !strings.HasPrefix(s, "\uFFFD") {
		return 1, 1 // a byte that is not UTF-8
	}
	shortest = utf8.RuneLen(r)
	longest = shortest
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		shortest, longest = min(shortest, utf8.RuneLen(f)), max(longest, utf8.RuneLen(f))
	}
	return shortest, longest
}

// equals compares with a whole text.
func (n *needle) equals(text string) bool {
	if len(text) < n.least || len(text) > n.most {
		return false
	}
	if !n.fold {
		return text == n.text
	}
	if text == "" {
		return true
	}
	// Most names differ in their first letter, by more than its case.
	if c, d := text[0], n.text[0]; c < utf8.RuneSelf && (c^d)&^0x20 != 0 {
		return false
	}
	for i := range min(len(text), len(n.text)) {
		c, d := text[i], n.text[i]
		if c|d >= utf8.RuneSelf {
			return glob.EqualFold(n.text[i:], text[i:])
		}
		if c != d && (c^d != 0x20 || d < 'a' || d > 'z') {
			return false
		}
	}
	return len(text) == len(n.text)
}

// in says whether text holds the needle.
func (n *needle) in(text string) bool {
	switch {
	case len(text) < n.least:
		return false
	case !n.fold:
		return strings.Contains(text, n.text)
	case len(n.text) > longNeedle:
		return strings.Contains(glob.Fold(text), n.text)
	case n.width == 0:
		return n.inSlowly(text)
	}
	// Eight bytes at a time: a byte of found is 0 where the pivot may be. Setting
	// the bit of lower case everywhere takes some other characters for equal, which
	// a closer look tells apart.
	const each, case32, top = 0x0101010101010101, 0x2020202020202020, 0x8080808080808080
	first := uint64(n.text[n.pivot])*each | case32
	second := uint64(n.text[n.pivot+n.width-1])*each | case32
	skip := n.width - 1
	i := 0
	for ; i+8+skip <= len(text); i += 8 {
		found := (eight(text, i) | case32) ^ first
		if skip > 0 {
			found |= (eight(text, i+1) | case32) ^ second
		}
		for zero := (found - each) &^ found & top; zero != 0; zero &= zero - 1 {
			if n.at(text, i+bits.TrailingZeros64(zero)/8) {
				return true
			}
		}
	}
	for ; i+skip < len(text); i++ {
		if text[i]|0x20 == byte(first) && text[i+skip]|0x20 == byte(second) && n.at(text, i) {
			return true
		}
	}
	return false
}

// longNeedle is from how many bytes on a needle is searched for in the folded text: a text that is nearly the needle
// everywhere would take the product of both lengths.
const longNeedle = 64

// eight are the eight bytes of text from i on; the compiler makes one load of it.
func eight(text string, i int) uint64 {
	s := text[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// at says whether text holds the needle with the pivot at an offset.
func (n *needle) at(text string, at int) bool {
	return startsWith(text[at:], n.text[n.pivot:]) && endsWith(text[:at], n.text[:n.pivot])
}

// inSlowly is for needles without a pivot: it tries every offset.
func (n *needle) inSlowly(text string) bool {
	for i := range text {
		if startsWith(text[i:], n.text) {
			return true
		}
	}
	return n.text == ""
}

// startsWith says whether text starts with a folded prefix, without case.
func startsWith(text, prefix string) bool {
	for prefix != "" {
		if text == "" {
			return false
		}
		if c, want := text[0], prefix[0]; c < utf8.RuneSelf { // and so is what it folds to
			if c != want && rune(want) != casefold.Rune(rune(c)) {
				return false
			}
			prefix, text = prefix[1:], text[1:]
			continue
		}
		want, n := firstRune(prefix)
		got, m := firstRune(text)
		if got != want && casefold.Rune(got) != want {
			return false
		}
		prefix, text = prefix[n:], text[m:]
	}
	return true
}

// endsWith is startsWith for the other end.
func endsWith(text, suffix string) bool {
	for suffix != "" {
		if text == "" {
			return false
		}
		want, n := lastRune(suffix)
		got, m := lastRune(text)
		if got != want && casefold.Rune(got) != want {
			return false
		}
		suffix, text = suffix[:len(suffix)-n], text[:len(text)-m]
	}
	return true
}

// firstRune decodes the first character. A byte that is not UTF-8 is a character
// of its own, above all others, as it is for glob.Fold.
func firstRune(s string) (r rune, size int) {
	if r, size = utf8.DecodeRuneInString(s); r == utf8.RuneError && size == 1 {
		r = unicode.MaxRune + 1 + rune(s[0])
	}
	return r, size
}

func lastRune(s string) (r rune, size int) {
	if r, size = utf8.DecodeLastRuneInString(s); r == utf8.RuneError && size == 1 {
		r = unicode.MaxRune + 1 + rune(s[len(s)-1])
	}
	return r, size
}
