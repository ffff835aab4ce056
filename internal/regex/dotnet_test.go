package regex_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
)

type matchCase struct {
	pattern string
	text    string
	want    bool
}

func checkMatches(t *testing.T, options regex.Options, cases []matchCase) {
	t.Helper()
	for _, c := range cases {
		re, bad := regex.Compile(c.pattern, options)
		if bad != nil {
			t.Errorf("%q: %s at %d", c.pattern, bad.Message, bad.Offset)
			continue
		}
		if got, outcome := re.MatchString(c.text, regex.Limit{}); got != c.want || outcome != regex.Ok {
			t.Errorf("%q on %q: %v (outcome %d), want %v", c.pattern, c.text, got, outcome, c.want)
		}
	}
}

func TestDotNetMatches(t *testing.T) {
	checkMatches(t, regex.Options{}, []matchCase{
		// Classes are Unicode's.
		{`^\d$`, "\u0663", true},
		{`^\w$`, "é", true},
		{`^\w$`, "\u0301", true}, // a combining mark
		{`^\w$`, "\u203F", true}, // a connector
		{`^\w$`, "\u200D", false},
		{`^\s$`, "\u0085", true},
		{`^\s$`, "\u00A0", true},
		{`^\s$`, "\uFEFF", false},
		{`\bété\b`, "l'été.", true},
		{`a\b`, "a\u200D", false}, // joiners are part of a word
		{`^.$`, "\r", true},
		{`^.$`, "\u2028", true},
		{`^.$`, "\n", false},
		{`^.$`, "😀", true},
		// Ends.
		{`a$`, "a\n", true},
		{`a$`, "a\n\n", false},
		{`a$`, "a\nb", false},
		{`a\Z`, "a\n", true},
		{`a\z`, "a\n", false},
		{`a$\n`, "a\n", true},
		{`(?m)a$`, "a\nb", true},
		{`(?m)a$`, "a\r\nb", false},
		{`(?m)^b`, "a\nb", true},
		{`\Ab`, "a\nb", false},
		{`\Ga`, "ba", false},
		// Classes with subtraction, POSIX look-alikes, blocks and categories.
		{`^[a-z-[aeiou]]+$`, "xyz", true},
		{`^[a-z-[aeiou]]+$`, "xya", false},
		{`^[a-z-[b-y-[m]]]+$`, "amz", true},
		{`^[\w-[\d]]$`, "5", false},
		{`[]a]`, "]", true},
		{`[^]a]`, "]", false},
		{`^[[:alpha:]]$`, "[", true}, // .NET reads the name and takes the bracket
		{`^[[:alpha:]]$`, "a", false},
		{`[a-]`, "-", true},
		{`[\b]`, "\b", true},
		{`^\p{Lu}\p{Ll}$`, "Éé", true},
		{`\p{IsGreek}`, "ω", true},
		{`\P{IsBasicLatin}`, "abc", false},
		{`\p{IsCyrillic}`, "ж", true},
		{`^\p{C}$`, "\u0378", true}, // not assigned
		{`^\p{L}$`, "𝒜", true},
		// Escapes.
		{`^\x41\u00e9\101\cA\e\a$`, "AéA\x01\x1b\a", true},
		{`^\0$`, "\x00", true},
		{`^\400$`, "\x00", true}, // octal wraps at 256
		{`^(a)\11$`, "a\t", true},
		{`^\ud83d\ude00$`, "😀", true},
		{`\#\ \-\{`, "# -{", true},
		{`a{,2}`, "a{,2}", true},
		{`a{`, "a{", true},
		{`x{2}{`, "xx{", true},
		// Options.
		{`(?i)abc`, "ABC", true},
		{`(?i:a)bc`, "Abc", true},
		{`(?i:a)bc`, "ABC", false},
		{`a(?i)b|c`, "C", true}, // up to the end of the group around it
		{`(?s).`, "\n", true},
		{`(?x) a b # c`, "ab", true},
		{`(?x)a\ b`, "a b", true},
		{`(?x: a ) b`, "a b", true},
		{`(?n)(a)(?<x>b)\1`, "abb", true},
		{`(?i-i)A`, "a", false},
		{`a(?#comment)b`, "ab", true},
		{`a(?#comment)*$`, "aaa", true},
		// Groups.
		{`(a)(?<n>b)(c)\2`, "abcc", true}, // named groups are numbered last
		{`(a)(?<n>b)(c)\3`, "abcb", true},
		{`(?<n>a)\k<n>\k'n'\<n>`, "aaaa", true},
		{`(?'n'a)\k<n>`, "aa", true},
		{`(?<2>a)(b)\2\1`, "abab", true},
		{`\1(a)`, "a", false}, // a group that has not matched fails
		{`(?:(a)|b)*\1`, "abа", false},
		{`(?:(a)|b)+\1`, "aba", true}, // and is not forgotten by the next round
		{`(?>a*)a`, "aaa", false},
		{`a(?=b)`, "ab", true},
		{`(?<!\d{2,})x`, "123x", false},
		{`(?<=(\w)(\w+))-\1`, "abc-a", true},
		{`(?<=\1(a))b`, "aab", true},
		{`^(?:(?<open>\()|(?<-open>\))|[^()])*(?(open)(?!))$`, "a(b(c)d)", true},
		{`^(?:(?<open>\()|(?<-open>\))|[^()])*(?(open)(?!))$`, "a(b(c)d", false},
		{`^(?:(?<open>\()|(?<-open>\))|[^()])*(?(open)(?!))$`, "a(b))", false},
		{`(?<q>")?a(?(q)")`, `"a"`, true},
		{`^(?<q>")?a(?(q)"|$)`, `"a`, false},
		{`(?(?=\d)\d{2}|[a-z]{3})`, "1abc", true},
		{`^(?(\d)\d{2}|[a-z]{3})$`, "12", true},
		{`^(a)?(?(1)b|c)$`, "c", true},
		{`(?:)`, "", true},
		{`()`, "x", true},
		{`a|`, "x", true},
		{`\k<0>`, "x", false},
	})
}

