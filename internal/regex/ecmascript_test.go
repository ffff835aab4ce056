package regex_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
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
		{`(?x)a`, 0, "flags are i, m and s"},
		{`(?ii)a`, 0, "each once"},
		{`a(?i)b`, 1, "very begin"},
		{`(?ii:a)b`, 0, "each once"},
		{`a(?-:a)b`, 1, "(?-i:...)"},
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
		{`(?<a>x)(?<a>y)`, 10, "same name", "different alternatives"},
		{`(?:(?<a>x)|(?<a>y))(?<a>z)`, 22, "same name", ""},
		{`(?<a>x|(?<a>y))`, 10, "same name", ""},
		{`(?<a>x)\k<b>`, 7, "no group that this", ""},
		{`(?<a>x)\k`, 7, `\k is not followed`, ""},
		{`(?<a>x)[\k]`, 8, `\k does not stand`, ""},
	} {
		_, bad := regex.Compile(c.pattern, regex.Options{Dialect: regex.ECMAScript})
		checkError(t, c.pattern, bad, c.offset, c.message, c.hint)
	}
}

// TestECMAScriptModifiers is what node says too, where it is new enough to be asked.
func TestECMAScriptModifiers(t *testing.T) {
	checkMatches(t, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true}, []matchCase{
		{`x(?i:todo)y`, "xTODOy", true},
		{`x(?i:todo)y`, "xTODOY", false},
		{`(?i)x(?-i:todo)y`, "XtodoY", true},
		{`(?i)x(?-i:todo)y`, "XTodoY", false},
		{`(?i:a(?-i:b)c)`, "AbC", true},
		{`(?i:a(?-i:b)c)`, "ABC", false},
		{`a(?m:^b$)`, "a\nb\nc", false},
		{`a\n(?m:^b$)`, "a\nb\nc", true},
		{`a\n^b$`, "a\nb\nc", false},
		{`a(?s:.)b`, "a\nb", true},
		{`(?s)a(?-s:.)b`, "a\nb", false},
		{`(?ims-:A.b)`, "a\nB", true},
		{`(?ms)(?i-ms:A.b)`, "a\nB", false},
		{`(a)(?i:\1)`, "aA", true},
		{`(?i:(a))\1`, "Aa", false},
		{`(?<=(?i:a))b`, "Ab", true},
		{`(?!(?i:a))\w`, "A", false},
		{`(?:(?<q>')|(?<q>"))x\k<q>`, `"x"`, true},
		{`(?:(?<q>')|(?<q>"))x\k<q>`, `"x'`, false},
		{`(?:(?:(?<q>')|(?<q>"))x\k<q>)+$`, `"x"'x'`, true},
		{`(?:(?<q>')|(?<q>")|-)x\k<q>y`, `-xy`, true},
		{`(?<=\k<q>(?:(?<q>')|(?<q>")))x`, `""x`, true},
		{`(?<=\k<q>(?:(?<q>')|(?<q>")))x`, `'"x`, false},
	})
}

// TestModifiersMeanFlags: a group with modifiers around the whole is what the flags
// at the beginning are, for every engine.
func TestModifiersMeanFlags(t *testing.T) {
	w := regextest.NewWriter(53, regex.ECMAScript)
	w.Modern = true
	options := regex.Options{Dialect: regex.ECMAScript, InlineFlags: true}
	compared := 0
	for range rounds(4000) {
		pattern, flags := w.Expression(3), w.Pick("i", "m", "s", "ims")
		whole, bad := regex.Compile("(?"+flags+")"+pattern, options)
		part, badPart := regex.Compile("(?"+flags+":"+pattern+")", options)
		if (bad == nil) != (badPart == nil) {
			t.Fatalf("/%s/ with %s: %v, as a group %v", pattern, flags, bad, badPart)
		}
		if bad != nil {
			continue
		}
		compared++
		for range 4 {
			text := w.Text()
			start, end, _ := whole.Find(text, regex.Limit{})
			if s, e, _ := part.Find(text, regex.Limit{}); s != start || e != end {
				t.Fatalf("/%s/ with %s on %q: %d-%d, as a group %d-%d", pattern, flags, text, start, end, s, e)
			}
		}
	}
	t.Logf("%d expressions", compared)
}
