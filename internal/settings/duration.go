package settings

import (
	"math"
	"strings"
	"time"
)

// DurationError says why a text is not a duration. It is not a Go error: it becomes a diagnostic at the author's file.
type DurationError struct {
	Message string // what is wrong
	Hint    string // what to write instead
}

// ParseDuration reads a duration (docs/reference/strategies.md): a positive decimal number followed by `ms` or `s`, nothing between, before
// or after them. The result is rounded to the nanosecond.
func ParseDuration(text string) (time.Duration, *DurationError) {
	const hint = "write a number followed by `ms` or `s`, such as `300ms` or `1.5s`"
	bad := func(message string) (time.Duration, *DurationError) { return 0, &DurationError{message, hint} }

	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµμ")
	unit := text[len(number):]
	var digits int // digits after the point that a nanosecond is
	switch unit {
	case "ms":
		digits = 6
	case "s":
		digits = 9
	case "":
		if number != "" && strings.Trim(number, "0123456789.") == "" {
			return bad("the duration has no unit")
		}
		return bad("this is not a duration")
	default:
		return bad("the unit of a duration is `ms` or `s`")
	}
	whole, fraction, point := strings.Cut(number, ".")
	if strings.HasPrefix(number, "-") {
		return bad("a duration is not negative")
	}
	if strings.Trim(number, "0123456789.") != "" || whole == "" || point && fraction == "" || strings.Contains(fraction, ".") {
		return bad("this is not a duration")
	}

	// The number is whole times the unit; half a nanosecond and more counts as one.
	up := len(fraction) > digits && fraction[digits] >= '5'
	fraction += strings.Repeat("0", max(0, digits-len(fraction)))
	var nanoseconds int64
	for _, digit := range strings.TrimLeft(whole+fraction[:digits], "0") {
		d := int64(digit - '0')
		if nanoseconds > (math.MaxInt64-d)/10 {
			return 0, &DurationError{"the duration is too long", "the longest is about 292 years"}
		}
		nanoseconds = nanoseconds*10 + d
	}
	if up {
		if nanoseconds == math.MaxInt64 {
			return 0, &DurationError{"the duration is too long", "the longest is about 292 years"}
		}
		nanoseconds++
	}
	if nanoseconds == 0 {
		return 0, &DurationError{"a duration is longer than zero", "leave the field out for the default, or write a longer one, such as `50ms`"}
	}
	return time.Duration(nanoseconds), nil
}
