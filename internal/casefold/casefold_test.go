package casefold_test

import (
	"testing"
	"unicode"

	"github.com/pertain-dev/pertain/internal/casefold"
)

// TestRune holds that what simple folding takes for equal has one form, and
// what it keeps apart has two.
func TestRune(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		folded := casefold.Rune(r)
		if casefold.Rune(folded) != folded {
			t.Fatalf("%U folds to %U, which folds on", r, folded)
		}
		if next := unicode.SimpleFold(r); casefold.Rune(next) != folded {
			t.Fatalf("%U and %U are equal and fold to %U and %U", r, next, folded, casefold.Rune(next))
		}
		same := folded == r
		for c := unicode.SimpleFold(r); c != r; c = unicode.SimpleFold(c) {
			same = same || c == folded
		}
		if !same {
			t.Fatalf("%U folds to %U, which is not equal to it", r, folded)
		}
	}
}
