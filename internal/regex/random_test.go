package regex_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
)

// writer makes random expressions of a dialect: mostly valid, mostly small, and
// over an alphabet that is small enough for matches to be common.
type writer struct {
	*rand.Rand
	dialect regex.Dialect
	linear  bool // only what the automaton takes alone
	groups  int
}

func newWriter(seed uint64, dialect regex.Dialect) *writer {
	return &writer{Rand: rand.New(rand.NewPCG(seed, 1)), dialect: dialect}
}

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

func (w *writer) expression(depth int) string {
	var b strings.Builder
	for i := range 1 + w.IntN(3) {
		if i > 0 {
			b.WriteByte('|')
		}
		for range w.IntN(4) {
			b.WriteString(w.term(depth))
		}
		if w.IntN(3) > 0 {
			break
		}
	}
	return b.String()
}

func (w *writer) term(depth int) string {
	if w.IntN(9) == 0 {
		return w.assertion()
	}
	s := w.atom(depth)
	switch w.IntN(14) {
	case 0:
		s += "*"
	case 1:
		s += "+"
	case 2:
		s += "?"
	case 3:
		s += w.pick("{0}", "{1}", "{2}", "{1,}", "{0,2}", "{2,3}", "{1,2}", "{,2}", "{")
	case 4:
		s += w.pick("*?", "+?", "??", "{1,2}?", "{2,}?")
	}
	return s
}

func (w *writer) assertion() string {
	if w.dialect == regex.DotNet {
		return w.pick("^", "$", `\b`, `\B`, `\A`, `\z`, `\Z`, `\G`)
	}
	return w.pick("^", "$", `\b`, `\B`)
}

func (w *writer) atom(depth int) string {
	if depth <= 0 || w.IntN(5) < 3 {
		return w.char()
	}
	sub := w.expression(depth - 1)
	kinds := 3
	if !w.linear {
		kinds = 10
		if w.dialect == regex.DotNet {
			kinds = 16
		}
	}
	switch w.IntN(kinds) {
	case 0:
		w.groups++
		return "(" + sub + ")"
	case 1, 2:
		return "(?:" + sub + ")"
	case 3:
		return "(?=" + sub + ")"
	case 4:
		return "(?!" + sub + ")"
	case 5:
		return "(?<=" + sub + ")"
	case 6:
		return "(?<!" + sub + ")"
	case 7, 8:
		return w.pick(`\1`, `\2`, `\1`, `\k<n>`)
	case 9:
		return "(?<n>" + sub + ")"
	case 10:
		return "(?>" + sub + ")"
	case 11:
		return "(?i:" + sub + ")"
	case 12:
		return "(?" + w.pick("i", "m", "s", "x", "n", "i-s", "-i") + ")"
	case 13:
		return "(?(1)" + w.pick("a", "b|", "c|d", "") + ")"
	case 14:
		return "(?(" + w.pick("?=", "", "?!") + w.char() + ")" + w.pick("a", "b|", "c|d") + ")"
	default:
		return "(?<n>" + sub + ")(?<" + w.pick("", "m") + "-n>" + w.char() + ")"
	}
}

func (w *writer) char() string {
	if w.IntN(12) > 0 {
		return w.pick("a", "b", "A", ".", `\w`, `\d`, `\s`, `\W`, `\n`, "[ab]", "[^a]", "é", "k", "-", "1", `[\w-]`, "[a-c1]", "_", " ", "ab", "a", "b")
	}
	if w.dialect == regex.ECMAScript {
		return w.pick(`\x41`, `\u00e9`, `[^]`, `[]`, `\cA`, `\c`, `[\b]`, `\0`, `\101`, `\8`, `[\d-z]`, `]`, `}`, `\k`, `\-`, `[\c0]`, `[-a]`, `[a-]`, "\u2028", "\ufeff", "ß", "ſ", "[b-a]", `\u{61}`, `\p{L}`, `[\S]`, `[^\s]`, `[\W_]`)
	}
	return w.pick(`\x41`, `\u00e9`, `\cA`, `[]a]`, `[^]]`, `\0`, `\101`, `\e`, `[a-z-[b]]`, `[\w-[a]]`, `]`, `}`, `\-`, `[-a]`, `[a-]`, "\u2028", "ß", "ſ", "[b-a]", `\p{L}`, `\P{Lu}`, `\p{Nd}`, `[^\s]`, `[\W_]`, `(?#x)`, `#`, `[\d-]`, "[[:a:]b]", `\_`, `\y`, `[a\-c]`, `\a`)
}

func (w *writer) text() string {
	var b strings.Builder
	for range w.IntN(9) {
		b.WriteString(w.pick("a", "b", "A", "a", "b", "c", "1", " ", "\n", "é", "É", "k", "-", "_", "K", "ab", "aa", "\r", "\u2028", "ß", "ſ", "\x01", "\u212a", "\u0660", "\ufeff", "\\", "u", "{", "c", "B", "\x00", "8", "]"))
	}
	return b.String()
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
