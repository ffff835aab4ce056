package document

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/limit"
)

// JSON writes a character beyond U+FFFF as two escapes, and JSON is YAML; but
// the library knows no halves of a character. It gets other characters of the
// same width instead, so that its positions stay right, and what it returns is
// turned back: halves D800 to DFFF are E000 to E7FF, which stand for nothing.

// pair is such a character in a double-quoted text.
var pair = expression(`^\\u[dD][89abAB][[:xdigit:]]{2}\\u[dD][c-fC-F][[:xdigit:]]{2}`)

// standIns is what stands for a pair, where it is no escape after all.
var standIns = expression(`\\u[eE][0-3][[:xdigit:]]{2}\\u[eE][4-7][[:xdigit:]]{2}`)

// taken is true for texts that have characters of that range themselves.
var taken = expression(`[\x{E000}-\x{E7FF}]|\\u[eE][0-7]|\\U0000[eE][0-7]`)

// depthLimit ends the reading of what is far deeper than any tree may be: each level makes the library slower.
func depthLimit() yaml.Option { return yaml.WithPlugin(limit.New(limit.DepthValue(maxRead))) }

// load reads a text with the library; paired says that pairs were replaced.
func load(text string, root *yaml.Node) (paired bool, err error) {
	if err = yaml.Load([]byte(text), root, depthLimit()); err == nil {
		return false, nil
	}
	replaced, ok := withoutPairs(text)
	if !ok {
		return false, err
	}
	var again yaml.Node
	if err = yaml.Load([]byte(replaced), &again, depthLimit()); err != nil {
		return false, err // what else is wrong
	}
	*root = again
	return true, nil
}

// secondDigits are the second digits of halves in order.
const secondDigits = "89abcdef"

func withoutPairs(text string) (string, bool) {
	if !strings.Contains(text, `\u`) || taken().MatchString(text) {
		return "", false
	}
	out := []byte(text)
	found := false
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if !pair().MatchString(text[i:min(len(text), i+12)]) {
			i++ // the escaped character is none that begins an escape
			continue
		}
		for _, half := range []int{i, i + 6} {
			out[half+2]++ // d becomes e
			out[half+3] = '0' + byte(strings.IndexByte(secondDigits, text[half+3]|0x20))
		}
		found = true
		i += 11
	}
	return string(out), found
}

// restorePairs turns back what stands in a scalar.
func restorePairs(text string, escapes bool) string {
	if !escapes { // it was text
		return standIns().ReplaceAllStringFunc(text, func(s string) string {
			out := []byte(s)
			for _, half := range []int{0, 6} {
				letter := out[half+2] - 1
				digit := secondDigits[out[half+3]-'0']
				if letter == 'D' && digit > '9' {
					digit -= 'a' - 'A'
				}
				out[half+2], out[half+3] = letter, digit
			}
			return string(out)
		})
	}
	var b strings.Builder
	for len(text) > 0 {
		high, size := utf8.DecodeRuneInString(text)
		low, more := utf8.DecodeRuneInString(text[size:])
		if high >= 0xE000 && high < 0xE400 { // no other text has these, and a second half follows
			b.WriteRune(utf16.DecodeRune(high-0xE000+0xD800, low-0xE000+0xD800))
			text = text[size+more:]
			continue
		}
		b.WriteString(text[:size])
		text = text[size:]
	}
	return b.String()
}
