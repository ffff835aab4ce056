package stream_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// writer makes random expressions and texts over an alphabet that is small enough
// for matches to be common.
type writer struct {
	*rand.Rand
	linear bool // only what the automaton decides alone
	// What ECMAScript has since 2025: modifiers, and groups of one name in different
	// alternatives.
	modifiers, duplicates bool
	groups                int
	names                 int
}

func newWriter(seed uint64) *writer { return &writer{Rand: rand.New(rand.NewPCG(seed, 5))} }

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

// expression gives a pattern, one in six with a leading group of flags.
func (w *writer) expression() string {
	w.groups = 0
	s := w.branches(3)
	if w.IntN(6) == 0 {
		return w.pick("(?i)", "(?m)", "(?s)", "(?im)", "(?ms)") + s
	}
	return s
}

func (w *writer) branches(depth int) string {
	var b strings.Builder
	for i := range 1 + w.IntN(3) {
		if i > 0 {
			b.WriteByte('|')
		}
		for range 1 + w.IntN(5) {
			b.WriteString(w.term(depth))
		}
		if w.IntN(3) > 0 {
			break
		}
	}
	return b.String()
}

func (w *writer) term(depth int) string {
	if w.IntN(8) == 0 {
		return w.pick("^", "$", `\b`, `\B`)
	}
	s := w.atom(depth)
	switch w.IntN(12) {
	case 0:
		s += "*"
	case 1:
		s += "+"
	case 2:
		s += "?"
	case 3:
		s += w.pick("{0}", "{1}", "{2}", "{1,}", "{0,2}", "{2,3}", "{1,2}", "{3,}")
	case 4:
		s += w.pick("*?", "+?", "??", "{1,2}?", "{2,}?")
	}
	return s
}

func (w *writer) atom(depth int) string {
	if depth <= 0 || w.IntN(5) < 3 {
		return w.char()
	}
	if w.duplicates && !w.linear && w.IntN(12) == 0 {
		w.names++
		n := fmt.Sprintf("n%d>", w.names)
		return "(?:(?<" + n + w.branches(depth-1) + ")|(?<" + n + w.char() + "))" + w.pick(`\k<`+n, "")
	}
	if w.modifiers && w.IntN(8) == 0 {
		return w.pick("(?i:", "(?m:", "(?s:", "(?-i:", "(?i-m:", "(?ms-i:") + w.branches(depth-1) + ")"
	}
	kinds := 9
	if w.linear {
		kinds = 3
	}
	switch w.IntN(kinds) {
	case 0:
		w.groups++
		return "(" + w.branches(depth-1) + ")"
	case 1, 2:
		return "(?:" + w.branches(depth-1) + ")"
	case 3:
		return "(?=" + w.branches(depth-1) + ")"
	case 4, 5:
		return "(?!" + w.branches(depth-1) + ")"
	case 6:
		return "(?<=" + w.branches(depth-1) + ")"
	case 7:
		return "(?<!" + w.branches(depth-1) + ")"
	default:
		return w.pick(`\1`, `\2`)
	}
}

func (w *writer) char() string {
	return w.pick("a", "b", "a", "b", "ab", "ba", "c", ".", `\w`, `\d`, `\s`, `\W`, `\n`, "[ab]", "[^a]", "é", "-", "1", `[\w-]`, "[a-c1]", "_", " ", "ü", "\u2028", "[^]")
}

func (w *writer) text() string {
	var b strings.Builder
	for range w.IntN(12) {
		b.WriteString(w.pick("a", "b", "a", "b", "c", "1", " ", "\n", "é", "A", "-", "_", "ab", "ba", "\r", "\u2028", "ü", "x"))
	}
	return b.String()
}

// broken gives a text with bytes that are not UTF-8.
func (w *writer) broken() string {
	s := []byte(w.text())
	for range 1 + w.IntN(3) {
		at := w.IntN(len(s) + 1)
		s = append(s[:at], append([]byte(w.pick("\xff", "\xe2", "\xe2\x80", "\x80", "\xc3", "\xf0\x9f", "\xf0\x9f\x98\x80", "\xed\xa0\x80")), s[at:]...)...)
	}
	return string(s)
}

// pieces cuts a text at random, in the middle of characters too.
func (w *writer) pieces(text string) []string {
	var out []string
	for len(text) > 0 {
		n := min(1+w.IntN(1+w.IntN(8)), len(text))
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

// rounds gives how often to try something at random: less in short tests, and still
// less with the race detector, which is not what random expressions are for.
func rounds(normal int) int {
	switch {
	case raceEnabled:
		return max(normal/20, 1)
	case testing.Short():
		return max(normal/8, 1)
	default:
		return normal
	}
}
