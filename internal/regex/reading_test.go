package regex_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
)

// read gives all matches of a pattern, none of which overlaps another.
func read(t *testing.T, r *regex.Reading, pattern, text string) []string {
	t.Helper()
	re, problem := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript})
	if problem != nil {
		t.Fatalf("/%s/: %v", pattern, problem)
	}
	code := re.ReadingCode()
	if code == nil {
		t.Fatalf("/%s/ has no code", pattern)
	}
	if r.Steps = math.MaxInt; !r.Read(code, text) {
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
	var r regex.Reading
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
	re, _ := regex.Parse(`zz(?= [^w]*Q)`, regex.Options{Dialect: regex.ECMAScript})
	code := re.ReadingCode()
	steps := func(count int) int {
		r := regex.Reading{Steps: math.MaxInt}
		if !r.Read(code, strings.Repeat("abc zz y ", count)) {
			t.Fatal("steps are used up")
		}
		return math.MaxInt - r.Steps
	}
	few, many := steps(1_000), steps(10_000)
	if many > 11*few {
		t.Errorf("%d steps, for ten times the text %d", few, many)
	}
	r := regex.Reading{Steps: few / 2}
	if r.Read(code, strings.Repeat("abc zz y ", 1_000)) {
		t.Error("it takes fewer steps than it took before")
	}
	if re, _ := regex.Parse(`(a)(?=\1)`, regex.Options{Dialect: regex.ECMAScript}); re.ReadingCode() != nil {
		t.Error("there is a code for a back-reference")
	}
}
