package cli

import (
	"strings"
	"testing"
)

// TestStyled: the colours of this program pass, and nothing else that a terminal would obey, however the text is cut.
func TestStyled(t *testing.T) {
	own := painter{on: true}
	for text, want := range map[string]string{
		own.bold("a") + " b\n":                  "\x1b[1ma\x1b[0m b\n",
		own.style("33", "?") + own.dim("(x)"):   "\x1b[33m?\x1b[0m\x1b[2m(x)\x1b[0m",
		"a" + rewriteLine + "b":                 "a^M^[[Kb",
		"a\x1b]52;c;UFdO\a\x1b[2J":              "a^[]52;c;UFdO^G^[[2J",
		own.bold("a\x1b[8mb") + "\x1b[31":       "\x1b[1ma^[[8mb\x1b[0m",
		"\x1b[1;35m\x1b[1;31mc\x1b[0m":          "^[[1;35m\x1b[1;31mc\x1b[0m",
		"x\u202ey \u009b2J \x1b\x1b[1mz\x1b[0m": "x<U+202E>y <U+009B>2J ^[\x1b[1mz\x1b[0m",
		"a\rb\r\n":                              "a^Mb\r\n",
	} {
		for size := 1; size <= len(text); size++ {
			var got strings.Builder
			w := &styled{to: &got}
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				if got, err := w.Write([]byte(rest[:n])); got != n || err != nil {
					t.Fatal(got, err)
				}
				rest = rest[n:]
			}
			if size == len(text) && got.String() != want {
				t.Errorf("%q is %q, want %q", text, got.String(), want)
			}
			if rest := strings.NewReplacer(pairs(ownStyles)...).Replace(got.String()); strings.ContainsAny(rest, "\x1b\a\u009b") {
				t.Errorf("%q in pieces of %d: %q", text, size, got.String())
			}
		}
	}
}

// pairs has every text replaced by nothing.
func pairs(list []string) (out []string) {
	for _, s := range list {
		out = append(out, s, "")
	}
	return out
}
