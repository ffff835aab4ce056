// Package casefold says which characters are equal where case does not count, for
// globs, regular expressions and everything else that compares texts.
//
// Use [Rune].
package casefold

import (
	"unicode"
	"unicode/utf8"
)

// Rune gives the one character that stands for all those that are equal to r without
// case, by simple Unicode case folding: an ASCII letter's lower case where there is one,
// so that the Kelvin sign folds to k and the long s to s; dotless ı and dotted İ stay
// themselves. What ECMAScript holds equal folds to the same character too.
func Rune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	// Between the CJK radicals and Yi nothing has case, nor have the Hangul syllables: no need to search the tables.
	if r >= 0x2E80 && r < 0xA640 || r >= 0xAC00 && r < 0xD7A4 || r > unicode.MaxRune {
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	// The lower case of the least character stands for the whole orbit, where it belongs to the orbit: then text that people
	// write is mostly folded already.
	if lower := unicode.ToLower(least); lower != least && sameOrbit(lower, least) {
		return lower
	}
	return least
}

func sameOrbit(a, b rune) bool {
	if a == b {
		return true
	}
	for f := unicode.SimpleFold(a); f != a; f = unicode.SimpleFold(f) {
		if f == b {
			return true
		}
	}
	return false
}
