package facts

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// A number is a float64, and where that is not the number that was written, as
// with an id of twenty digits, also its digits. What is larger than any float64
// is no value: it is absent, with a reason.

// exactDigits is how many digits a number may have and still be told from its
// neighbours by the float64 next to it, unless it is tiny.
const exactDigits = 15

// tiny is from where on down a float64 has fewer digits, until it is zero.
const tiny = 1e-290

// maxPlain bounds how long a number may be when it is written without an
// exponent; every float64 fits.
const maxPlain = 400

// maxExponent bounds the exponents that are told apart.
const maxExponent = 1_000_000_000

// beyondRange says why a number has no value.
const beyondRange = "the number there is beyond the range of a double"

// beyond is what stands for a number that cannot be compared.
func beyond() Value { return Value{text: beyondRange} }

// ParseNumber reads a number as JSON and YAML write it, in decimal digits; ok is
// false for what is none and for what is beyond the range of a double. A number
// that is too small for a double keeps its digits and is not zero.
func ParseNumber(text string) (v Value, ok bool) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || strings.ContainsAny(text, "_xX") {
		return Value{}, false
	}
	v = Num(f)
	if len(text) <= exactDigits && math.Abs(f) > tiny {
		return v, true
	}
	d, ok := parseDecimal(text)
	if !ok {
		return Value{}, false
	}
	if digits := d.String(); digits != FormatNumber(f) {
		v.text = digits
	}
	return v, true
}

// decimal is a number as it was written: 0.DIGITS times ten to the power of
// point. The digits neither begin nor end with 0; zero has none.
type decimal struct {
	negative bool
	digits   string
	point    int
}

// parseDecimal reads what strconv.ParseFloat takes for a decimal number; ok is
// false for exponents past maxExponent.
func parseDecimal(text string) (d decimal, ok bool) {
	text = strings.TrimPrefix(text, "+")
	text, d.negative = strings.CutPrefix(text, "-")
	exponent := 0
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		var err error
		if exponent, err = strconv.Atoi(text[at+1:]); err != nil || exponent > maxExponent || exponent < -maxExponent {
			exponent = maxExponent + 1
		}
		text = text[:at]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	d.point = len(digits) - len(fraction) + exponent
	d.digits = strings.TrimRight(digits, "0")
	if d.digits == "" {
		return decimal{}, true // and never -0
	}
	return d, exponent <= maxExponent
}

// String writes the number in the one form that equal numbers have: without an
// exponent, unless it is very long.
func (d decimal) String() string {
	sign := ""
	if d.negative {
		sign = "-"
	}
	n := len(d.digits)
	switch {
	case n == 0:
		return "0"
	case max(n, d.point, n-d.point) > maxPlain:
		out := sign + d.digits[:1]
		if n > 1 {
			out += "." + d.digits[1:]
		}
		return out + "e" + strconv.Itoa(d.point-1)
	case d.point <= 0:
		return sign + "0." + strings.Repeat("0", -d.point) + d.digits
	case d.point >= n:
		return sign + d.digits + strings.Repeat("0", d.point-n)
	}
	return sign + d.digits[:d.point] + "." + d.digits[d.point:]
}

func (d decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

func (d decimal) compare(e decimal) int {
	if signs := cmp.Compare(d.sign(), e.sign()); signs != 0 {
		return signs
	}
	if d.negative {
		d, e = e, d
	}
	return cmp.Or(cmp.Compare(d.point, e.point), strings.Compare(d.digits, e.digits))
}

// Decimal writes a number value as people do: 3, 1.5, 10485760.
func (v Value) Decimal() string {
	if digits := v.Rounded(); digits != "" {
		return digits
	}
	return FormatNumber(v.number)
}

// Rounded are the digits of a number value where Number is only near to it; ""
// where Number is exact.
func (v Value) Rounded() string {
	if v.Kind() != Number {
		return ""
	}
	return v.text
}

// CompareNumbers orders two number values by the digits that were written, not as they are
// rounded: -1, 0 or 1.
func CompareNumbers(v, w Value) int {
	if v.number != w.number || v.text == w.text {
		return cmp.Compare(v.number, w.number)
	}
	a, _ := parseDecimal(v.Decimal())
	b, _ := parseDecimal(w.Decimal())
	return a.compare(b)
}

// Towards is Number where that is exact, and else the float64 next to it in
// the direction of the exact value: compared with a whole number below 2^53,
// it gives the same answer as the exact value would.
func (v Value) Towards() float64 {
	if v.Rounded() == "" {
		return v.number
	}
	switch CompareNumbers(v, Num(v.number)) {
	case -1:
		return math.Nextafter(v.number, math.Inf(-1))
	case 1:
		return math.Nextafter(v.number, math.Inf(1))
	}
	return v.number
}

// Double is the float64 next to a number; it is zero only if the number is zero.
func (v Value) Double() float64 {
	if v.number == 0 {
		return v.Towards()
	}
	return v.number
}

// FormatNumber writes a number as people do: 3, 1.5, 10485760.
func FormatNumber(n float64) string {
	if n == 0 {
		return "0" // and never -0
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
