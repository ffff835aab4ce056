package document

import (
	"math/big"
	"strings"
)

var (
	// wholeForm and decimalForm are what YAML 1.2 takes for numbers (10.3.2), and
	// binary digits and signs, which the library knows besides.
	wholeForm   = expression(`^[-+]?(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$`)
	decimalForm = expression(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
)

// numberKind is the kind of a plain scalar by its form alone, whether the number
// is large or not; String for what is none.
func numberKind(text string) Kind {
	switch {
	case text == "" || strings.IndexByte("+-.0123456789", text[0]) < 0:
		return String
	case wholeForm().MatchString(text):
		return Int
	case decimalForm().MatchString(text):
		return Float
	}
	return String
}

// largeInt is a whole number in another base than ten that is too large for 64
// bits, in decimal digits.
func largeInt(text string) (digits string, ok bool) {
	if !wholeForm().MatchString(text) {
		return "", false
	}
	n, ok := new(big.Int).SetString(text, 0)
	return n.String(), ok
}
