package secret

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Some programs are nothing but values, such as secrets.py and arduino_secrets.h; others that are called alike compute something,
// such as auth/password.ts. Only the text tells them apart. What is in doubt is a value: too much rather than too little.

// holdsValue tells whether a program that is called as lists of secrets are has a value in it.
func holdsValue(data []byte) bool {
	data = tags().ReplaceAll(withoutZeros(data), nil)
	if hexBytes().Match(data) {
		return true
	}
	list := !function().Match(data)                                           // nothing but values
	if list && (number().Match(data) || bytes.Contains(data, []byte("<<"))) { // the latter begins a text of many lines
		return true
	}
	for i, c := range data {
		if c != '"' && c != '\'' && c != '`' {
			continue
		}
		text, ok := literal(data, i)
		if !ok || len(text) < leastValue {
			continue
		}
		before := string(data[max(0, i-longest):i])
		switch {
		case isName(before):
		case list && strings.ContainsFunc(withoutStand(text), unicode.IsLetter), list && strings.ContainsFunc(text, unicode.IsDigit), isRandomLiteral(text),
			len(text) >= leastPassword && !isStand(text) && isAssigned(before):
			return true
		}
	}
	return false
}

// leastValue is how many characters a value has at least in a text that is nothing but values.
const leastValue = 4

var (
	// function is what a text has in it that computes something.
	function = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\)\s*(?:=>|->|\{)|\b(?:func|function|fn|fun)\s+[\w.<>]*\s*\(|\bsub\s+\w+\s*\{|(?m:^\s*(?:async\s+)?def\s+[^\n"'=]*$)|\bdef\s[^\n]*\)\s*(?:->[^\n]*)?:`)
	})
	// number is one that is assigned, such as a PIN.
	number = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[=:]\s*[0-9]{4,}|#define\s+\w+\s+[0-9]{4,}`)
	})
	// hexBytes are bytes of a key in a row.
	hexBytes = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:0x[0-9A-Fa-f]{2}\W{1,8}){7}0x[0-9A-Fa-f]{2}`)
	})
	// filled is what something else is put in for.
	filled = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\$\{[^{}]*\}|#\{[^{}]*\}|\{\{[^{}]*\}\}|%[sdvq]|<[\w -]*>`)
	})
	// tags are those of a field of a struct.
	tags = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("`(?:(?:json|yaml|toml|xml|db|bson|env|form|query|header|validate|mapstructure):\"[\\w,.=-]*\" *)+`")
	})
	// set is a call that is given a value.
	set = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[^\w]|set_?|with_?|use_?)(?:password|passwd|passphrase|pass|pwd|token|secret|api_?key)$`)
	})
	// valueWords are in the names of secrets.
	valueWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)secret|passw|passphrase|passcode|pwd|token|api_?-?key|credential|psk|(?:^|[^a-z])(?:pass|key|pin|auth)(?:[^a-z]|$)|[_a-z](?:Pass|Key)(?:[^a-z]|$)`)
	})
)

// literal is what stands between the quote at an offset and the next one like it, on the same line but for a backtick and the last of three.
func literal(data []byte, at int) (text string, ok bool) {
	quote := data[at]
	after := data[at+1 : min(len(data), at+1+longest)]
	ends := false // with the line
	if end := bytes.IndexByte(after, '\n'); end >= 0 && quote != '`' && !(at > 1 && data[at-1] == quote && data[at-2] == quote) {
		after, ends = after[:end], true
	}
	end := bytes.IndexByte(after, quote)
	if end < 0 {
		return string(after), !ends // it goes on, or the text was cut
	}
	return string(after[:end]), true
}

// isStand tells whether a text only stands for a value: `your-password-here`, `${TOKEN}`.
func isStand(text string) bool {
	rest := withoutStand(text)
	return !strings.ContainsFunc(rest, unicode.IsDigit) && !hasDifferent([]byte(rest))
}

// withoutStand is what is left of a text without what stands for something else.
func withoutStand(text string) string {
	return stand.Replace(strings.ToLower(filled().ReplaceAllString(text, "")))
}

// algorithms are names with digits in them that are no values.
var algorithms = strings.NewReplacer("argon2id", "", "argon2", "", "bcrypt", "", "scrypt", "", "pbkdf2", "", "sha256", "", "sha512", "", "sha384", "", "sha1", "",
	"hmac", "", "aes256", "", "aes-256", "", "aes-128", "", "ed25519", "", "x25519", "", "base64", "", "base32", "", "utf-8", "", "utf8", "", "utf-16", "", "iso-8859-1", "", "md5", "")

// isRandomLiteral tells a value by itself: it is one word, with digits in it, and neither a path nor the name of an algorithm.
func isRandomLiteral(text string) bool {
	if len(text) < leastPassword || strings.ContainsAny(text, " \t\n") || slices.ContainsFunc([]string{"/", "./", "../", "@", "http:", "https:"}, func(begin string) bool { return strings.HasPrefix(text, begin) }) {
		return false
	}
	rest := algorithms.Replace(strings.ToLower(filled().ReplaceAllString(text, "")))
	return len(rest) >= leastPassword && strings.ContainsFunc(rest, unicode.IsDigit) && strings.ContainsFunc(rest, unicode.IsLetter)
}

// isName tells by what stands before a literal whether it names a module.
func isName(before string) bool {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '(' || r == '\t' })
	return len(words) > 0 && slices.Contains([]string{"from", "import", "require", "#include", "require_relative"}, words[len(words)-1]) &&
		!strings.Contains(line, "//") && strings.LastIndexByte(line, '#') <= 0
}

// isAssigned tells by what stands before a literal whether that is assigned to a name, compared with it, the other choice for it, or
// given to it, and the name is one of a secret.
func isAssigned(before string) bool {
	left := strings.TrimRight(before, " \t\n\"'`[({@$\\")
	if name := strings.TrimRight(left, "=:>?|~!&+"); name != left {
		if strings.HasSuffix(left, ":") && strings.Contains(before[len(left):], "\n") && !strings.HasSuffix(name, `"`) && !strings.HasSuffix(name, "'") {
			return false // a block begins, and this is its first text
		}
		if name = strings.TrimRight(name, " \t"); strings.HasSuffix(name, "()") {
			name = strings.TrimSuffix(name, "()")
		}
		return valueWords().MatchString(assigned(name))
	}
	if rest, ok := strings.CutSuffix(left, ","); ok { // after an argument that names it
		return strings.HasSuffix(rest, `"`) && valueWords().MatchString(statement(rest)) || strings.HasSuffix(rest, `'`) && valueWords().MatchString(statement(rest))
	}
	if strings.HasSuffix(before, "(") && set().MatchString(left) || strings.HasSuffix(strings.ToLower(left), "identified by") {
		return true
	}
	trimmed := strings.TrimRight(before, " \t")
	return len(trimmed) < len(before) && trimmed == left && valueWords().MatchString(left[strings.LastIndexAny(left, " \t\n(,;")+1:]) // #define PASS "…", PASSWORD '…'
}

// assigned is what a value is assigned to: NAME = "…", NAME: type = "…", and of an element's attributes, <ELEMENT NAME="…">, the one.
func assigned(left string) string {
	left = statement(left)
	words := strings.Fields(left)
	if n := len(words); n > 1 && strings.TrimRight(left, " \t") == left && slices.ContainsFunc(words, func(w string) bool { return w[0] == '<' }) {
		return words[n-1]
	}
	return left
}

// statement is the end of a text from where a statement, or a part of one, begins.
func statement(text string) string { return text[strings.LastIndexAny(text, ";,({\n")+1:] }
