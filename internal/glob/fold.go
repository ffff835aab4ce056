package glob

import (
	"encoding/binary"
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
	i := 0
	for i+wordSize <= len(s) { // texts of some kilobytes are folded at every match
		w := wordAt(s, i)
		if w&notASCII != 0 || upperOf(w) != 0 {
			return foldFrom(s, i)
		}
		i += wordSize
	}
	for ; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
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
		if n := foldASCII(&b, s[i:]); n > 0 {
			i += n
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

// AppendFold appends Fold(s).
func AppendFold(buf []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return append(buf, foldFrom(s[i:], 0)...) // no character begins before it
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return buf
}

// foldASCII writes the ASCII that s begins with, folded, or a part of it, and returns its length.
func foldASCII(b *strings.Builder, s string) int {
	var piece [16 * wordSize]byte
	n := 0
	for n+wordSize <= min(len(s), len(piece)) {
		w := wordAt(s, n)
		if w&notASCII != 0 {
			break
		}
		binary.LittleEndian.PutUint64(piece[n:], w|upperOf(w)>>2)
		n += wordSize
	}
	for n < min(len(s), len(piece)) && s[n] < utf8.RuneSelf {
		c := s[n]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		piece[n] = c
		n++
	}
	b.Write(piece[:n])
	return n
}

// Eight bytes are looked at together, as the bytes of one number.
const (
	wordSize = 8
	ones     = 0x0101010101010101
	notASCII = 0x80 * ones
)

// wordAt is the eight bytes of s at i.
func wordAt(s string, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// upperOf has the highest bit set of every byte that is an upper-case letter; all bytes of w must be ASCII. From there,
// the bit that tells lower case from upper case is two to the right.
func upperOf(w uint64) uint64 {
	return (w + (0x80-'A')*ones) &^ (w + (0x7F-'Z')*ones) & notASCII
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