func TestDotNetIgnoresCase(t *testing.T) {
	checkMatches(t, regex.Options{IgnoreCase: true}, []matchCase{
		{`\btodo\b`, "a TODO b", true},
		{`É`, "é", true},
		{`ß`, "ss", false},
		{`ß`, "ẞ", true},
		{`^k$`, "\u212A", true}, // the Kelvin sign
		{`^[a-z]$`, "\u212A", true},
		{`^[^k]$`, "K", false},
		{`^i$`, "İ", false},
		{`^i$`, "ı", false},
		{`σ`, "Σ", true},
		{`ς`, "Σ", true},
		{`𐐀`, "𐐨", true},
		{`(É)\1`, "éÉ", true},
		{`^[a-z-[b]]$`, "B", false},
		{`^\p{Lu}$`, "a", true},
		{`^\P{Lu}$`, "A", false},
		{`(?-i)a`, "A", false},
		{`(?-i:a)B`, "ab", true},
	})
}

func TestDotNetErrors(t *testing.T) {
	for _, c := range []struct {
		pattern string
		offset  int
		message string
		hint    string // a part of it
	}{
		{`*a`, 0, "nothing before the quantifier", "backslash"},
		{`a|+`, 2, "nothing before the quantifier", ""},
		{`(?i)*`, 4, "nothing before the quantifier", ""},
		{`a**`, 2, "follows another quantifier", "(?:...)"},
		{`a++`, 2, "follows another quantifier", "(?>...)"},
		{`a{2}{3}`, 4, "follows another quantifier", ""},
		{`{2}`, 0, "nothing before the quantifier", ""},
		{`a{3,2}`, 1, "below its lower bound", "swap"},
		{`a{2147483648}`, 1, "above 2147483647", ""},
		{`(ab`, 0, "never closed", `\(`},
		{`a(b(c)`, 1, "never closed", ""},
		{`ab)`, 2, "no group", `\)`},
		{`é)`, 2, "no group", ""},
		{`[ab`, 0, "class is never closed", `\[`},
		{`x[]`, 1, "class is never closed", ""},
		{`[z-a]`, 3, "reverse order", "swap"},
		{`[a-\d]`, 3, "cannot end with a class", ""},
		{`[a-[b]c]`, 6, "not the last thing", "end"},
		{`ab\`, 2, "ends with a backslash", `\\`},
		{`\_`, 0, `no escape \_`, ""},
		{`a\y`, 1, `no escape \y`, `\\`},
		{`\x4`, 0, "hexadecimal", `\x`},
		{`\u12`, 0, "hexadecimal", `\u`},
		{`\c`, 0, "control character", `\cA`},
		{`\c!`, 0, "control character", ""},
		{`\p`, 0, "name in braces", ""},
		{`\p{Foo}`, 3, `no category or block "Foo"`, `\p{Lu}`},
		{`\p{Greek}`, 3, `no category or block "Greek"`, `\p{IsGreek}`},
		{`\1`, 0, "no group that this back-reference", ""},
		{`(a)\k<b>`, 3, "no group that this back-reference", ""},
		{`\k`, 0, `\k is not followed`, `\k<name>`},
		{`(?<a`, 3, "name is not valid", ""},
		{`(?<>a)`, 3, "name is not valid", "letters"},
		{`(?<0>a)`, 3, "group 0", ""},
		{`(?<a-b>c)`, 5, "does not exist", ""},
		{`(?P<a>b)`, 0, "no kind of group", "(?<name>...)"},
		{`(?y)`, 0, "no kind of group", "(?:...)"},
		{`(?(9)a)`, 3, "does not exist", ""},
		{`(a)(?(1)b|c|d)`, 8, "more than two branches", ""},
		{`(?(?<n>a)b)`, 2, "named group", ""},
		{`(?#a`, 0, "comment is never closed", ""},
		{strings.Repeat("(", 300) + strings.Repeat(")", 300), 250, "250 deep", ""},
		{strings.Repeat("a", 70000), 65536, "64 KiB", "split"},
	} {
		_, bad := regex.Compile(c.pattern, regex.Options{})
		checkError(t, c.pattern, bad, c.offset, c.message, c.hint)
	}
}

func checkError(t *testing.T, pattern string, bad *regex.SyntaxError, offset int, message, hint string) {
	t.Helper()
	if len(pattern) > 40 {
		pattern = pattern[:40] + "..."
	}
	switch {
	case bad == nil:
		t.Errorf("%q: valid, want %q", pattern, message)
	case bad.Offset != offset || !strings.Contains(bad.Message, message) || !strings.Contains(bad.Hint, hint):
		t.Errorf("%q: %+v, want %q at %d, hint %q", pattern, *bad, message, offset, hint)
	}
}
