package syntax

import (
	"sync"
	"unicode"
)

// The sets that escapes name. Each is worked out once, when first needed.
var (
	asciiDigits = fixedSet('0', '9')
	ASCIIWord   = fixedSet('0', '9', 'A', 'Z', '_', '_', 'a', 'z')
	// ecmaSpace is ECMAScript's WhiteSpace and LineTerminator.
	ecmaSpace = fixedSet(9, 13, ' ', ' ', 0xA0, 0xA0, 0x1680, 0x1680, 0x2000, 0x200A,
		0x2028, 0x2029, 0x202F, 0x202F, 0x205F, 0x205F, 0x3000, 0x3000, 0xFEFF, 0xFEFF)
	ecmaLineEnds = fixedSet('\n', '\n', '\r', '\r', 0x2028, 0x2029)
	lineFeed     = fixedSet('\n', '\n')
	everything   = fixedSet(0, unicode.MaxRune)

	unicodeDigits = sync.OnceValue(func() RuneSet { return tableSet(unicode.Nd) })
	unicodeSpace  = sync.OnceValue(func() RuneSet { return tableSet(unicode.White_Space) })
	unicodeWord   = sync.OnceValue(func() RuneSet {
		return tableSet(unicode.L, unicode.Mn, unicode.Nd, unicode.Pc)
	})
	casedLetters = sync.OnceValue(func() RuneSet {
		return tableSet(unicode.Lu, unicode.Ll, unicode.Lt)
	})
	// boundaryWord is what \b takes for a word in .NET: \w and the two joiners.
	boundaryWord = sync.OnceValue(func() RuneSet {
		return NewRuneSet(append([]rune{0x200C, 0x200D}, unicodeWord()...))
	})
	// categories are the general categories by name.
	categories = sync.OnceValue(func() map[string]func() RuneSet {
		sets := make(map[string]func() RuneSet, len(unicode.Categories))
		for name, table := range unicode.Categories {
			sets[name] = sync.OnceValue(func() RuneSet { return tableSet(table) })
		}
		return sets
	})
)

func fixedSet(pairs ...rune) func() RuneSet {
	set := RuneSet(pairs)
	return func() RuneSet { return set }
}

// property gives the set of .NET's \p{name}: a general category or a block.
// Other than in Perl, scripts have no names there.
func property(name string) (func() RuneSet, bool) {
	if len(name) <= 2 {
		set, ok := categories()[name]
		return set, ok && name != "LC"
	}
	for _, block := range blocks {
		if block.name == name {
			return fixedSet(block.low, block.high), true
		}
	}
	return nil, false
}
