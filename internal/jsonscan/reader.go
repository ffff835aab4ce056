// Package jsonscan reads JSON that is in memory, value by value, where the time
// of encoding/json shows: contexts that programs send with every question.
//
// Start with [New]. A [Reader] accepts what encoding/json accepts, invalid UTF-8
// excepted, and gives the same values; strings without escapes are parts of the
// text and not copies of it. It says that something is
// wrong, never what: who needs the words reads the text once more with
// encoding/json.
package jsonscan

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep values may be nested: as deep as encoding/json has it.
const maxDepth = 10_000

// Reader is a position in a JSON text. Its methods answer false where the text is
// not what was asked for; it is of no use after that.
type Reader struct {
	text  string
	at    int
	depth int
	deep  bool // what is skipped may be nested to any depth
}

// New begins to read a text, which must be valid UTF-8.
func New(text string) *Reader { return &Reader{text: text} }

// Deep is New for a text in which what nobody asks for may be nested to any depth: what [Reader.Raw] reads is not gone down into.
func Deep(text string) *Reader { return &Reader{text: text, deep: true} }

// Next is the first byte of the next value, or 0 at the end of the text.
func (r *Reader) Next() byte {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\r', '\n':
			r.at++
		default:
			return c
		}
	}
	return 0
}

// End tells whether nothing but white space is left.
func (r *Reader) End() bool { return r.Next() == 0 && r.at == len(r.text) }

// take steps over one byte, after white space.
func (r *Reader) take(c byte) bool {
	if r.Next() != c || r.at == len(r.text) {
		return false
	}
	r.at++
	return true
}

// Array calls item at the beginning of each value of an array; it must read it.
func (r *Reader) Array(item func() bool) bool {
	return r.list('[', ']', item)
}

// Object calls member with each key of an object; it must read the value.
func (r *Reader) Object(member func(key string) bool) bool {
	return r.list('{', '}', func() bool {
		key, ok := r.String()
		return ok && r.take(':') && member(key)
	})
}

func (r *Reader) list(open, closing byte, item func() bool) bool {
	if !r.take(open) || r.depth >= maxDepth {
		return false
	}
	r.depth++
	defer func() { r.depth-- }()
	if r.take(closing) {
		return true
	}
	for item() {
		if r.take(closing) {
			return true
		}
		if !r.take(',') {
			return false
		}
	}
	return false
}

// Bool reads true or false.
func (r *Reader) Bool() (value, ok bool) {
	if r.Next() == 't' {
		return true, r.word("true")
	}
	return false, r.word("false")
}

// Null reads null.
func (r *Reader) Null() bool { return r.Next() == 'n' && r.word("null") }

func (r *Reader) word(word string) bool {
	if !strings.HasPrefix(r.text[r.at:], word) {
		return false
	}
	r.at += len(word)
	return true
}

// Number reads a number.
func (r *Reader) Number() (float64, bool) {
	text, ok := r.Digits()
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

// Digits reads a number as it is written.
func (r *Reader) Digits() (string, bool) {
	r.Next()
	start := r.at
	r.optional("-")
	if !r.optional("0") && !r.run() {
		return "", false
	}
	if r.optional(".") && !r.run() {
		return "", false
	}
	if r.optional("eE") {
		r.optional("+-")
		if !r.run() {
			return "", false
		}
	}
	return r.text[start:r.at], true
}

func (r *Reader) optional(of string) bool {
	if r.at == len(r.text) || strings.IndexByte(of, r.text[r.at]) < 0 {
		return false
	}
	r.at++
	return true
}

func (r *Reader) run() bool {
	start := r.at
	for r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9' {
		r.at++
	}
	return r.at > start
}

// String reads a string.
func (r *Reader) String() (string, bool) {
	if !r.take('"') {
		return "", false
	}
	start := r.at
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			r.at++
			return r.text[start : r.at-1], true
		case c == '\\':
			return r.escaped(start)
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// escaped reads the rest of a string that has an escape here.
func (r *Reader) escaped(start int) (string, bool) {
	out := append(make([]byte, 0, 2*(r.at-start)+64), r.text[start:r.at]...)
	for r.at < len(r.text) {
		c := r.text[r.at]
		r.at++
		switch {
		case c == '"':
			return string(out), true
		case c < ' ':
			return "", false
		case c != '\\':
			out = append(out, c)
			continue
		}
		if r.at == len(r.text) {
			return "", false
		}
		c = r.text[r.at]
		r.at++
		if c == 'u' {
			unit, ok := r.unit()
			if !ok {
				return "", false
			}
			out = utf8.AppendRune(out, r.pair(unit))
			continue
		}
		i := strings.IndexByte(`"\/bfnrt`, c)
		if i < 0 {
			return "", false
		}
		out = append(out, "\"\\/\b\f\n\r\t"[i])
	}
	return "", false
}

// unit reads the four digits of a \u escape.
func (r *Reader) unit() (rune, bool) {
	if len(r.text)-r.at < 4 {
		return 0, false
	}
	for _, c := range []byte(r.text[r.at : r.at+4]) {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) { // ParseUint alone would take a sign
			return 0, false
		}
	}
	n, err := strconv.ParseUint(r.text[r.at:r.at+4], 16, 32)
	if err != nil {
		return 0, false
	}
	r.at += 4
	return rune(n), true
}

// pair joins the second half of a surrogate pair; half a pair is no character.
func (r *Reader) pair(unit rune) rune {
	if !utf16.IsSurrogate(unit) {
		return unit
	}
	back := r.at
	if strings.HasPrefix(r.text[r.at:], `\u`) {
		r.at += 2
		if low, ok := r.unit(); ok {
			if joined := utf16.DecodeRune(unit, low); joined != utf8.RuneError {
				return joined
			}
		}
	}
	r.at = back
	return utf8.RuneError
}

// Raw reads any value and returns its text, which is checked.
func (r *Reader) Raw() (string, bool) {
	r.Next()
	start := r.at
	ok := r.skip()
	return r.text[start:r.at], ok
}

// skip steps over a value. It does not call itself: a text may be nested deeper than there is room for.
func (r *Reader) skip() bool {
	var open []byte // objects and arrays
	for {
		switch c := r.Next(); c {
		case '{', '[':
			if !r.deep && r.depth+len(open) >= maxDepth {
				return false
			}
			r.at++
			if r.take(c + 2) { // '}' and ']': it is empty
				break
			}
			if open = append(open, c); c == '{' && !r.name() {
				return false
			}
			continue
		default:
			if !r.scalar() {
				return false
			}
		}
		for { // a value has ended
			last := len(open) - 1
			if last < 0 {
				return true
			}
			if !r.take(open[last] + 2) {
				if !r.take(',') || open[last] == '{' && !r.name() {
					return false
				}
				break
			}
			open = open[:last]
		}
	}
}

// name steps over the name of a member.
func (r *Reader) name() bool {
	_, ok := r.String()
	return ok && r.take(':')
}

// scalar steps over a value that holds no others.
func (r *Reader) scalar() bool {
	switch r.Next() {
	case '"':
		_, ok := r.String()
		return ok
	case 't', 'f':
		_, ok := r.Bool()
		return ok
	case 'n':
		return r.Null()
	}
	_, ok := r.Digits()
	return ok
}
