package stream_test

import (
	"fmt"
	"slices"
	"testing"
)

// TestOrder: what fires comes by where it was decided, then by the order of the
// triggers, however the text was cut and however each was found.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		patterns []string
		text     string
		want     string
	}{
		{[]string{`foo`, `fo{2}`, `f.o`, `(?<=f)oo`, `o(?!x)`}, "foo bar", "[{0 3 3} {1 3 3} {2 3 3} {3 3 3} {4 3 3}]"},
		{[]string{`o\b`, `foo`, `foo `, `(f)(o)\2`, `\bfoo\b`}, "foo bar", "[{1 3 3} {3 3 3} {0 3 4} {2 4 4} {4 3 4}]"},
		{[]string{`x`, `b$`, `a`, `$`, `(?!b)c|`}, "ab", "[{3 0 0} {4 0 0} {2 1 1} {1 2 2}]"},
		{[]string{`(a)\1`, `a{2}`, `(?=aa)a`, `[ab]a`}, "aa", "[{0 2 2} {1 2 2} {2 2 2} {3 2 2}]"},
	} {
		set := compile(t, c.patterns...)
		want := feed(set, c.text)
		if got := fmt.Sprint(want); got != c.want {
			t.Errorf("%q on %q: %s, want %s", c.patterns, c.text, got, c.want)
		}
		for cut := range len(c.text) + 1 {
			if got := feed(set, c.text[:cut], c.text[cut:]); !slices.Equal(got, want) {
				t.Errorf("%q on %q cut at %d: %v, want %v", c.patterns, c.text, cut, got, want)
			}
		}
	}
}
