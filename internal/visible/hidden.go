package visible

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what sort of characters hide.
type Kind uint8

const (
	Control   Kind = iota // C0 and C1 controls but for white space: they steer terminals
	Direction             // bidirectional controls: they reorder what is shown
	ZeroWidth             // they show nothing
	Tag                   // they spell a text that no font shows
	Private               // characters for private use in a row: only who made them knows what they say
)

// String names the characters, in the plural.
func (k Kind) String() string {
	switch k {
	case Control:
		return "control characters"
	case Direction:
		return "bidirectional controls"
	case Tag:
		return "tag characters"
	case Private:
		return "characters for private use"
	}
	return "invisible characters"
}

// Run is a row of hidden characters of one kind.
type Run struct {
	Start, End int // bytes
	Count      int // characters
	Kind       Kind
}

// Hidden gives the rows of characters in a text that no reader can see, in order.
func Hidden(text string) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		var run Run
		var said channel
		counted := false
		for i := 0; i < len(text); {
			c := text[i]
			if c >= ' ' && c < 0x7F {
				i++
				continue
			}
			r, size := int(c), 1
			if c >= utf8.RuneSelf {
				r, size = decode(text[i:])
			}
			kind, ok := hides(text, i, rune(r), size)
			if !ok && r >= 0x2028 {
				kind, ok = blanks(text, i, rune(r), size)
			}
			if !ok && isSelector(rune(r)) {
				if !counted { // most texts have none
					said, counted = channels(text), true
				}
				before, _ := utf8.DecodeLastRuneInString(text[:i])
				kind, ok = ZeroWidth, said.carries(rune(r), before)
			}
			if ok && run.Count > 0 && run.Kind == kind && run.End == i {
				run.End, run.Count = i+size, run.Count+1
			} else if ok {
				if run.Count > 0 && !yield(run) {
					return
				}
				run = Run{Start: i, End: i + size, Count: 1, Kind: kind}
			}
			i += size
		}
		if run.Count > 0 {
			yield(run)
		}
	}
}

func decode(text string) (r, size int) {
	c, size := utf8.DecodeRuneInString(text)
	return int(c), size
}

// Strip leaves out what no reader can see, and puts U+FFFD for what is no UTF-8.
// Most texts come back as they are.
func Strip(text string) string {
	if !utf8.ValidString(text) { // else two broken characters could come together to a whole one
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return without(text, func(Run) bool { return true })
}

// StripUnseen leaves out what [Strip] does, but for control characters: a program that reads a text from another gets its
// escape sequences as the bytes that they are, and nothing that spells what no terminal would show.
func StripUnseen(text string) string {
	return without(text, func(run Run) bool { return run.Kind != Control })
}

// without leaves out the hidden rows that it is told to.
func without(text string, leaves func(Run) bool) string {
	var b strings.Builder
	done := 0
	for run := range Hidden(text) {
		if !leaves(run) {
			continue
		}
		b.WriteString(text[done:run.Start])
		done = run.End
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// hides tells whether the character at an offset is one that no reader can see,
// there, and of what kind.
func hides(text string, at int, r rune, size int) (Kind, bool) {
	if isControl(r) {
		return Control, vanishes(r)
	}
	if r == 0xFEFF && at == 0 {
		return 0, false // a byte order mark
	}
	if !ignorable(r) {
		return ZeroWidth, formless(r)
	}
	c := neighbours(text, at, size)
	switch {
	case isDirection(r):
		return Direction, !isMark(r) || ignorable(c.before) || ignorable(c.after) || !c.rightToLeft()
	case r >= 0xE0020 && r <= 0xE007F:
		return Tag, !inFlag(text, at)
	case r == 0x200D && c.inEmoji(), isSelector(r) && selects(r, c):
		return 0, false
	case vanishes(c.before) || vanishes(c.after): // a row of them is no text in any script
		return ZeroWidth, true
	case r == 0x200C || r == 0x200D:
		return ZeroWidth, !c.shapes(r)
	case r == 0x200B:
		return ZeroWidth, max(c.before, c.after) < 0x0E00 || !unicode.In(c.before, unspaced...) && !unicode.In(c.after, unspaced...)
	case r == 0x034F:
		return ZeroWidth, !unicode.Is(unicode.M, c.before)
	case r == 0x115F || r == 0x1160:
		return ZeroWidth, !isJamo(c.before) && !isJamo(c.after)
	}
	return ZeroWidth, true
}

// vanishes finds what can be missing when a text is shown, so that it is no neighbour.
func vanishes(r rune) bool { return ignorable(r) || isControl(r) && (r < '\t' || r > '\r') }

func isControl(r rune) bool { return r < ' ' || r >= 0x7F && r <= 0x9F }

// isDirection finds the characters that reorder what follows them.
func isDirection(r rune) bool {
	return isMark(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// isMark finds the direction marks, which texts in Arabic and Hebrew use; the
// others embed, override and isolate.
func isMark(r rune) bool { return r == 0x200E || r == 0x200F || r == 0x061C }

// ignorable finds the characters that show nothing by themselves: Unicode's
// Default_Ignorable_Code_Point, and the marks of interlinear annotations.
func ignorable(r rune) bool {
	switch { // ranges, since every character of a text is asked about
	case r < 0xAD:
		return false
	case r < 0x2000:
		return r == 0xAD || r == 0x034F || r == 0x061C || r == 0x115F || r == 0x1160 || r == 0x17B4 || r == 0x17B5 || r >= 0x180B && r <= 0x180F
	case r < 0x3000:
		return r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F
	case r < 0x10000:
		return r == 0x3164 || r >= 0xFE00 && r <= 0xFE0F || r == 0xFEFF || r == 0xFFA0 || r >= 0xFFF0 && r <= 0xFFFB
	}
	return r >= 0xE0000 && r <= 0xE0FFF || r >= 0x1BCA0 && r <= 0x1BCA3 || r >= 0x1D173 && r <= 0x1D17A
}
