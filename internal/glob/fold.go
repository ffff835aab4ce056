package glob

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/casefold"
)

// Fold maps s to a form that is equal for all spellings that differ in case alone, by simple Unicode case folding:
// one character stays one character, so `É` and `é` are equal and `ß` and `ss` are not. The Kelvin sign folds to `k` and
// the long s to `s`; dotless `ı` and dotted `İ` stay themselves. ASCII folds to lower case. Bytes that are not UTF-8 are kept.
//
// A text that is folded already is returned as it is, without an allocation. The result may be shorter or longer in bytes
// than s, so offsets do not carry over.
func Fold(s string) string {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return foldFrom(s, i)
		}
		if 'A' <= c && c <= 'Z' {
			return foldFrom(s, i)
		}
	}
	return s
}

// foldFrom folds s, whose first i bytes are folded ASCII.
func foldFrom(s string, i int) string {
	// Most text that is not ASCII has no upper case in it: look before anything is copied.
	for i < len(s) {
		r, n := decode(s[i:])
		if casefold.Rune(r) != r {
			break
		}
		i += n
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				b.WriteByte(c + 'a' - 'A')
				i++
				continue
			}
			start := i // what is folded already is copied at once
			for i < len(s) && s[i] < utf8.RuneSelf && !('A' <= s[i] && s[i] <= 'Z') {
				i++
			}
			b.WriteString(s[start:i])
			continue
		}
		r, n := decode(s[i:])
		if f := casefold.Rune(r); f != r {
			b.WriteRune(f)
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// EqualFolded tells whether s, once folded, is a text that is folded already. It
// looks no further than to the first difference, and copies nothing.
func EqualFolded(s, folded string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			if folded == "" || folded[0] != c {
				return false
			}
			folded = folded[1:]
			i++
			continue
		}
		r, n := decode(s[i:])
		if f := casefold.Rune(r); f != r {
			var b [utf8.UTFMax]byte
			size := utf8.EncodeRune(b[:], f)
			if !strings.HasPrefix(folded, string(b[:size])) {
				return false
			}
			folded = folded[size:]
		} else {
			if !strings.HasPrefix(folded, s[i:i+n]) {
				return false
			}
			folded = folded[n:]
		}
		i += n
	}
	return folded == ""
}

// EqualFold reports whether Fold(a) == Fold(b), without building either.
func EqualFold(a, b string) bool {
	for a != "" && b != "" {
		if c, d := a[0], b[0]; c < utf8.RuneSelf && d < utf8.RuneSelf {
			if c != d && casefold.Rune(rune(c)) != casefold.Rune(rune(d)) {
				return false
			}
			a, b = a[1:], b[1:]
			continue
		}
		r, n := decode(a)
		s, m := decode(b)
		if r != s && casefold.Rune(r) != casefold.Rune(s) {
			return false
		}
		a, b = a[n:], b[m:]
	}
	return a == b
}

// decode is utf8.DecodeRuneInString, except that a byte that is not UTF-8 becomes a value of its own above all characters:
// it is one character, equal to the same byte alone and never to U+FFFD.
func decode(s string) (rune, int) {
	if s == "" {
		return 0, 0
	}
	if c := s[0]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return unicode.MaxRune + 1 + rune(s[0]), 1
	}
	return r, n
}
