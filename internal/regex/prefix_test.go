package regex_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

// decided gives the length of the smallest prefix of text on which a match is
// certain, len(text)+1 if it is so only at the end, -1 for no match.
func decided(t *testing.T, re *regex.Regexp, text string) int {
	t.Helper()
	p := re.Prefix()
	resume := 0
	for n := 0; n <= len(text); n++ {
		found := p.Search(text[:n], 0, regex.Known{}, regex.Steps{}, nil)
		from := p.Search(text[:n], resume, regex.Known{}, regex.Steps{}, nil)
		if found.Matched != from.Matched || !found.Matched && found.Resume != from.Resume {
			t.Errorf("/%s/ on %q: from the beginning %+v, from %d %+v", re, text[:n], found, resume, from)
		}
		if found.Matched {
			return n
		}
		resume = found.Resume
	}
	if p.Search(text, resume, regex.Known{End: true}, regex.Steps{}, nil).Matched {
		return len(text) + 1
	}
	return -1
}

func TestPrefixDecides(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          int
	}{
		{`foo(?!bar)`, "foobaz", 6},
		{`foo(?!bar)`, "foo bar", 4},
		{`foo(?!bar)`, "foobar", -1},
		{`foo(?!bar)`, "a foo", 6},
		{`foo(?!bar)`, "a fooba", 8},
		{`foo(?=bar)`, "foobarx", 6},
		{`(?<!no )foo`, "a foo", 5},
		{`(?<!no )foo`, "no foo", -1},
		{`(["'])x\1`, `a "x" b`, 5},
		{`(?!x)`, "abc", 1},
		{`(?!x)`, "x", 2},
		{`a(?!b$)`, "ab", -1},
		{`a(?!b$)`, "abc", 3},
		{`a(?=b\b)`, "ab c", 3},
		{`a(?=b\b)`, "ab", 3},
		{`(?=(a*))\1b`, "aab", 3},
		{`(?=(a+?))\1b`, "aab", 3},
		{`a(?!(?!b))c?`, "abx", 2},
		{`(?:b|(?!a))*c`, "bbc", 3},
		{`(?=a)b|c(?=d)`, "xcd", 3},
		{`(?!.*x)y`, "y a", 4},
		{`(?!.*x)y`, "y a\n", 4},
		{`^(?!import).*$`, "export", 7},
	} {
		re, bad := regex.Compile(c.pattern, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			t.Fatal(c.pattern, bad)
		}
		if got := decided(t, re, c.text); got != c.want {
			t.Errorf("/%s/ on %q: decided at %d, want %d", c.pattern, c.text, got, c.want)
		}
	}
}

// TestPrefixKeepsItsWord: what is decided on a prefix holds for the whole text,
// and the answer at the end is that of the ordinary machine.
func TestPrefixKeepsItsWord(t *testing.T) {
	w := regextest.NewWriter(23, regex.ECMAScript)
	w.Modern = true
	count := rounds(30000)
	for range count {
		pattern := w.Expression(3)
		re, bad := regex.Compile(pattern, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			continue
		}
		for range 3 {
			text := w.Text()
			want, _ := re.MatchString(text, regex.Limit{})
			runes := []rune(text)
			p := re.Prefix()
			was := false
			for n := 0; n <= len(runes); n++ {
				got := p.Search(string(runes[:n]), 0, regex.Known{}, regex.Steps{}, nil).Matched
				if was && !got || got && !want {
					t.Fatalf("/%s/ on %q: prefix %q %v, before that %v, whole text %v", pattern, text, string(runes[:n]), got, was, want)
				}
				was = got
			}
			if got := p.Search(text, 0, regex.Known{End: true}, regex.Steps{}, nil).Matched; got != want {
				t.Fatalf("/%s/ on %q: at the end %v, want %v", pattern, text, got, want)
			}
		}
	}
}
