package settings_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/settings"
)

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"300ms":                                 300 * time.Millisecond,
		"5s":                                    5 * time.Second,
		"1.5s":                                  1500 * time.Millisecond,
		"0.25ms":                                250 * time.Microsecond,
		"007s":                                  7 * time.Second,
		"1.000000001s":                          time.Second + 1,
		"0.000001ms":                            1,
		"0.0000005ms":                           1, // half a nanosecond
		"1.9999999999s":                         2 * time.Second,
		"9223372036.854775807s":                 math.MaxInt64,
		"9223372036854.775807ms":                math.MaxInt64,
		strings.Repeat("0", 1000) + "1s":        time.Second,
		"1." + strings.Repeat("0", 1000) + "ms": time.Millisecond,
	} {
		if got, bad := settings.ParseDuration(text); bad != nil || got != want {
			t.Errorf("%.40q is %v, %+v", text, got, bad)
		}
	}
	for text, message := range map[string]string{
		"":                               "this is not a duration",
		"ms":                             "this is not a duration",
		"soon":                           "the unit of a duration is `ms` or `s`",
		"300":                            "the duration has no unit",
		"1.5":                            "the duration has no unit",
		"5m":                             "the unit of a duration is `ms` or `s`",
		"5µs":                            "the unit of a duration is `ms` or `s`",
		"5S":                             "the unit of a duration is `ms` or `s`",
		"1s500ms":                        "this is not a duration",
		"-1s":                            "a duration is not negative",
		"+1s":                            "this is not a duration",
		"1e3ms":                          "this is not a duration",
		"0x10s":                          "this is not a duration",
		"1_000ms":                        "this is not a duration",
		"1,5s":                           "this is not a duration",
		".5s":                            "this is not a duration",
		"5.s":                            "this is not a duration",
		"1.2.3s":                         "this is not a duration",
		"1 s":                            "this is not a duration",
		" 1s":                            "this is not a duration",
		"1s ":                            "this is not a duration",
		"٣s":                             "this is not a duration",
		"0s":                             "a duration is longer than zero",
		"0.0ms":                          "a duration is longer than zero",
		"0.0000004ms":                    "a duration is longer than zero",
		"9223372036.854775808s":          "the duration is too long",
		"9223372036.8547758075s":         "the duration is too long",
		"9999999999999999999999s":        "the duration is too long",
		strings.Repeat("9", 5000) + "ms": "the duration is too long",
	} {
		got, bad := settings.ParseDuration(text)
		if bad == nil || bad.Message != message || bad.Hint == "" || got != 0 {
			t.Errorf("%.40q is %v, %+v", text, got, bad)
		}
	}
}

func FuzzParseDuration(f *testing.F) {
	for _, text := range []string{"300ms", "1.5s", "-1s", "1e3ms", "9223372036.8547758075s", "0.0000005ms"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, bad := settings.ParseDuration(text)
		if (bad == nil) != (got > 0) {
			t.Fatalf("%q is %v, %+v", text, got, bad)
		}
		// What the standard library reads in the same way must come to the same, but for its rounding down.
		if bad == nil && len(text) < 15 {
			if want, err := time.ParseDuration(text); err != nil || got-want < 0 || got-want > 1 {
				t.Errorf("%q is %v, the standard library says %v, %v", text, got, want, err)
			}
		}
	})
}
