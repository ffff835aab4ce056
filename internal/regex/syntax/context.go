package syntax

// Context is what assertions need to know of the character before.
type Context uint8

const (
	AtBegin Context = 1 << iota
	AfterWord
	AfterLineEnd
)

// Contexts are those that a boundary can have.
var Contexts = [...]Context{0, AtBegin, AfterWord, AfterLineEnd}

// Rune gives a character that stands for a context.
func (c Context) Rune() rune {
	switch c {
	case AtBegin:
		return NoRune
	case AfterWord:
		return 'a'
	case AfterLineEnd:
		return '\n'
	default:
		return ' '
	}
}
