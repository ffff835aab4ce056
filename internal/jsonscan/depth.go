package jsonscan

// deepest is how deep settings may be nested: parsers go down by calling themselves.
const deepest = 500

// TooDeep tells whether a text is nested deeper than any settings are, before somebody
// parses it. Brackets in strings count, too: settings have few.
func TooDeep(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > deepest {
			return true
		}
	}
	return false
}
