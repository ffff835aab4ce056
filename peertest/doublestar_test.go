package peertest_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"

	"github.com/pertain-dev/pertain/internal/glob"
)

// doublestarMatch asks doublestar, one alternative at a time: by itself it is exponential in brace groups, and `b/{**,a}` does not match
// `b` there although `b/**` does. Nor do `b/**/**` and `b*/**`, so repeated globstars are taken together and `/**` at the end is
// tried as nothing. `b***` does not even match `b`, so longer runs of stars are written as one.
func doublestarMatch(pattern, name string) bool {
	open, depth, start := -1, 0, 0
	var alts []string
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '{':
			if depth++; depth == 1 {
				open, start = i, i+1
			}
		case c == ',' && depth == 1:
			alts = append(alts, pattern[start:i])
			start = i + 1
		case c == '}':
			if depth--; depth == 0 {
				for _, alt := range append(alts, pattern[start:i]) {
					if doublestarMatch(pattern[:open]+alt+pattern[i+1:], name) {
						return true
					}
				}
				return false
			}
		}
	}
	pattern = regexp.MustCompile(`\*{3,}`).ReplaceAllString(pattern, "*")
	segments := slices.CompactFunc(strings.Split(pattern, "/"), func(a, b string) bool { return a == "**" && b == "**" })
	pattern = strings.Join(segments, "/")
	if ok, err := doublestar.Match(pattern, name); err != nil || ok {
		return err == nil
	}
	folder, cut := strings.CutSuffix(pattern, "/**")
	return cut && doublestar.MatchUnvalidated(folder, name)
}

func TestDoublestar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "b", "*", "?", "**", "a*", "*b", "[ab]", "[!a]", "{a,b}", "{a,*}", ".a", "a*b?", "{a/b,b}", "{**,a}", "*.{a,b}", `\*`})
		name := rapid.SampledFrom([]string{"a", "b", "ab", ".a", "aab", "b.a", "a.b", "*"})
		for range 100 {
			pattern := strings.Join(rapid.SliceOfN(part, 1, 6).Draw(t, "pattern"), "/")
			text := strings.Join(rapid.SliceOfN(name, 1, 6).Draw(t, "path"), "/")
			p, err := glob.CompilePath(pattern)
			if err != nil {
				t.Fatalf("CompilePath(%q): %+v", pattern, *err)
			}
			if got, want := p.Match(text), doublestarMatch(pattern, text); got != want {
				t.Fatalf("%q on %q is %v, doublestar says %v", pattern, text, got, want)
			}
		}
	})
}

func FuzzDoublestar(f *testing.F) {
	f.Add("src/**/*.{ts,tsx}", "src/a/b.ts")
	f.Add("**/a/**/b", "a/a/b/b")
	f.Add("!./[!a-z]/{a/**,b}", "x/a")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		p, err := glob.CompilePath(pattern)
		if err != nil {
			return
		}
		// Where doublestar is known to differ or to be slow there is nothing to compare: negation, `./`, `[]a]` and slashes in
		// classes, escaped stars, a slash at the end, paths that no file has.
		plain := !strings.HasPrefix(pattern, "!") && !strings.HasSuffix(pattern, "/") && !strings.HasPrefix(pattern, "./") && !strings.Contains(pattern, "[") &&
			!strings.Contains(pattern, `\*`) && strings.Count(pattern, "{") < 4 && len(pattern) < 100
		clean := name != "" && path.Clean(name) == name && utf8.ValidString(name) && !strings.HasPrefix(name, "/")
		if plain && clean && p.Match(name) != doublestarMatch(pattern, name) {
			t.Errorf("%q on %q is %v, doublestar disagrees", pattern, name, p.Match(name))
		}
	})
}
