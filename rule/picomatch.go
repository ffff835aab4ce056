package rule

import "strings"

// picomatchPieces writes a glob of picomatch 4 in the language that is matched here: a group needs no sign before it there, bars stand
// between whole globs as well, and `[!a]` is one of these two characters. `**` is what it is at the beginning of the whole glob alone:
// after a bar it is `*`, and in a group there must be a folder.
func picomatchPieces(text string) []string {
	if !strings.HasPrefix(text, "*") && !strings.HasPrefix(text, "!") && !strings.ContainsAny(text, `/()[]{}"`) {
		return []string{text} // a simple one, in which a bar is a bar
	}
	var out []string
	var b strings.Builder
	open := 0 // groups and braces
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			b.WriteByte(c)
			if i++; i < len(text) {
				b.WriteByte(text[i])
			}
		case '[':
			end := strings.IndexByte(text[i:], ']')
			if end < 0 {
				b.WriteByte(c)
				continue
			}
			class := text[i : i+end+1]
			if strings.HasPrefix(class, "[!") && len(class) > 3 {
				class = `[\!` + class[2:]
			}
			b.WriteString(class)
			i += end
		case '(':
			if open++; closedGroup(text[i:]) && (i == 0 || strings.IndexByte("@?*+!", text[i-1]) < 0) {
				b.WriteByte('@')
				if strings.HasPrefix(text[i+1:], "**/") {
					b.WriteString("(*/")
					continue
				}
			}
			b.WriteByte(c)
		case '{':
			open++
			b.WriteByte(c)
		case ')', '}':
			open--
			b.WriteByte(c)
		case '|':
			if open == 0 && b.Len() > 0 && i+1 < len(text) {
				out = append(out, b.String())
				b.Reset()
				if strings.HasPrefix(text[i+1:], "**/") {
					i++
				}
				continue
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return append(out, b.String())
}

// closedGroup tells whether the parenthesis that a text begins with is closed.
func closedGroup(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return true
			}
		}
	}
	return false
}
