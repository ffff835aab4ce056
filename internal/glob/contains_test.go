package glob_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/casefold"
	"github.com/pertain-dev/pertain/internal/glob"
)

func TestContainsFolded(t *testing.T) {
	for _, c := range []struct {
		text, part string
		want       bool
	}{
		{"", "", true},
		{"", "a", false},
		{"a", "", true},
		{"a", "ab", false},
		{"Zebra", "zebra", true},
		{"xZEBRAx", "zebra", true},
		{"zebr", "zebra", false},
		{"ebra", "zebra", false},
		{"zzebra", "zebra", true},
		{"ZzEBRA", "zebra", true},
		{"a1A1a2", "a2", true},
		{"[1]", "{1}", false}, // brackets and braces differ in the bit that letters' cases differ in
		{"@", "`", false},
		{"a b", "a b", true},
		{"A  B", "a b", false},
		{"École", "éc", true},
		{"École", "cole", true},
		{"10 \u212A", "0 k", true}, // Kelvin
		{"le\u017Fs", "less", true},
		{"les\xFFs", "s\xFFs", true},
	} {
		if got := glob.ContainsFolded(c.text, c.part, glob.Plain(c.text)); got != c.want {
			t.Errorf("ContainsFolded(%q, %q) = %v", c.text, c.part, got)
		}
	}
}

// TestFoldedAtRandom holds the ways of folding together: the text eight bytes at a time, onto a buffer, and parts of
// it that are looked for without folding.
func TestFoldedAtRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	pieces := strings.Split("a b c k s K S A B Z [ ] { } @ ` 0 9 . é É ß İ ı \u212A \u017F 漢 \xFF \xC3", " ")
	text := func(n int) string {
		var b strings.Builder
		for range r.IntN(n + 1) {
			if r.IntN(12) == 0 {
				b.WriteString(pieces[r.IntN(len(pieces))])
			} else { // long runs of ASCII
				b.WriteString(pieces[r.IntN(19)])
			}
		}
		return b.String()
	}
	for range 20000 {
		s := text(300 + 1200*(r.IntN(8)/7)) // long ones are asked which byte is rare
		var want strings.Builder
		for _, char := range strings.SplitAfter(s, "") {
			if folded := casefold.Rune([]rune(char)[0]); len(char) > 1 || char[0] < 0x80 {
				want.WriteRune(folded)
			} else {
				want.WriteString(char) // no UTF-8
			}
		}
		folded := glob.Fold(s)
		if folded != want.String() {
			t.Fatalf("Fold(%q) = %q, want %q", s, folded, want.String())
		}
		if got := string(glob.AppendFold([]byte("x"), s)); got != "x"+folded {
			t.Fatalf("AppendFold of %q = %q", s, got)
		}
		part := glob.Fold(text(4))
		if from := r.IntN(len(folded) + 1); r.IntN(2) == 0 {
			part = folded[from:min(len(folded), from+r.IntN(6))]
		}
		if got := glob.ContainsFolded(s, part, glob.Plain(s)); got != strings.Contains(folded, part) {
			t.Fatalf("ContainsFolded(%q, %q) = %v", s, part, got)
		}
	}
}

// A text that is nearly the part everywhere, and full of its rarest byte, would take the product of both lengths, which is minutes here.
func TestContainsLongParts(t *testing.T) {
	run := strings.Repeat("z", 200_000)
	for _, c := range []struct {
		text, part string
		want       bool
	}{
		{strings.Repeat("z", 2_000_000), run + "y", false},
		{strings.Repeat("zZ", 1_000_000), run + "y", false},
		{strings.Repeat("z", 2_000_000) + "y", run + "y", true},
		{strings.Repeat("z", 2_000_000), "y" + run, false},
		{"y" + strings.Repeat("Z", 2_000_000), "y" + run, true},
		{strings.Repeat("zy", 1_000_000), strings.Repeat("zy", 100_000) + "zz", false},
	} {
		if got := glob.ContainsFolded(c.text, c.part, true); got != c.want {
			t.Errorf("ContainsFolded of %d bytes in %d = %v", len(c.part), len(c.text), got)
		}
	}
}
