package regex_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
)

// TestEarly: what counts its repeats, or needs one of some characters after it, is never
// decided before a match has ended; to follow it all the time would cost a stream much.
func TestEarly(t *testing.T) {
	for pattern, want := range map[string]bool{
		`a$|a[^]`:                 true,
		`\w{3,}\b`:                true,
		`\bx\w*\b`:                true,
		`key[^]*$`:                true,
		`\w{3,9}\b`:               true,
		`\b[\w-]{20,50}\b`:        false,
		`\b[0-9]{10}:[\w-]{35}\b`: false,
		`(?i:box)(?:.|[\n\r]){0,40}?\b([\w-]{20,50})\b`: false,
		`\b(sha256~[\w-]{43})(?:[^\w-]|$)`:              false,
		`a(?:[;\s]|$)`:                                  false,
		`needle`:                                        false,
	} {
		re, bad := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true})
		if bad != nil {
			t.Fatal(pattern, bad.Message)
		}
		program, exact := re.Search()
		if got := program.Early(); got != want || !exact {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
	}
}
