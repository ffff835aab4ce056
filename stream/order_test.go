package stream_test

import (
	"fmt"
	"slices"
	"strings"
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

// TestManyTriggers: each of more triggers than a word has bits fires once, and is known to have fired, in a stream that
// was saved, too.
func TestManyTriggers(t *testing.T) {
	var patterns []string
	var all strings.Builder
	for i := range 150 {
		patterns = append(patterns, fmt.Sprintf("t%03d(?=,)", i))
		fmt.Fprintf(&all, "t%03d, ", i)
	}
	set := compile(t, patterns...)
	st := set.Stream()
	for round := range 2 {
		for i := range patterns {
			found := st.Feed(all.String()[6*i : 6*i+6])
			want := "[]"
			if round == 0 {
				want = fmt.Sprintf("[{%d %d %d}]", i, 6*i+5, 6*i+5)
			}
			if got := fmt.Sprint(found); got != want {
				t.Fatalf("round %d: %s, want %s", round, got, want)
			}
			if !st.Fired(i) || i+1 < len(patterns) && st.Fired(i+1) != (round == 1) {
				t.Fatalf("round %d: whether %d has fired", round, i)
			}
			restored, err := set.Restore(st.Save())
			if err != nil {
				t.Fatal(err)
			}
			st = restored
		}
	}
}
