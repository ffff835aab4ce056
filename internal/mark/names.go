package mark

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/internal/visible"
)

// list writes paths so that no comment can end in them, and nothing in them hides.
func list(paths []string) string {
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = escape(path)
	}
	return strings.Join(out, ", ")
}

func unlist(text string) []string {
	var out []string
	for item := range strings.SplitSeq(text, ", ") {
		if path, err := url.PathUnescape(item); err == nil && path != "" {
			out = append(out, path)
		}
	}
	return out
}

// escape keeps letters, digits and what is usual in the names of files; all else is written as percent and its bytes.
func escape(path string) string {
	var b strings.Builder
	before := rune(0)
	for i, r := range path {
		switch {
		case r == '-' && before == '-': // `--` ends a comment in some readers
			b.WriteString("%2D")
			before = 0
			continue
		case r < unicode.MaxASCII && strings.ContainsRune("._/-+@~=", r), unicode.In(r, unicode.L, unicode.N) && r != unicode.ReplacementChar && visible.Strip(string(r)) != "":
			b.WriteRune(r)
		default:
			size := len(string(r))
			if r == unicode.ReplacementChar && !strings.HasPrefix(path[i:], string(r)) {
				size = 1 // a byte that is no character
			}
			for _, c := range []byte(path[i : i+size]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		before = r
	}
	return b.String()
}
