package regex_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

func TestAlternatives(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{`a|b`, `a,b`},
		{`a`, ``},
		{`(?i)a|b|`, `(?i)a,(?i)b,(?i)`},
		{`\b(?:foo|bar)\b`, `\b(?:foo)\b,\b(?:bar)\b`},
		{`x(a|b|c)y`, `x(?:a)y,x(?:b)y,x(?:c)y`},
		{`(?<n>a|b)`, `a,b`},
		{`(?:(a|b)c)`, `(?:a)c,(?:b)c`},
		{`[|]a|\||(|)`, `[|]a,\|,(|)`},
		{`x(?i:a|b)y`, `x(?i:(?:a))y,x(?i:(?:b))y`},
		{`(?i:\b(?:a|b)|c)`, `(?i:(?:\b(?:a|b))),(?i:(?:c))`},
		{`(?i-s:(a|b)c)d`, `(?i-s:(?:a)c)d,(?i-s:(?:b)c)d`},
		{`(?i:a|b)+`, ``},
		{`(a|b)+`, ``},
		{`(?!a|b)c`, ``},
		{`(a)|\1`, ``},
		{`(?<n>a)|\k<n>`, ``},
		{`(a|b`, ``},
		{`a)|b`, ``},
	} {
		var got []string
		for _, a := range syntax.Alternatives(c.pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true}) {
			got = append(got, a.Text())
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%s: %q, want %q", c.pattern, got, c.want)
		}
	}
}

// TestAlternativesMean: an expression matches a text if one of its alternatives does.
func TestAlternativesMean(t *testing.T) {
	w := regextest.NewWriter(31, regex.ECMAScript)
	w.Modern = true
	options := regex.Options{Dialect: regex.ECMAScript}
	taken := 0
	for range rounds(4000) {
		pattern := w.Expression(3)
		re, bad := regex.Compile(pattern, options)
		all := syntax.Alternatives(pattern, options)
		if bad != nil || all == nil {
			continue
		}
		taken++
		for range 4 {
			text := w.Text()
			want, _ := re.MatchString(text, regex.Limit{})
			got := false
			for _, a := range all {
				one, bad := regex.Compile(a.Text(), options)
				if bad != nil {
					t.Fatalf("/%s/ of /%s/: %v", a.Text(), pattern, bad)
				}
				matched, _ := one.MatchString(text, regex.Limit{})
				got = got || matched
			}
			if got != want {
				t.Fatalf("/%s/ on %q: %v, its alternatives %v", pattern, text, want, got)
			}
		}
	}
	t.Logf("%d expressions", taken)
}

func TestLongPatterns(t *testing.T) {
	var words []string
	for i := range 120_000 {
		words = append(words, fmt.Sprintf("w%06d", i))
	}
	million := strings.Join(words, "|") // 960 KB
	options := regex.Options{Dialect: regex.ECMAScript, InlineFlags: true}
	for _, c := range []struct {
		name, pattern string
		offset        int // -1: valid
		message       string
	}{
		{"alternatives", million, -1, ""},
		{"in a group", `\b(?:` + million + `)\b`, -1, ""},
		{"in a group with modifiers", `\b(?i:` + million + `)\b`, -1, ""},
		{"a mistake in such a group", `\b(?i:` + million + `|a**)\b`, 6 + len(million) + 3, "a quantifier follows another quantifier"},
		{"with a mistake", million + "|a**", len(million) + 3, "a quantifier follows another quantifier"},
		{"a mistake in a group", `\b(?:` + million + `|a**)\b`, 5 + len(million) + 3, "a quantifier follows another quantifier"},
		{"no alternatives", strings.Repeat("ab", 40_000), 64 << 10, "longer than 64 KiB"},
		{"in a look-ahead", `x(?!` + million + `)`, 64 << 10, "longer than 64 KiB"},
		{"behind too much", strings.Repeat("x", 60<<10) + "(" + million[:64<<10] + ")", 64 << 10, "longer than 64 KiB"},
		{"too many", million + "|" + million, 1 << 20, "longer than 1 MiB"},
	} {
		_, bad := regex.Compile(c.pattern, options)
		switch {
		case bad == nil && c.offset >= 0:
			t.Errorf("%s: no error", c.name)
		case bad != nil && (bad.Offset != c.offset || !strings.Contains(bad.Message, c.message)):
			t.Errorf("%s: %+v", c.name, bad)
		}
	}
}
