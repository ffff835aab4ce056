package jsontext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLenient is how deep values of a text may be nested that is no JSON; what is deeper becomes a string.
const maxLenient = 256

// Lenient makes JSON of a text that is none, but that some parsers read: with NaN and other words, comments, other quotes and
// control characters in strings, without quotes or commas, or nested deeper than others go. Of what follows the value the
// text is given as rest. ok is false if the text is nothing like an object or a list.
func Lenient(text []byte) (json, rest []byte, ok bool) {
	l := &lenient{text: text}
	l.blanks()
	if l.at >= len(text) || text[l.at] != '{' && text[l.at] != '[' {
		return nil, nil, false
	}
	for first := true; l.at < len(text) && (first || len(l.open) > 0); first = false {
		l.token()
		l.blanks()
	}
	for len(l.open) > 0 {
		l.close()
	}
	return l.out, text[l.at:], true
}

// lenient is a text that is made JSON.
type lenient struct {
	text []byte
	at   int
	out  []byte
	open []opened
}

// opened is an object or a list of what is made.
type opened struct {
	object bool
	keyed  bool // a key waits for its value
	some   bool
}

// token takes what is next.
func (l *lenient) token() {
	switch c := l.text[l.at]; c {
	case '{', '[':
		if len(l.open) >= maxLenient {
			l.scalar(Quote(l.deep()))
			return
		}
		l.begin(nil)
		l.out = append(l.out, c)
		l.open = append(l.open, opened{object: c == '{'})
		l.at++
	case '}', ']':
		l.close()
		l.at++
	case ',', ';':
		if top := &l.open[len(l.open)-1]; top.keyed {
			top.keyed = false
			l.out = append(l.out, "null"...)
		}
		l.at++
	case ':', '=':
		l.at++
	case '"', '\'', '`':
		l.scalar(Quote(l.quoted()))
	default:
		l.scalar(l.word())
	}
}

// begin begins a value, or a key, which is given, before it is written, where one is due.
func (l *lenient) begin(key []byte) (isKey bool) {
	if len(l.open) == 0 {
		return false
	}
	top := &l.open[len(l.open)-1]
	if top.keyed {
		top.keyed = false
		return false
	}
	if top.some {
		l.out = append(l.out, ',')
	}
	top.some = true
	if !top.object {
		return false
	}
	if key == nil { // a value without a key
		l.out = append(l.out, `"":`...)
		return false
	}
	if key[0] != '"' {
		key = Quote(string(key))
	}
	l.out = append(append(l.out, key...), ':')
	top.keyed = true
	return true
}

// scalar writes a string, a number or a word, or a key.
func (l *lenient) scalar(text []byte) {
	if !l.begin(text) {
		l.out = append(l.out, text...)
	}
}

// close ends what was begun last.
func (l *lenient) close() {
	top := l.open[len(l.open)-1]
	l.open = l.open[:len(l.open)-1]
	switch {
	case top.keyed:
		l.out = append(l.out, "null}"...)
	case top.object:
		l.out = append(l.out, '}')
	default:
		l.out = append(l.out, ']')
	}
}

// blanks skips white space, other than JSON's too, and comments.
func (l *lenient) blanks() {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch c := rest[0]; {
		case c <= ' ':
			l.at++
		case c == '#', c == '/' && len(rest) > 1 && rest[1] == '/':
			l.to("\n")
		case c == '/' && len(rest) > 1 && rest[1] == '*':
			l.at += 2
			l.to("*/")
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(rest)
			if r != '\ufeff' && !unicode.IsSpace(r) {
				return
			}
			l.at += size
		default:
			return
		}
	}
}

// to goes to the end of a text; at the end, if it does not come.
func (l *lenient) to(end string) {
	for ; l.at < len(l.text); l.at++ {
		if l.text[l.at] == end[0] && len(l.text)-l.at >= len(end) && string(l.text[l.at:l.at+len(end)]) == end {
			l.at += len(end)
			return
		}
	}
}

// word takes a number or a word: what JSON has as it is, what is a number elsewhere as null, and else a string.
func (l *lenient) word() []byte {
	from := l.at
	l.at++
	for l.at < len(l.text) && l.text[l.at] > ' ' && strings.IndexByte("{}[],:;=\"'`", l.text[l.at]) < 0 {
		l.at++
	}
	word := l.text[from:l.at]
	switch strings.ToLower(strings.TrimLeft(string(word), "+-")) {
	case "nan", "infinity", "inf", "undefined", "none", "nil", "null":
		return []byte("null")
	case "true":
		return []byte("true")
	case "false":
		return []byte("false")
	}
	if end, ok := checkNumber(word, 0); ok && end == len(word) {
		return word
	}
	return Quote(string(word))
}

// quoted takes a string, which may not end.
func (l *lenient) quoted() string {
	from, quote := l.at+1, l.text[l.at]
	for l.at = from; l.at < len(l.text) && l.text[l.at] != quote; l.at++ {
		if l.text[l.at] == '\\' {
			l.at++
		}
	}
	l.at = min(l.at, len(l.text))
	inside := l.text[from:l.at]
	l.at = min(l.at+1, len(l.text))
	return Unescaped(inside)
}

// deep takes an object or a list as a text.
func (l *lenient) deep() string {
	var b strings.Builder
	for depth := 0; l.at < len(l.text); {
		c := l.text[l.at]
		switch c {
		case '"', '\'', '`':
			b.WriteByte(c)
			b.WriteString(l.quoted())
			b.WriteByte(c)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		b.WriteByte(c)
		l.at++
		if depth == 0 {
			break
		}
	}
	return b.String()
}

// Unescaped is a text without the escapes of JSON, as far as it has any, and without what is in it of wider characters.
func Unescaped(text []byte) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == 0:
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
		default:
			i += escape(&b, text[i+1:])
		}
	}
	return b.String()
}

// escape writes the character of an escape, and gives how many bytes it takes without the backslash.
func escape(b *strings.Builder, text []byte) int {
	digits := map[byte]int{'u': 4, 'x': 2, 'U': 8}[text[0]]
	if n, ok := hex(text[1:], digits); ok && digits > 0 {
		size := 1 + digits
		if 0xD800 <= n && n < 0xDC00 && len(text) > 6 && text[5] == '\\' && text[6] == 'u' {
			if low, ok := hex(text[7:], 4); ok && 0xDC00 <= low && low < 0xE000 {
				n, size = 0x10000+(n-0xD800)<<10+(low-0xDC00), size+6
			}
		}
		if n > utf8.MaxRune {
			n = utf8.RuneError
		}
		b.WriteRune(rune(n)) //nolint:gosec // it is none beyond the last
		return size
	}
	if c := escaped[text[0]]; c != 0 {
		b.WriteByte(c)
	} else {
		b.WriteByte(text[0])
	}
	return 1
}

func hex(text []byte, digits int) (uint64, bool) {
	if len(text) < digits {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[:digits]), 16, 32)
	return n, err == nil
}
