package regex_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// TestSize: what has more than MaxSize has neither a program nor an automaton, and what
// has less is as large as its program is.
func TestSize(t *testing.T) {
	for _, c := range []struct {
		pattern string
		want    int
	}{
		{``, 1},
		{`abc`, 4},
		{`a|b|c`, 2},
		{`a|b|cd`, 7},
		{`a*`, 3},
		{`a{3}`, 4},
		{`a{2,}`, 5},
		{`a{1,3}`, 6},
		{`(?:a|b){0,1000}`, 2001},
		{`(?:a|bc){0,800}`, 4001},
		{`(?:a|bc){0,1100}`, syntax.MaxSize + 1},
		{`(?=a{1,5})b`, 12},
		{`(?<=a)b`, 4},
		{`(?:(?:a{100}){100}){100}`, syntax.MaxSize + 1},
		{`(?:){2147483647}`, 1},
		{`(?:a{0,2147483647}){2147483647}`, syntax.MaxSize + 1},
	} {
		re, bad := regex.Parse(c.pattern, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			t.Fatal(c.pattern, bad)
		}
		if got := re.Size(); got != c.want {
			t.Errorf("/%s/ has %d, want %d", c.pattern, got, c.want)
		}
	}
	w := regextest.NewWriter(41, regex.ECMAScript)
	w.Modern = true
	for range rounds(4000) {
		pattern := w.Expression(3)
		re, bad := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			continue
		}
		program, ok := re.Program()
		if ok && len(program.Insts) < re.Size() {
			t.Fatalf("/%s/ has %d, its program %d", pattern, re.Size(), len(program.Insts))
		}
	}
}

// TestParseBuildsNothing: an expression that was only parsed matches all the same.
func TestParseBuildsNothing(t *testing.T) {
	re, bad := regex.Parse(`a(?=b)|c`, regex.Options{Dialect: regex.ECMAScript})
	if bad != nil {
		t.Fatal(bad)
	}
	if matched, outcome := re.MatchString("xab", regex.Limit{}); !matched || outcome != regex.Ok {
		t.Error(matched, outcome)
	}
	if _, bad := regex.Parse(`a**`, regex.Options{}); bad == nil {
		t.Error("no mistake is found")
	}
}
