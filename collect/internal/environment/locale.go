package environment

import "strings"

// language is the language tag of the messages that the user wants, or "".
func (h host) language() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := h.lookup(name); value != "" {
			return languageTag(value) // the first that is set decides, as POSIX says
		}
	}
	return languageTag(h.locale())
}

// languageTag turns a POSIX locale such as de_DE.UTF-8@euro into a language tag
// such as de-DE (BCP 47), or "" for one that names no language.
func languageTag(locale string) string {
	locale, modifier, _ := strings.Cut(locale, "@")
	locale, _, _ = strings.Cut(locale, ".") // the character set
	language, rest, _ := strings.Cut(strings.ReplaceAll(locale, "_", "-"), "-")
	if !isLetters(language) || len(language) < 2 || len(language) > 3 {
		return ""
	}
	var t tag
	for rest != "" {
		var part string
		part, rest, _ = strings.Cut(rest, "-")
		if !t.add(part) {
			return ""
		}
	}
	if part, known := modifiers[strings.ToLower(modifier)]; known {
		t.add(part) // one that repeats the locale changes nothing
	}
	out := strings.ToLower(language)
	for _, part := range []string{t.script, t.region, t.variant} {
		if part != "" {
			out += "-" + part
		}
	}
	return out
}

// modifiers are the ones that speak of the language; others, such as euro, do
// not.
var modifiers = map[string]string{
	"latin":      "Latn",
	"cyrillic":   "Cyrl",
	"devanagari": "Deva",
	"valencia":   "valencia",
}

// tag is what may follow the language.
type tag struct{ script, region, variant string }

// add takes a part by its form; false if it has none that a tag allows there.
func (t *tag) add(part string) bool {
	switch n := len(part); {
	case n == 4 && isLetters(part) && t.script == "":
		t.script = strings.ToUpper(part[:1]) + strings.ToLower(part[1:])
	case (n == 2 && isLetters(part) || n == 3 && isDigits(part)) && t.region == "":
		t.region = strings.ToUpper(part)
	case strings.EqualFold(part, "posix"): // en_US_POSIX is plain en-US
	case (n >= 5 && n <= 8 && isAlphanumeric(part) || n == 4 && isDigits(part)) && t.variant == "":
		t.variant = strings.ToLower(part)
	default:
		return false
	}
	return true
}

func isLetters(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
}

func isDigits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

func isAlphanumeric(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !isLetters(string(r)) && !isDigits(string(r)) })
}
