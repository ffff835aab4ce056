// Package regextest writes random expressions and texts, for tests that compare the
// engines of package regex with each other and with those of others.
//
// Use [NewWriter] first.
package regextest

import (
	"math/rand/v2"
	"strings"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Writer makes random expressions of a dialect: mostly valid, mostly small, and
// over an alphabet that is small enough for matches to be common.
type Writer struct {
	*rand.Rand
	dialect syntax.Dialect
	Linear  bool // only what the automaton takes alone
	// Modern adds what ECMAScript has since 2025: modifiers, and groups of one name in
	// different alternatives.
	Modern bool
	groups int
}

// NewWriter gives a writer whose expressions and texts follow from the seed.
func NewWriter(seed uint64, dialect syntax.Dialect) *Writer {
	return &Writer{Rand: rand.New(rand.NewPCG(seed, 1)), dialect: dialect}
}

// Pick gives one of a list.
func (w *Writer) Pick(list ...string) string { return list[w.IntN(len(list))] }

// Expression gives one with groups at most depth deep.
func (w *Writer) Expression(depth int) string {
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

func (w *Writer) term(depth int) string {
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
		s += w.Pick("{0}", "{1}", "{2}", "{1,}", "{0,2}", "{2,3}", "{1,2}", "{,2}", "{")
	case 4:
		s += w.Pick("*?", "+?", "??", "{1,2}?", "{2,}?")
	}
	return s
}

func (w *Writer) assertion() string {
	if w.dialect == syntax.DotNet {
		return w.Pick("^", "$", `\b`, `\B`, `\A`, `\z`, `\Z`, `\G`)
	}
	return w.Pick("^", "$", `\b`, `\B`)
}

func (w *Writer) atom(depth int) string {
	if depth <= 0 || w.IntN(5) < 3 {
		return w.char()
	}
	if w.Modern && w.IntN(6) == 0 {
		return w.modern(depth)
	}
	sub := w.Expression(depth - 1)
	kinds := 3
	if !w.Linear {
		kinds = 10
		if w.dialect == syntax.DotNet {
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
		return w.Pick(`\1`, `\2`, `\1`, `\k<n>`)
	case 9:
		return "(?<n>" + sub + ")"
	case 10:
		return "(?>" + sub + ")"
	case 11:
		return "(?i:" + sub + ")"
	case 12:
		return "(?" + w.Pick("i", "m", "s", "x", "n", "i-s", "-i") + ")"
	case 13:
		return "(?(1)" + w.Pick("a", "b|", "c|d", "") + ")"
	case 14:
		return "(?(" + w.Pick("?=", "", "?!") + w.char() + ")" + w.Pick("a", "b|", "c|d") + ")"
	default:
		return "(?<n>" + sub + ")(?<" + w.Pick("", "m") + "-n>" + w.char() + ")"
	}
}

func (w *Writer) modern(depth int) string {
	sub := w.Expression(depth - 1)
	if !w.Linear && w.IntN(3) == 0 {
		return "(?:(?<m>" + sub + ")|(?<m>" + w.char() + ")|c)" + w.Pick(`\k<m>`, `\k<m>+`, "", `(?!\k<m>)`)
	}
	return "(?" + w.Pick("i", "m", "s", "-i", "-m", "-s", "i-s", "ms-i", "ims", "-ims", "i-", "ii", "i-i", "-", "x") + ":" + sub + ")"
}

func (w *Writer) char() string {
	if w.IntN(12) > 0 {
		return w.Pick("a", "b", "A", ".", `\w`, `\d`, `\s`, `\W`, `\n`, "[ab]", "[^a]", "é", "k", "-", "1", `[\w-]`, "[a-c1]", "_", " ", "ab", "a", "b")
	}
	if w.dialect == syntax.ECMAScript {
		return w.Pick(`\x41`, `\u00e9`, `[^]`, `[]`, `\cA`, `\c`, `[\b]`, `\0`, `\101`, `\8`, `[\d-z]`, `]`, `}`, `\k`, `\-`, `[\c0]`, `[-a]`, `[a-]`, "\u2028", "\ufeff", "ß", "ſ", "[b-a]", `\u{61}`, `\p{L}`, `[\S]`, `[^\s]`, `[\W_]`)
	}
	return w.Pick(`\x41`, `\u00e9`, `\cA`, `[]a]`, `[^]]`, `\0`, `\101`, `\e`, `[a-z-[b]]`, `[\w-[a]]`, `]`, `}`, `\-`, `[-a]`, `[a-]`, "\u2028", "ß", "ſ", "[b-a]", `\p{L}`, `\P{Lu}`, `\p{Nd}`, `[^\s]`, `[\W_]`, `(?#x)`, `#`, `[\d-]`, "[[:a:]b]", `\_`, `\y`, `[a\-c]`, `\a`)
}

// Text gives a short text over the alphabet of the expressions.
func (w *Writer) Text() string {
	var b strings.Builder
	for range w.IntN(9) {
		b.WriteString(w.Pick("a", "b", "A", "a", "b", "c", "1", " ", "\n", "é", "É", "k", "-", "_", "K", "ab", "aa", "\r", "\u2028", "ß", "ſ", "\x01", "\u212a", "\u0660", "\ufeff", "\\", "u", "{", "c", "B", "\x00", "8", "]"))
	}
	return b.String()
}
