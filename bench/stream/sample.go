package stream

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
)

// sample gives a text that an expression of Go's matches; "" if chance finds none.
func sample(r *rand.Rand, pattern string) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	re := regexp.MustCompile(pattern)
	for range 100 {
		var b strings.Builder
		b.WriteString("a ")
		write(&b, r, tree)
		if text := b.String(); re.MatchString(text + " z") {
			return text + " z"
		}
	}
	return ""
}

// write writes something that a part of an expression matches.
func write(b *strings.Builder, r *rand.Rand, tree *syntax.Regexp) {
	repeat := func(least, most int) {
		if most < 0 {
			most = least + 2
		}
		for range least + r.IntN(min(most-least, 4)+1) {
			write(b, r, tree.Sub[0])
		}
	}
	switch tree.Op {
	case syntax.OpLiteral:
		b.WriteString(string(tree.Rune))
	case syntax.OpCharClass:
		var ascii []rune
		for i := 0; i < len(tree.Rune); i += 2 {
			for c := max(tree.Rune[i], ' '); c <= min(tree.Rune[i+1], '~'); c++ {
				ascii = append(ascii, c)
			}
		}
		if len(ascii) > 0 {
			b.WriteRune(ascii[r.IntN(len(ascii))])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(tree.Min, tree.Max)
	case syntax.OpAlternate:
		write(b, r, tree.Sub[r.IntN(len(tree.Sub))])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range tree.Sub {
			write(b, r, sub)
		}
	}
}
