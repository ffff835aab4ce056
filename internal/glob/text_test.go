package glob_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/glob"
)

func compile(t *testing.T, pattern string, fold bool) *glob.Glob {
	t.Helper()
	g, err := glob.Compile(pattern, fold)
	if err != nil {
		t.Fatalf("Compile(%q): %+v", pattern, *err)
	}
	return g
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string // separated so that a row reads as a sentence
	}{
		{"", []string{""}, []string{"a"}},
		{"abc", []string{"abc"}, []string{"", "ab", "abcd", "ABC"}},
		{"*", []string{"", "a", "a/b\nc", "\xff"}, nil},
		{"**", []string{"", "a/b"}, nil},
		{"*.pdf", []string{".pdf", "a.pdf", "/w/x y/a.pdf", "a.pdf.pdf"}, []string{"a.pdf ", "pdf", "a.PDF"}},
		{"a*", []string{"a", "ab", "a/b"}, []string{"", "ba"}},
		{"a*b*c", []string{"abc", "aXbYc", "abbcc"}, []string{"ab", "acb", "ac"}},
		{"aa*aa", []string{"aaaa", "aaXaa"}, []string{"aa", "aaa"}},
		{"?", []string{"a", "é", "日", "\n", "\xff", "/"}, []string{"", "ab", "e\u0301"}},
		{"*?é", []string{"xé", "éé", "日é"}, []string{"é", "ée"}},
		{"*a?c*", []string{"abc", "aaac", "xabcx", "abaac"}, []string{"ac", "aba", "abbc"}},
		{"[abc]", []string{"a", "c"}, []string{"d", "", "ab"}},
		{"[a-cx]z", []string{"az", "bz", "xz"}, []string{"dz", "-z"}},
		{"[!a-c]", []string{"d", "é", "\xff"}, []string{"a", ""}},
		{"[^a-c]", []string{"d", "^"}, []string{"b"}},
		{"[]a]", []string{"]", "a"}, []string{"b"}},
		{"[!]a]", []string{"b"}, []string{"]", "a"}},
		{"[a-]", []string{"a", "-"}, []string{"b"}},
		{"[-a]", []string{"a", "-"}, []string{"b"}},
		{`[\]\-\\]`, []string{"]", "-", `\`}, []string{"a"}},
		{"[à-ü]", []string{"é"}, []string{"e"}},
		{"*[0-9]?", []string{"1a", "x9y", "123"}, []string{"1", "ab"}},
		{"{a,b}", []string{"a", "b"}, []string{"", "ab", "c", "a,b"}},
		{"*.{png,jp{e,}g}", []string{"a.png", "a.jpg", "a.jpeg"}, []string{"a.jpe", "a.pn"}},
		{"{,a}{,b}", []string{"", "a", "b", "ab"}, []string{"ba"}},
		{"{a}", []string{"a"}, []string{"{a}"}},
		{"{}", []string{""}, []string{"{}"}},
		{"{a*,*b}c", []string{"ac", "axc", "bc", "xbc"}, []string{"c", "xc"}},
		{"{[,],b}", []string{",", "b"}, []string{"[", "]"}},
		{`{a\,b,c}`, []string{"a,b", "c"}, []string{"a", "b"}},
		{"a,b", []string{"a,b"}, []string{"a", "b"}},
		{`\*`, []string{"*"}, []string{"", "a", `\*`}},
		{`\a\\\é`, []string{`a\é`}, []string{"aé"}},
		{"]", []string{"]"}, nil},
	} {
		g := compile(t, c.pattern, false)
		for _, s := range c.yes {
			if !g.Match(s) {
				t.Errorf("%q does not match %q", c.pattern, s)
			}
		}
		for _, s := range c.no {
			if g.Match(s) {
				t.Errorf("%q matches %q", c.pattern, s)
			}
		}
	}
}

func TestMatchFold(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*.PDF", "a.pdf", true},
		{"*.pdf", "A.PDF", true},
		{"É*", "éa", true},
		{"[A-Z]", "q", true},
		{"[a-z]", "Q", true},
		{"[!a-z]", "Q", false},
		{"[k]", "\u212a", true},
		{"[\u212a]", "K", true},
		{"s", "ſ", true},
		{"ß", "SS", false},
		{"İ", "i", false},
		{`\A`, "a", true},
	} {
		if got := compile(t, c.pattern, true).Match(c.text); got != c.want {
			t.Errorf("%q folded on %q is %v", c.pattern, c.text, got)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		pattern string
		offset  int
		message string
	}{
		{"a[b", 1, "`[` is not closed"},
		{"a[]", 1, "`[` is not closed"},
		{"a[!]", 1, "`[` is not closed"},
		{`[a\`, 0, "`[` is not closed"},
		{"[a-", 0, "`[` is not closed"},
		{"x[az-a]", 3, "the range runs backwards"},
		{"é{a,b", 2, "`{` is not closed"},
		{"{a,{b}", 0, "`{` is not closed"},
		{"a}b", 1, "`}` without `{`"},
		{`ab\`, 2, "the pattern ends with a single backslash"},
		{"a\xff", 1, "the pattern is not valid UTF-8"},
		{strings.Repeat("{", 100) + strings.Repeat("}", 100), 64, "braces are nested deeper than 64"},
		{strings.Repeat("a", 20000), 16384, "the pattern is longer than 16384 bytes"},
	} {
		g, err := glob.Compile(c.pattern, false)
		if err == nil || g != nil {
			t.Errorf("Compile(%.20q) finds no mistake", c.pattern)
			continue
		}
		if err.Offset != c.offset || err.Message != c.message || err.Hint == "" {
			t.Errorf("Compile(%.20q): %+v", c.pattern, *err)
		}
		if _, perr := glob.CompilePath("!" + c.pattern); perr == nil || perr.Message != c.message || len(c.pattern) < 20 && perr.Offset != c.offset+1 {
			t.Errorf("CompilePath(!%.20q): %+v", c.pattern, perr)
		}
	}
}

func TestStaticKnowledge(t *testing.T) {
	for _, c := range []struct {
		pattern        string
		literals       []string
		prefix, suffix string
		required       []string
	}{
		{"ABC", []string{"abc"}, "abc", "abc", []string{"abc"}},
		{"{a,b}c", []string{"ac", "bc"}, "", "c", []string{"ac", "bc"}},
		{"*.pdf", nil, "", ".pdf", []string{".pdf"}},
		{"ab*cdef*g", nil, "ab", "g", []string{"cdef"}},
		{"{foo,fob}*x", nil, "fo", "x", []string{"foo", "fob"}},
		{"{é,è}*", nil, "", "", []string{"é", "è"}},
		{"*{éx,àx}", nil, "", "x", []string{"éx", "àx"}},
		{"{a,*}", nil, "", "", nil},
		{"?a[b]", nil, "", "", []string{"a"}},
		{"", []string{""}, "", "", nil},
		{"ab" + strings.Repeat("{a,b}", 20) + "cde", nil, "ab", "cde", []string{"cde"}},
		{strings.Repeat("{a,b}", 20), nil, "", "", nil},
	} {
		g := compile(t, c.pattern, true)
		literals, ok := g.Literals()
		if ok != (c.literals != nil) || !slices.Equal(literals, c.literals) {
			t.Errorf("%q: literals %q, %v", c.pattern, literals, ok)
		}
		literal, ok := g.Literal()
		if ok != (len(c.literals) == 1) || ok && literal != c.literals[0] {
			t.Errorf("%q: literal %q, %v", c.pattern, literal, ok)
		}
		if g.Prefix() != c.prefix || g.Suffix() != c.suffix || !slices.Equal(g.Required(), c.required) {
			t.Errorf("%q: prefix %q, suffix %q, required %q", c.pattern, g.Prefix(), g.Suffix(), g.Required())
		}
	}
}

// Patterns that are known to hang matchers. The test is that it ends.
func TestNothingIsExponential(t *testing.T) {
	text := strings.Repeat("xyzab", 20_000)
	for _, pattern := range []string{
		"*x*y*z*c", strings.Repeat("*a", 200) + "*c", strings.Repeat("*?a", 50) + "c",
		strings.Repeat("{a,b,x,y,z}", 40), strings.Repeat("{a*,*b,*}", 20) + "c", strings.Repeat("*[a-z]", 30) + "c",
	} {
		if compile(t, pattern, false).Match(text) {
			t.Errorf("%.30q matches", pattern)
		}
	}
	if g := compile(t, strings.Repeat("{a,b}", 30), false); !g.Match(strings.Repeat("ab", 15)) || g.Match("ab") {
		t.Error("braces that multiply match wrongly")
	}
}

// regexOf translates a pattern in the plainest way, for comparison.
func regexOf(pattern string, fold bool) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?s`)
	if fold {
		b.WriteString(`i`)
	}
	b.WriteString(`)\A(?:`)
	depth := 0
	rs := []rune(pattern)
	for i := 0; i < len(rs); i++ {
		switch r := rs[i]; {
		case r == '*':
			b.WriteString(`.*`)
		case r == '?':
			b.WriteString(`.`)
		case r == '{':
			depth++
			b.WriteString(`(?:`)
		case r == '}':
			depth--
			b.WriteString(`)`)
		case r == ',' && depth > 0:
			b.WriteString(`|`)
		case r == '\\':
			i++
			b.WriteString(regexp.QuoteMeta(string(rs[i])))
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	b.WriteString(`)\z`)
	return regexp.MustCompile(b.String())
}

func FuzzCompile(f *testing.F) {
	f.Add("*.{png,jp{e,}g}", "A.JPG", true)
	f.Add("[!a-z]?*\\*", "Q1*", false)
	f.Add("{a*,*b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "aaaabbbb", false)
	f.Fuzz(func(t *testing.T, pattern, text string, fold bool) {
		g, err := glob.Compile(pattern, fold)
		if err != nil {
			if err.Offset < 0 || err.Offset > len(pattern) || err.Message == "" || err.Hint == "" {
				t.Fatalf("Compile(%q): %+v", pattern, *err)
			}
			return
		}
		got := g.Match(text)
		folded := text
		if fold {
			folded = glob.Fold(text)
		}
		if got {
			if !strings.HasPrefix(folded, g.Prefix()) || !strings.HasSuffix(folded, g.Suffix()) {
				t.Errorf("%q matches %q against its prefix %q or suffix %q", pattern, text, g.Prefix(), g.Suffix())
			}
			need := g.Required()
			if need != nil && !slices.ContainsFunc(need, func(s string) bool { return strings.Contains(folded, s) }) {
				t.Errorf("%q matches %q without any of %q", pattern, text, need)
			}
		}
		if literals, ok := g.Literals(); ok && slices.Contains(literals, folded) != got {
			t.Errorf("%q on %q is %v, its literals are %q", pattern, text, got, literals)
		}
		// The standard library takes a byte that is not UTF-8 for U+FFFD, and its classes are written differently.
		if utf8.ValidString(text) && !strings.Contains(pattern, "[") && len(pattern) < 200 {
			if want := regexOf(pattern, fold).MatchString(text); got != want {
				t.Errorf("%q (fold %v) on %q is %v", pattern, fold, text, got)
			}
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	text := strings.Repeat("lorem ipsum dolor ", 6000) // 108 KB, a long clipboard
	for _, w := range []struct{ name, pattern, text string }{
		{"extension", "*.{png,jpg,jpeg,gif,webp}", "/home/me/Pictures/2026/holiday/IMG_2041.jpeg"},
		{"stars", "*x*y*z*", text},
		{"long", "*ipsum?dolor*sit*", text},
		{"automaton", strings.Repeat("{a,b,*}", 8) + "x", text},
	} {
		g, err := glob.Compile(w.pattern, true)
		if err != nil {
			b.Fatal(err.Message)
		}
		b.Run(w.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Match(w.text)
			}
		})
	}
}
