package stream_test

import (
	"fmt"
	"testing"

	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/stream"
)

// TestFullToTheLast: what a set may take can be used up, each part of it, and not by one more.
func TestFullToTheLast(t *testing.T) {
	for _, c := range []struct {
		code, verified, repeated int
		want                     bool
	}{
		{-1, -1, -1, true},
		{0, 0, 0, true},
		{1, 0, 0, false},
		{0, 1, 0, false},
		{0, 0, 1, false},
		{1, -1, -1, false},
		{-1, 1, -1, false},
		{-1, -1, 1, false},
	} {
		if got := stream.Fits(c.code, c.verified, c.repeated); got != c.want {
			t.Errorf("%d instructions, %d of look-around and %d of repeats more: %v", c.code, c.verified, c.repeated, got)
		}
	}
	g, bad := glob.CompilePath("src/**/*.go")
	if bad != nil {
		t.Fatal(bad)
	}
	for more, want := range map[int]bool{-1: true, 0: true, 1: false} {
		if got := stream.FitsGlob(g, more); got != want {
			t.Errorf("a glob that is larger by %d: %v", more, got)
		}
	}
}

// parsed reads a valid pattern.
func parsed(t *testing.T, pattern string) *regex.Regexp {
	t.Helper()
	re, bad := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript})
	if bad != nil {
		t.Fatal(bad)
	}
	return re
}

// TestLookSize: an expression with look-around counts by what it becomes, as large as that may be, and one that becomes nothing, since it
// would be too large, by its text alone.
func TestLookSize(t *testing.T) {
	size := func(pattern string) int { return stream.LookSize(parsed(t, pattern)) }
	few, many := size(`a{10}(?=b)`), size(`a{900}(?=b)`)
	if few < 10 || few > 100 || many-few != 890 {
		t.Errorf("%d for ten letters, %d for nine hundred", few, many)
	}
	if none := size(`(?:(?:a{900}){900}){900}(?=b)`); none != 0 {
		t.Errorf("%d for one that is too large", none)
	}
	of := func(letters int) int { return size(fmt.Sprintf(`(?:a{64}){%d}a{%d}(?=b)`, letters/64, letters%64)) }
	for letters, last := syntax.MaxSize-64, 0; ; letters++ {
		if of(letters) == 0 {
			if last != syntax.MaxSize {
				t.Errorf("the largest takes %d", last)
			}
			break
		}
		last = of(letters)
	}
}

// TestRepeatedSize: what is no longer than it is written repeats nothing.
func TestRepeatedSize(t *testing.T) {
	for pattern, want := range map[string]int{`[abc]`: 0, `[a-z]`: 0, `(?:abc|abd)`: 0} {
		if got := stream.Repeated(parsed(t, pattern)); got != want {
			t.Errorf("%s: %d, want %d", pattern, got, want)
		}
	}
	if got := stream.Repeated(parsed(t, `a{500}b`)); got < 480 || got > 520 {
		t.Errorf("five hundred letters: %d", got)
	}
}
