package regex_test

import (
	"regexp"
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

// TestGoTree runs the trees with Go's own engine, which must agree with ours.
func TestGoTree(t *testing.T) {
	linear, compared := 0, 0
	count := rounds(1500)
	for n := range count {
		dialect := regex.Dialect(n % 2)
		w := regextest.NewWriter(uint64(n), dialect)
		w.Linear = true
		pattern := w.Expression(3)
		re, bad := regex.Compile(pattern, regex.Options{Dialect: dialect, IgnoreCase: n%3 == 0})
		if bad != nil {
			continue
		}
		tree, ok := goTree(re)
		if !ok {
			continue
		}
		linear++
		peer, err := regexp.Compile(tree.String())
		if err != nil {
			t.Fatalf("%q: %v", pattern, err)
		}
		for range 8 {
			text := w.Text()
			compared++
			got, _ := re.MatchString(text, regex.Limit{})
			if want := peer.MatchString(text); got != want {
				t.Errorf("%q as %q on %q: %v, Go %v", pattern, tree, text, got, want)
			}
		}
	}
	if linear < count*2/3 {
		t.Errorf("only %d of %d expressions were linear", linear, count)
	}
	t.Logf("%d expressions, %d pairs compared", linear, compared)
}

func TestGoTreeRefuses(t *testing.T) {
	for _, c := range []struct {
		pattern string
		options regex.Options
	}{
		{`a(?=b)`, regex.Options{}},
		{`(a)\1`, regex.Options{Dialect: regex.ECMAScript}},
		{`(?>a)`, regex.Options{}},
		{`\bword`, regex.Options{}},
		{`end$`, regex.Options{}},
		{`(?m)^a`, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true}},
		{`(?:(?:ab){100}){100}`, regex.Options{}},
	} {
		re, bad := regex.Compile(c.pattern, c.options)
		if bad != nil {
			t.Fatal(c.pattern, *bad)
		}
		if tree, ok := goTree(re); ok {
			t.Errorf("%q: got %v", c.pattern, tree)
		}
	}
}
