package jsontext

import "bytes"

// space skips white space.
func space(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	return at
}

// skip gives the offset after the value that starts at another, in a valid text.
func skip(text []byte, at int) int {
	depth := 0
	for {
		switch text[at] {
		case '"':
			at = skipString(text, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case ',', ':', ' ', '\n', '\r', '\t':
			at++
			continue
		default:
			for at < len(text) && !ends[text[at]] {
				at++
			}
		}
		if depth == 0 {
			return at
		}
	}
}

// ends are the bytes that end a number or a word.
var ends = [256]bool{',': true, ':': true, ']': true, '}': true, ' ': true, '\n': true, '\r': true, '\t': true}

func skipString(text []byte, at int) int {
	for at++; ; {
		next := at + bytes.IndexByte(text[at:], '"')
		back := next
		for back > at && text[back-1] == '\\' {
			back--
		}
		if at = next + 1; (next-back)%2 == 0 {
			return at
		}
	}
}
