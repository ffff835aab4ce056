package regex_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
)

// What JavaScript shares with us is held by the comparison with node; here is
// what differs, and what an author sees.

func TestECMAScriptOverCodePoints(t *testing.T) {
	checkMatches(t, regex.Options{Dialect: regex.ECMAScript}, []matchCase{
		{`^.$`, "😀", true},
		{`^[😀]$`, "😀", true},
		{`^[^a]$`, "😀", true},
		{`^\ud83d\ude00$`, "😀", true},
		{`^(?:\ud83d\ude00)+$`, "😀😀", true},
		{`\ud83d`, "😀", false}, // half a character is never found
		{`[\ud83d]`, "😀", false},
		{`^.{3}$`, "a\xff\xfe", true}, // each broken byte is one character
		{"\uFFFD", "\xff", true},
		{"a\uFFFDb", "a\xffb", true},
	})
}

func TestECMAScriptFlags(t *testing.T) {
	checkMatches(t, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true}, []matchCase{
		{`(?i)todo`, "TODO", true},
		{`todo`, "TODO", false},
		{`(?m)^b`, "a\u2028b", true},
		{`(?m)a$`, "a\rb", true},
		{`^b`, "a\nb", false},
		{`(?s)a.b`, "a\nb", true},
		{`(?ims)^A.b$`, "x\na\nB\ny", true},
		{`(?i)k`, "\u212A", false},
		{`(?i)ß`, "ẞ", false},
		{`(?i)É`, "é", true},
	})
	for _, c := range []struct {
		pattern string
		offset  int
		hint    string
	}{
		{`(?x)a`, 0, "only i, m and s"},
		{`(?ii)a`, 0, "each once"},
		{`a(?i)b`, 1, "very begin"},
		{`(?i:a)b`, 0, "very begin"},
		{`(?i`, 0, "very begin"},
		{`(?-i)a`, 0, "very begin"},
	} {
		_, bad := regex.Compile(c.pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true})
		checkError(t, c.pattern, bad, c.offset, "no kind of group", c.hint)
	}
	_, bad := regex.Compile(`(?i)a`, regex.Options{Dialect: regex.ECMAScript})
	checkError(t, `(?i)a`, bad, 0, "no kind of group", "")
}

func TestECMAScriptErrors(t *testing.T) {
	for _, c := range []struct {
		pattern string
		offset  int
		message string
		hint    string
	}{
		{`a**`, 2, "follows another quantifier", ""},
		{`a++`, 2, "follows another quantifier", "possessive"},
		{`^*`, 1, "nothing before the quantifier", ""},
		{`(?<=a)+`, 6, "nothing before the quantifier", ""},
		{`?`, 0, "nothing before the quantifier", "backslash"},
		{`é{1}{2}`, 5, "follows another quantifier", ""},
		{`a{2,1}`, 1, "below its lower bound", "swap"},
		{`[b-a]`, 1, "reverse order", "swap"},
		{`a[b`, 1, "class is never closed", ""},
		{`(a`, 0, "never closed", ""},
		{`a)`, 1, "no group", ""},
		{`\`, 0, "ends with a backslash", ""},
		{`[\`, 1, "ends with a backslash", ""},
		{`(?>a)`, 0, "no kind of group", "atomic"},
		{`(?#a)`, 0, "no kind of group", "comments"},
		{`(?P<n>a)`, 0, "no kind of group", "(?<name>...)"},
		{`(?<1>a)`, 3, "name is not valid", ""},
		{`(?<a>x)(?<a>y)`, 10, "same name", ""},
		{`(?<a>x)\k<b>`, 7, "no group that this", ""},
		{`(?<a>x)\k`, 7, `\k is not followed`, ""},
		{`(?<a>x)[\k]`, 8, `\k does not stand`, ""},
	} {
		_, bad := regex.Compile(c.pattern, regex.Options{Dialect: regex.ECMAScript})
		checkError(t, c.pattern, bad, c.offset, c.message, c.hint)
	}
}
