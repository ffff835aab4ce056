package regex

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Suspect is a part of a valid ECMAScript expression that surely means something else than
// its author thinks: another dialect has it.
type Suspect struct {
	From, To int    // in bytes
	Message  string // what it means
	Hint     string // what was meant
	Broad    bool   // all of it: it matches nearly every text
}

// dialectParts are what other dialects have and ECMAScript without its flag u reads as
// characters. The texts are for fmt, with what the group has matched.
var dialectParts = []struct {
	form    *regexp.Regexp
	class   bool // it is looked for inside of classes too
	message string
	fix     func(group string) string
}{
	{regexp.MustCompile(`^\\[pP]\{([A-Za-z0-9_=]+)\}`), true, "is the letter p and `{%s}`, not a property of Unicode", propertyFix},
	{regexp.MustCompile(`^\\u\{([0-9A-Fa-f]+)\}`), true, "is the letter u and `{%s}`, not a character", characterFix},
	{regexp.MustCompile(`^\\([zZ])`), false, "is the letter %s, not the end of the text", fixed("`$`")},
	{regexp.MustCompile(`^\\(A)`), false, "is the letter %s, not the start of the text", fixed("`^`")},
	{regexp.MustCompile(`^\{,(\d+)\}`), false, "is that text, not a repeat of at most %s times", func(n string) string { return "`{0," + n + "}`" }},
}

// posixClasses are the names that POSIX has for classes.
var posixClasses = map[string]string{
	"alpha": "A-Za-z", "digit": "0-9", "alnum": "0-9A-Za-z", "upper": "A-Z", "lower": "a-z", "space": `\s`, "blank": ` \t`,
	"punct": "!-/:-@[-`{-~", "xdigit": "0-9A-Fa-f", "word": `\w`, "cntrl": `\x00-\x1f\x7f`, "print": " -~", "graph": "!-~", "ascii": `\x00-\x7f`,
}

var posixClass = regexp.MustCompile(`^\[:(\^?)([a-z]+):\]`)

var slashes = regexp.MustCompile(`^/((?:[^/\\\n]|\\.)+)/([dgimsuvy]+)$`)

func fixed(text string) func(string) string { return func(string) string { return text } }

func propertyFix(name string) string {
	switch strings.ToLower(name) {
	case "lu", "uppercase", "uppercase_letter":
		return "`[A-Z]`, or the letters that are meant"
	case "ll", "lowercase", "lowercase_letter":
		return "`[a-z]`, or the letters that are meant"
	case "l", "letter", "alphabetic", "alpha":
		return "`[A-Za-z]`, or the letters that are meant"
	case "n", "nd", "number":
		return "`[0-9]`"
	}
	return "a class of the characters that are meant, such as `[À-ÿ]`"
}

func characterFix(digits string) string {
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || n > utf8.MaxRune || !strconv.IsPrint(rune(n)) {
		return "the character itself"
	}
	return "the character itself, `" + string(rune(n)) + "`"
}

// Suspects gives what an author surely did not mean in an ECMAScript expression, in the order
// of the text; nil if the expression cannot be read.
func Suspects(pattern string, options syntax.Options) []Suspect {
	re, bad := Parse(pattern, options)
	if bad != nil {
		return nil
	}
	if m := slashes.FindStringSubmatch(pattern); m != nil {
		flags := strings.Join(slices.DeleteFunc(strings.Split(m[2], ""), func(f string) bool { return !strings.Contains("ims", f) }), "")
		fix := m[1]
		if flags != "" {
			fix = "(?" + flags + ")" + fix
		}
		return []Suspect{{From: 0, To: len(pattern), Message: "the slashes are part of the expression, and `" + m[2] + "` is text", Hint: "write `" + fix + "`"}}
	}
	out := foreignParts(pattern)
	if what := re.broad(); what != "" {
		out = append(out, Suspect{From: 0, To: len(pattern), Message: what, Hint: "write what makes it different from other text", Broad: true})
	}
	return out
}

// foreignParts finds what belongs to other dialects.
func foreignParts(pattern string) []Suspect {
	var out []Suspect
	class := false
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		found := false
		for _, part := range dialectParts {
			m := part.form.FindStringSubmatch(rest)
			if m == nil || class && !part.class || m[0][0] == '{' && i == 0 {
				continue
			}
			out = append(out, Suspect{From: i, To: i + len(m[0]), Message: "`" + m[0] + "` " + fmt.Sprintf(part.message, m[1]), Hint: "write " + part.fix(m[1])})
			i += len(m[0])
			found = true
			break
		}
		if found {
			continue
		}
		if m := posixClass.FindStringSubmatch(rest); m != nil && class && posixClasses[m[2]] != "" {
			out = append(out, Suspect{From: i, To: i + len(m[0]), Message: "`" + m[0] + "` is a few characters, not a class of POSIX", Hint: "write `" + posixClasses[m[2]] + "` inside of the class"})
			i += len(m[0])
			continue
		}
		switch {
		case rest[0] == '\\' && len(rest) > 1:
			i++
		case rest[0] == '[':
			class = true
		case rest[0] == ']':
			class = false
		}
		i++
	}
	return out
}

// broad says in what way an expression matches nearly every text; "" if it does not.
func (re *Regexp) broad() string {
	program, exact := re.Search()
	if program == nil || !exact {
		return ""
	}
	if program.Nullable() {
		return "the expression matches every text, even none"
	}
	first := &program.Insts[program.Start]
	if len(program.Insts) == 2 && first.Op == syntax.OpSet && syntax.RuneSet(first.Set).Contains('e') && syntax.RuneSet(first.Set).Contains('t') {
		return "the expression matches at the first letter of nearly every text"
	}
	return ""
}
