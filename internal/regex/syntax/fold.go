package syntax

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/casefold"
)

// Folding says which characters count as the same when case is ignored.
type Folding uint8

const (
	FoldNone Folding = iota
	// foldSimple is Unicode's simple case folding: É = é, K = k = the Kelvin
	// sign, ß = ẞ, but ß ≠ ss, and the dotless ı and dotted İ equal only themselves.
	foldSimple
	// foldECMAScript compares upper-case forms as ECMAScript does without its u
	// flag: nothing outside ASCII equals an ASCII letter, and nothing outside the
	// basic plane folds. It never joins what foldSimple keeps apart.
	foldECMAScript
)

// orbit gives all characters that are the same as r, r included, in order of code point.
func (f Folding) orbit(r rune) []rune {
	out := []rune{r}
	if f == FoldNone {
		return out
	}
	for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
		if f == foldSimple || upperECMAScript(c) == upperECMAScript(r) {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return out
}

// Equal says whether a and b are the same character under f.
func (f Folding) Equal(a, b rune) bool {
	if a == b {
		return true
	}
	switch f {
	case foldSimple:
		return casefold.Rune(a) == casefold.Rune(b)
	case foldECMAScript:
		return upperECMAScript(a) == upperECMAScript(b)
	default:
		return false
	}
}

// inPairs says whether r, or a character that is the same, is within pairs, which
// need not be sorted.
func (f Folding) inPairs(pairs []rune, r rune) bool {
	for c := r; ; {
		if c == r || f == foldSimple || upperECMAScript(c) == upperECMAScript(r) {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] <= c && c <= pairs[i+1] {
					return true
				}
			}
		}
		if f == FoldNone {
			return false
		}
		if c = unicode.SimpleFold(c); c == r {
			return false
		}
	}
}

// close gives the pairs of set and of everything that is the same as one of its characters.
func (f Folding) close(set RuneSet) []rune {
	out := slices.Clone(set)
	foldable := foldableRunes()
	for i := 0; i < len(set); i += 2 {
		first, _ := slices.BinarySearch(foldable, set[i])
		for _, r := range foldable[first:] {
			if r > set[i+1] {
				break
			}
			for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
				if (f == foldSimple || upperECMAScript(c) == upperECMAScript(r)) && !set.Contains(c) {
					out = append(out, c, c)
				}
			}
		}
	}
	return out
}

// foldableRunes lists, in order, every character that has another case.
var foldableRunes = sync.OnceValue(func() []rune {
	var out []rune
	for _, block := range unicode.CaseRanges {
		for r := rune(block.Lo); r <= rune(block.Hi); r++ {
			for c := unicode.SimpleFold(r); ; c = unicode.SimpleFold(c) {
				if c == r {
					break
				}
				out = append(out, r, c)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
})

// Fold applies casefold.Rune to each character of text. Bytes that are not UTF-8
// become U+FFFD, as which the engines read them.
func Fold(text string) string {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return text[:i] + strings.Map(casefold.Rune, text[i:])
		}
	}
	return text
}

// upperECMAScript is the Canonicalize operation of ECMAScript without the u flag.
func upperECMAScript(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			return r - ('a' - 'A')
		}
		return r
	}
	if r > 0xFFFF || upperIsLonger.Contains(r) {
		return r
	}
	upper := unicode.ToUpper(r)
	if upper < utf8.RuneSelf {
		return r
	}
	return upper
}

// upperIsLonger holds the characters of the basic plane whose upper case is more
// than one character (ß, ligatures, Greek with iota subscript). ECMAScript takes
// the full mapping and, when it is longer, leaves the character alone.
var upperIsLonger = RuneSet{
	0xDF, 0xDF, 0x149, 0x149, 0x1F0, 0x1F0, 0x390, 0x390, 0x3B0, 0x3B0, 0x587, 0x587,
	0x1E96, 0x1E9A, 0x1F50, 0x1F50, 0x1F52, 0x1F52, 0x1F54, 0x1F54, 0x1F56, 0x1F56,
	0x1F80, 0x1FAF, 0x1FB2, 0x1FB4, 0x1FB6, 0x1FB7, 0x1FBC, 0x1FBC, 0x1FC2, 0x1FC4,
	0x1FC6, 0x1FC7, 0x1FCC, 0x1FCC, 0x1FD2, 0x1FD3, 0x1FD6, 0x1FD7, 0x1FE2, 0x1FE4,
	0x1FE6, 0x1FE7, 0x1FF2, 0x1FF4, 0x1FF6, 0x1FF7, 0x1FFC, 0x1FFC, 0xFB00, 0xFB06,
	0xFB13, 0xFB17,
}
