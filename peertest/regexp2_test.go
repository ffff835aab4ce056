package peertest_test

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

// TestRegexp2 compares with regexp2, an independent port of .NET's own
// engine: whether an expression is valid, whether it matches, and where.
func TestRegexp2(t *testing.T) {
	count := 6000
	if testing.Short() {
		count /= 8
	}
	w := regextest.NewWriter(11, regex.DotNet)
	compared, matches, differences := 0, 0, 0
	for n := range count {
		w.Linear = n%2 == 0
		pattern := w.Expression(3)
		options := regex.Options{IgnoreCase: w.IntN(2) == 0}
		var peerOptions regexp2.RegexOptions
		if options.IgnoreCase {
			peerOptions = regexp2.IgnoreCase
		}
		if regexp2Differs(pattern, options.IgnoreCase) {
			continue
		}
		peer, err := regexp2.Compile(pattern, peerOptions)
		re, bad := regex.Compile(pattern, options)
		if (bad == nil) != (err == nil) {
			differences++
			t.Errorf("%q: valid for us %v, for the peer %v (%+v, %v)", pattern, bad == nil, err == nil, bad, err)
			continue
		}
		if bad != nil {
			continue
		}
		peer.MatchTimeout = time.Second
		required := re.Required()
		for range 8 {
			text := w.Text()
			compared++
			want, err := peer.FindStringMatch(text)
			if err != nil { // out of time
				break
			}
			matched, outcome := re.MatchString(text, regex.Limit{})
			if outcome != regex.Ok || matched != (want != nil) {
				differences++
				t.Errorf("%q (%+v) on %q: match %v %v, peer %v", pattern, options, text, matched, outcome, want != nil)
				continue
			}
			start, end, _ := re.Find(text, regex.Limit{})
			if want == nil {
				if start != -1 {
					t.Errorf("%q on %q: found %d-%d without a match", pattern, text, start, end)
				}
				continue
			}
			matches++
			if s, e := utf8.RuneCountInString(text[:start]), utf8.RuneCountInString(text[:end]); s != want.RuneIndex || e != want.RuneIndex+want.RuneLength {
				differences++
				t.Errorf("%q (%+v) on %q: found %d-%d, peer %d+%d", pattern, options, text, s, e, want.RuneIndex, want.RuneLength)
			}
			if !required.In(text) {
				t.Errorf("%q matches %q without its literals %+v", pattern, text, required)
			}
		}
		if differences > 40 {
			t.FailNow()
		}
	}
	t.Logf("%d pairs compared, %d matches, %d differences", compared, matches, differences)
}

// regexp2Differs says whether the peer is known not to do what .NET does.
func regexp2Differs(pattern string, ignoreCase bool) bool {
	switch {
	case strings.Contains(pattern, `\P{Lu}`):
		// Ignoring case, .NET takes \p{Lu}, \p{Ll} and \p{Lt} for all three; the peer
		// does not, and goes wrong on \P{Lu}?? in any case.
		return true
	case strings.Contains(pattern, "-[") && (ignoreCase || strings.Contains(pattern, "(?i")):
		return true // .NET ignores case in what is subtracted, too
	case strings.Contains(pattern, "(?#x)+"):
		return true // the peer has possessive quantifiers
	case strings.Contains(pattern, "(?>") && regexp.MustCompile(`\)[*+?{]`).MatchString(pattern):
		// The peer does not go back into a repeat of an atomic group:
		// (?>a{0,2})*b on "aab".
		return true
	default:
		return false
	}
}
