package facts

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// A number is a float64, and where that is not the number that was written, as
// with an id of twenty digits, also its digits.

// exactDigits is how many digits every number may have and still be told from
// its neighbours by the float64 next to it.
const exactDigits = 15

// maxDigits bounds the digits that are kept: a float64 has no more before the
// point.
const maxDigits = 400

// ParseNumber reads a number as JSON and YAML write it, in decimal digits; ok is
// false for what is none and for what is too large.
func ParseNumber(text string) (v Value, ok bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return Value{}, false
	}
	v = Num(f)
	if len(text) <= exactDigits || len(text) > maxDigits || strings.ContainsAny(text, "eExX") {
		return v, true
	}
	if digits := canonical(text); digits != FormatNumber(f) {
		v.text = digits
	}
	return v, true
}

// canonical writes a decimal number without what does not count.
func canonical(text string) string {
	text = strings.TrimPrefix(text, "+")
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if negative && whole != "0" {
		return "-" + whole
	}
	return whole
}

// Decimal writes a number value as people do: 3, 1.5, 10485760.
func (v Value) Decimal() string {
	if v.text != "" {
		return v.text
	}
	return FormatNumber(v.number)
}

// Rounded are the digits of a number value that Number is only near to; "" where
// Number is all there is to know.
func (v Value) Rounded() string {
	if v.kind != Number {
		return ""
	}
	return v.text
}

// CompareNumbers orders two number values by what was written: -1, 0 or 1.
func CompareNumbers(v, w Value) int {
	if v.number != w.number || v.text == w.text {
		return cmp.Compare(v.number, w.number)
	}
	return compareDecimals(v.Decimal(), w.Decimal())
}

// compareDecimals orders two numbers in canonical form that have the same sign.
func compareDecimals(a, b string) int {
	if strings.HasPrefix(a, "-") {
		a, b = strings.TrimPrefix(b, "-"), a[1:]
	}
	wholeA, fractionA, _ := strings.Cut(a, ".")
	wholeB, fractionB, _ := strings.Cut(b, ".")
	return cmp.Or(cmp.Compare(len(wholeA), len(wholeB)), strings.Compare(wholeA, wholeB), strings.Compare(fractionA, fractionB))
}

// FormatNumber writes a number as people do: 3, 1.5, 10485760.
func FormatNumber(n float64) string {
	if n == 0 {
		return "0" // and never -0
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
