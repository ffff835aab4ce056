package regex_test

import (
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

func fuzzOptions(bits uint8) regex.Options {
	return regex.Options{Dialect: regex.Dialect(bits & 1), IgnoreCase: bits&2 != 0, InlineFlags: bits&4 != 0}
}

// FuzzCompile holds that any pattern gets an answer, with an offset that is in it.
func FuzzCompile(f *testing.F) {
	for _, pattern := range handPicked {
		f.Add(pattern, uint8(0))
		f.Add(pattern, uint8(7))
	}
	f.Add(`(?<a-b>x)(?(a)b|c)[a-z-[\w]]\p{Lu}(?#c)`, uint8(2))
	f.Fuzz(func(t *testing.T, pattern string, bits uint8) {
		re, bad := regex.Compile(pattern, fuzzOptions(bits))
		if (re == nil) == (bad == nil) {
			t.Fatal("neither or both of an expression and an error")
		}
		if bad != nil && (bad.Offset < 0 || bad.Offset > len(pattern) || bad.Message == "") {
			t.Fatalf("%+v", *bad)
		}
		if re != nil {
			re.Required()
			re.Program()
			goTree(re)
			if re.Size() < 1 {
				t.Fatal("no size")
			}
			for _, a := range syntax.Alternatives(pattern, fuzzOptions(bits)) {
				if _, bad := regex.Parse(a.Text(), fuzzOptions(bits)); bad != nil {
					t.Fatalf("the alternative %q: %+v", a.Text(), *bad)
				}
			}
		}
	})
}

// FuzzMatch holds that both engines agree, that the literals are needed, and that
// a match is within the text.
func FuzzMatch(f *testing.F) {
	for _, h := range hostile {
		f.Add(h.pattern, h.text[:40], uint8(0))
	}
	for _, pattern := range handPicked {
		f.Add(pattern, "aab\r\nK é\xffk", uint8(1))
	}
	f.Fuzz(func(t *testing.T, pattern, text string, bits uint8) {
		re, bad := regex.Compile(pattern, fuzzOptions(bits))
		if bad != nil {
			return
		}
		limit := regex.Limit{Time: 20 * time.Millisecond}
		matched, outcome := re.MatchString(text, limit)
		start, end, found := re.Find(text, limit)
		if outcome == regex.TimedOut || found == regex.TimedOut {
			return
		}
		if matched != (start >= 0) {
			t.Fatalf("match %v, but found at %d", matched, start)
		}
		if !matched {
			return
		}
		if start > end || end > len(text) {
			t.Fatalf("found %d-%d in %d bytes", start, end, len(text))
		}
		if utf8.ValidString(text) && (!utf8.ValidString(text[:start]) || !utf8.ValidString(text[:end])) {
			t.Fatalf("found %d-%d, which is within a character", start, end)
		}
		if !re.Required().In(text) {
			t.Fatalf("matches without its literals %+v", re.Required())
		}
	})
}
