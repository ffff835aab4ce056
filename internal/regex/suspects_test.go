package regex_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
)

// TestSuspects: what other dialects have is told with its place and with what to write, and
// what ECMAScript has is not.
func TestSuspects(t *testing.T) {
	for _, tt := range []struct{ pattern, at, hint string }{
		{`\bclass \p{Lu}\w+`, `\p{Lu}`, "write `[A-Z]`, or the letters that are meant"},
		{`[\p{L}_]x`, `\p{L}`, "write `[A-Za-z]`, or the letters that are meant"},
		{`x\P{Greek}`, `\P{Greek}`, "write a class of the characters that are meant, such as `[À-ÿ]`"},
		{`/foo/i`, `/foo/i`, "write `(?i)foo`"},
		{`/a\/b/gs`, `/a\/b/gs`, "write `(?s)a\\/b`"},
		{`/foo/g`, `/foo/g`, "write `foo`"},
		{`foo\z`, `\z`, "write `$`"},
		{`foo\Z`, `\Z`, "write `$`"},
		{`\Afoo`, `\A`, "write `^`"},
		{`x[[:alpha:]]+`, `[:alpha:]`, "write `A-Za-z` inside of the class"},
		{`x[^[:space:]]`, `[:space:]`, "write `\\s` inside of the class"},
		{`\u{1F600}`, `\u{1F600}`, "write the character itself, `😀`"},
		{`a{,3}b`, `{,3}`, "write `{0,3}`"},
		{`.*`, `.*`, "write what makes it different from other text"},
		{`x?`, `x?`, "write what makes it different from other text"},
		{`\w+`, `\w+`, "write what makes it different from other text"},
		{`[\s\S]`, `[\s\S]`, "write what makes it different from other text"},
		{``, ``, "write what makes it different from other text"},
	} {
		got := regex.Suspects(tt.pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true})
		if len(got) != 1 || tt.pattern[got[0].From:got[0].To] != tt.at || got[0].Hint != tt.hint || got[0].Message == "" {
			t.Errorf("%s: %+v", tt.pattern, got)
		}
	}
	for _, pattern := range []string{
		`\\z`, `\\p{Lu}`, `[\z]`, `/api/`, `/usr/lib/x`, `https?://a/b/i`, `\bA\b`, `a{3}`, `a{1,3}`, `{,3}`, `x[:alpha:]y`, `[[:foo:]]`, `\u0041\x41b`,
		`\d+`, `console\.log`, `(?i)todo`, `^\s*$|x`, `(?!x)y`, `(`, `path\p`, `\u{`, `\s`,
	} {
		if got := regex.Suspects(pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true}); len(got) > 0 {
			t.Errorf("%s: %+v", pattern, got)
		}
	}
}
