package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a name as a model may put it after `pertain read rule://` in a shell: a file can be called anything, and what a shell
// would take for more than a name, or nobody can see, is percent-encoded.
func Word(name string) string {
	var b strings.Builder
	for i, r := range name {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(name[i:])
		}
		part := name[i : i+size]
		switch {
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-/+,@:", r)):
			b.WriteString(part)
		case r >= utf8.RuneSelf && r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)) && Strip(part) == part:
			b.WriteString(part)
		default:
			for _, c := range []byte(part) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
	}
	return b.String()
}
