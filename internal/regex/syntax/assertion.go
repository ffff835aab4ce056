package syntax

import "unicode/utf8"

// Assertion is a condition on a boundary between two characters. Each depends only
// on the character before and the one after, and for EndFinal on whether that
// one is the last, which is what keeps them within a linear-time automaton.
type Assertion uint8

const (
	BeginText            Assertion = iota
	EndText                        // the very end
	EndFinal                       // the end, or before a line feed that is the last character: .NET's $ and \Z
	BeginLine                      // the start, or after a line feed
	EndLine                        // the end, or before a line feed
	BeginLineAny                   // the start, or after any of ECMAScript's line terminators
	EndLineAny                     // the end, or before any of them
	WordBoundaryASCII              // between a character of [0-9A-Za-z_] and another, or an end
	NotWordBoundaryASCII           //
	WordBoundary                   // the same over Unicode's letters, marks, digits, connectors and the two joiners
	NotWordBoundary                //
)

// NoRune stands for the character before the start and after the end of a text.
const NoRune rune = -1

// Holds decides the assertion between two characters. last says that nothing
// follows after; it matters for EndFinal alone.
func (a Assertion) Holds(before, after rune, last bool) bool {
	switch a {
	case BeginText:
		return before == NoRune
	case EndText:
		return after == NoRune
	case EndFinal:
		return after == NoRune || last && after == '\n'
	case BeginLine:
		return before == NoRune || before == '\n'
	case EndLine:
		return after == NoRune || after == '\n'
	case BeginLineAny:
		return before == NoRune || IsLineEnd(before)
	case EndLineAny:
		return after == NoRune || IsLineEnd(after)
	case WordBoundaryASCII:
		return IsWordASCII(before) != IsWordASCII(after)
	case NotWordBoundaryASCII:
		return IsWordASCII(before) == IsWordASCII(after)
	case WordBoundary:
		return IsNameRune(before) != IsNameRune(after)
	default:
		return IsNameRune(before) == IsNameRune(after)
	}
}

// IsWordASCII says whether r is part of a word for ECMAScript: a letter or digit of ASCII,
// or an underscore.
func IsWordASCII(r rune) bool {
	return 0 <= r && r < utf8.RuneSelf && (r == '_' || isDigit(byte(r)) || isLetter(byte(r)))
}

// IsNameRune says whether r is part of a word for .NET's \b, or of a group's
// name, which is the same and also what makes an unknown escape an error.
func IsNameRune(r rune) bool {
	if r < utf8.RuneSelf {
		return IsWordASCII(r)
	}
	return boundaryWord().Contains(r)
}

// IsLineEnd says whether r ends a line in ECMAScript.
func IsLineEnd(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029
}
