package look_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/regex/look"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// read gives all matches of a pattern, none of which overlaps another.
func read(t *testing.T, r *look.Finder, pattern, text string) []string {
	t.Helper()
	re, problem := syntax.Parse(pattern, syntax.Options{Dialect: syntax.ECMAScript})
	if problem != nil {
		t.Fatalf("/%s/: %v", pattern, problem)
	}
	code := look.Compile(re)
	if code == nil {
		t.Fatalf("/%s/ has no code", pattern)
	}
	if r.Steps = math.MaxInt; !r.Load(code, text) {
		t.Fatalf("/%s/ on %q: steps are used up", pattern, text)
	}
	var out []string
	for from := 0; from <= len(text); {
		start, end := r.Next(from)
		if start < 0 {
			break
		}
		out = append(out, fmt.Sprintf("%d-%d", start, end))
		from = max(end, start+1)
	}
	return out
}

func TestReading(t *testing.T) {
	t.Parallel()
	var r look.Finder
	for _, c := range []struct{ pattern, text, want string }{
		{`foo(?!bar)`, "foobar foo", "7-10"},
		{`a(?=b*c)`, "abbc abb ac", "0-1 9-10"},
		{`(?<=a+)b`, "b aab", "4-5"},
		{`(?<!^)x`, "xx", "1-2"},
		{`(?=(?<=a)b(?!c))b`, "bcabcab", "6-7"},
		{`(?<=(?=ab)a)b`, "ab b", "1-2"},
		{`(?!)`, "a", ""},
		{`(?=)`, "é", "0-0 2-2"},
		{`(?=a)`, "", ""},
		{`a??(?=b)`, "ab", "0-1 1-1"},
		{`(?=a)a{0,2}?a`, "aaa", "0-1 1-2 2-3"},
		{`^(?!z)([^a]*?)*[\w-][^]`, "x_xa_e", "0-5"}, // each round must take something
		{`(?=.)(?:a?b??){0,2}`, "abab", "0-2 2-4"},
		{`(?<=é)\b.`, "éa\xffb", "2-3"},
		{`.(?!.)`, "é\xff\xc3", "3-4"},
	} {
		if got := strings.Join(read(t, &r, c.pattern, c.text), " "); got != c.want {
			t.Errorf("/%s/ on %q: %s, want %s", c.pattern, c.text, got, c.want)
		}
	}
}

// TestReadingSteps: reading a text takes steps in proportion to it, and gives up when
// there are none left.
func TestReadingSteps(t *testing.T) {
	t.Parallel()
	re, _ := syntax.Parse(`zz(?= [^w]*Q)`, syntax.Options{Dialect: syntax.ECMAScript})
	code := look.Compile(re)
	steps := func(count int) int {
		r := look.Finder{Steps: math.MaxInt}
		if !r.Load(code, strings.Repeat("abc zz y ", count)) {
			t.Fatal("steps are used up")
		}
		return math.MaxInt - r.Steps
	}
	few, many := steps(1_000), steps(10_000)
	if many > 11*few {
		t.Errorf("%d steps, for ten times the text %d", few, many)
	}
	r := look.Finder{Steps: few / 2}
	if r.Load(code, strings.Repeat("abc zz y ", 1_000)) {
		t.Error("it takes fewer steps than it took before")
	}
	if re, _ := syntax.Parse(`(a)(?=\1)`, syntax.Options{Dialect: syntax.ECMAScript}); look.Compile(re) != nil {
		t.Error("there is a code for a back-reference")
	}
}
