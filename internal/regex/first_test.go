package regex_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

// TestFirstMatch holds that the first answer, which may be given before there is an
// engine, is the one that is given ever after.
func TestFirstMatch(t *testing.T) {
	for _, dialect := range []regex.Dialect{regex.DotNet, regex.ECMAScript} {
		w := regextest.NewWriter(41, dialect)
		for i := range rounds(20000) {
			pattern, text := w.Expression(3), w.Text()
			options := regex.Options{Dialect: dialect, IgnoreCase: i%2 == 0}
			re, bad := regex.Compile(pattern, options)
			if bad != nil {
				continue
			}
			first, outcome := re.MatchString(text, regex.Limit{})
			second, again := re.MatchString(text, regex.Limit{})
			if first != second || outcome != again {
				t.Fatalf("/%s/ on %q: %v (%d), then %v (%d)", pattern, text, first, outcome, second, again)
			}
		}
	}
	re, _ := regex.Compile("needle", regex.Options{Dialect: regex.DotNet})
	if matched, outcome := re.MatchString(strings.Repeat("x", regex.MaxText)+"needle", regex.Limit{}); matched || outcome != regex.Truncated {
		t.Errorf("beyond the bound: %v, %d", matched, outcome)
	}
}
