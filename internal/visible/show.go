package visible

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Show makes visible what would move the cursor of a terminal, colour it, talk to
// it, reorder its line or show nothing: ^[ for an escape, <U+202E> for others, <9B>
// for a byte that is no text. Line breaks and tabs stay.
func Show(text string) string {
	var b strings.Builder
	done := show(&b, text, 0, len(text))
	b.WriteString(text[done:])
	return b.String()
}

// show writes a part of a text as [Show] gives it, and returns how far it came:
// what is left of the part can be copied as it is.
func show(b *strings.Builder, text string, from, to int) (done int) {
	done = from
	for i := from; i < to; {
		if c := text[i]; c >= ' ' && c < 0x7F {
			i++
			continue
		}
		r, size := decode(text[i:])
		mark, ok := sign(text, i, rune(r), size)
		if ok {
			b.WriteString(text[done:i])
			b.WriteString(mark)
			done = i + size
		}
		i += size
	}
	return done
}

// sign is what a terminal is given for the character at an offset; ok is false if
// that is the character itself.
func sign(text string, at int, r rune, size int) (mark string, ok bool) {
	switch {
	case r == '\n' || r == '\t' || r == '\r' && strings.HasPrefix(text[at+size:], "\n"):
		return "", false
	case r < ' ' || r == 0x7F:
		return "^" + string(r^0x40), true
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("<%02X>", text[at]), true
	case r == 0x2028 || r == 0x2029:
	case r < 0x80:
		return "", false
	default:
		if _, hidden := hides(text, at, r, size); !hidden {
			return "", false
		}
	}
	return fmt.Sprintf("<U+%04X>", r), true
}

// Line makes a name or a sentence safe in a line of our own: each character that
// breaks the line, steers a terminal or shows nothing becomes U+FFFD.
func Line(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7F }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		if rune(r) == utf8.RuneError || Breaks(s, i, rune(r), size) {
			b.WriteRune(utf8.RuneError)
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// Breaks tells whether the character at an offset must not stand in a line of our
// own as it is. A tab is one of them.
func Breaks(text string, at int, r rune, size int) bool {
	if isControl(r) || r == 0x2028 || r == 0x2029 {
		return true
	}
	_, hidden := hides(text, at, r, size)
	return hidden || r == 0xFEFF
}
