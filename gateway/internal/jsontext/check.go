package jsontext

import "strings"

// maxDepth is how deep values may be nested: as deep as encoding/json has it.
const maxDepth = 10_000

// check gives the offset after the value that starts at another; ok is false if there is
// none that encoding/json would take. Events are many and short, and most of the time
// that they took was spent on this.
func check(text []byte, at, depth int) (_ int, ok bool) {
	if at >= len(text) || depth > maxDepth {
		return at, false
	}
	switch text[at] {
	case '{':
		return checkList(text, at, depth, '}', true)
	case '[':
		return checkList(text, at, depth, ']', false)
	case '"':
		return checkString(text, at)
	case 't':
		return checkWord(text, at, "true")
	case 'f':
		return checkWord(text, at, "false")
	case 'n':
		return checkWord(text, at, "null")
	}
	return checkNumber(text, at)
}

// checkList checks an object or an array.
func checkList(text []byte, at, depth int, end byte, keys bool) (_ int, ok bool) {
	if at = space(text, at+1); at < len(text) && text[at] == end {
		return at + 1, depth < maxDepth
	}
	for {
		if keys {
			if at >= len(text) || text[at] != '"' {
				return at, false
			}
			if at, ok = checkString(text, at); !ok {
				return at, false
			}
			if at = space(text, at); at >= len(text) || text[at] != ':' {
				return at, false
			}
			at = space(text, at+1)
		}
		if at, ok = check(text, at, depth+1); !ok {
			return at, false
		}
		if at = space(text, at); at >= len(text) {
			return at, false
		}
		switch text[at] {
		case end:
			return at + 1, true
		case ',':
			at = space(text, at+1)
		default:
			return at, false
		}
	}
}

func checkWord(text []byte, at int, word string) (_ int, ok bool) {
	if len(text)-at < len(word) || string(text[at:at+len(word)]) != word {
		return at, false
	}
	return at + len(word), true
}

func checkString(text []byte, at int) (_ int, ok bool) {
	for at++; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			return at + 1, true
		case c < ' ':
			return at, false
		case c == '\\':
			if at++; at >= len(text) {
				return at, false
			}
			if text[at] != 'u' {
				if strings.IndexByte(`"\/bfnrt`, text[at]) < 0 {
					return at, false
				}
				continue
			}
			if len(text)-at < 5 {
				return at, false
			}
			for _, digit := range text[at+1 : at+5] {
				if !isDigit(digit) && (digit|' ' < 'a' || digit|' ' > 'f') {
					return at, false
				}
			}
			at += 4
		}
	}
	return at, false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func checkNumber(text []byte, at int) (_ int, ok bool) {
	digits := func() bool {
		from := at
		for at < len(text) && isDigit(text[at]) {
			at++
		}
		return at > from
	}
	if text[at] == '-' {
		at++
	}
	if at < len(text) && text[at] == '0' {
		at++
	} else if !digits() {
		return at, false
	}
	if at < len(text) && text[at] == '.' {
		if at++; !digits() {
			return at, false
		}
	}
	if at < len(text) && text[at]|' ' == 'e' {
		if at++; at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		if !digits() {
			return at, false
		}
	}
	return at, true
}

// escaped are the characters that one letter stands for.
var escaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// plain gives the text of the inside of a valid string; ok is false if characters in it are
// written as numbers.
func plain(inside []byte) (_ string, ok bool) {
	var b strings.Builder
	b.Grow(len(inside))
	for i := 0; i < len(inside); i++ {
		c := inside[i]
		if c == '\\' {
			i++
			if c = escaped[inside[i]]; c == 0 {
				return "", false
			}
		}
		b.WriteByte(c)
	}
	return b.String(), true
}
