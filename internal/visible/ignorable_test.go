package visible

import (
	"testing"
	"unicode"
)

// TestIgnorable: the ranges are those of Unicode's tables, and what else shows
// nothing; U+061C alone is in no table but that of bidirectional controls.
func TestIgnorable(t *testing.T) {
	more := func(r rune) bool {
		return r == 0xAD || r >= 0x200B && r <= 0x200D || r >= 0x2060 && r <= 0x206F || r == 0xFEFF || r >= 0xFFF9 && r <= 0xFFFB || r == 0x180E ||
			r >= 0x1BCA0 && r <= 0x1BCA3 || r >= 0x1D173 && r <= 0x1D17A || r >= 0xE0000 && r <= 0xE0FFF
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.In(r, unicode.Bidi_Control, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || more(r)
		if ignorable(r) != want {
			t.Errorf("%U: %v", r, !want)
		}
		if isDirection(r) != unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%U: direction %v", r, isDirection(r))
		}
	}
}
