package regex

// context is what assertions need to know of the character before.
type context uint8

const (
	atBegin context = 1 << iota
	afterWord
	afterLineEnd
)

// contexts are those that a place can have.
var contexts = [...]context{0, atBegin, afterWord, afterLineEnd}

// rune gives a character that stands for a context.
func (c context) rune() rune {
	switch c {
	case atBegin:
		return NoRune
	case afterWord:
		return 'a'
	case afterLineEnd:
		return '\n'
	default:
		return ' '
	}
}
