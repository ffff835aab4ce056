// Package jsontext finds values in JSON texts and changes them there: everything that
// is not changed stays as it was written, byte for byte, fields that nobody knows too.
//
// Start with [Parse], which checks the whole text. A [Value] knows where it stands;
// [Edit]s are collected and made at once by [Apply].
package jsontext

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Value is a value of a JSON text. The zero Value is none: it has no kind, no members
// and no items.
type Value struct {
	text     []byte // the whole text
	from, to int
}

// Parse gives the value that a text is; ok is false if it is no JSON.
func Parse(text []byte) (_ Value, ok bool) {
	from := space(text, 0)
	to, ok := check(text, from, 0)
	if !ok || space(text, to) != len(text) {
		return Value{}, false
	}
	return Value{text, from, to}, true
}

// ParsePick parses a text and picks values of it at once, if it is an object. Events are many and short, so
// that going over each once counts.
func ParsePick(text []byte, out []Value, keys ...string) (_ Value, ok bool) {
	clear(out)
	from := space(text, 0)
	if from >= len(text) || text[from] != '{' {
		return Parse(text)
	}
	at := space(text, from+1)
	if at < len(text) && text[at] == '}' {
		return Parse(text)
	}
	for {
		name := Value{text, at, at}
		if at >= len(text) || text[at] != '"' {
			return Value{}, false
		}
		if at, ok = checkString(text, at); !ok {
			return Value{}, false
		}
		name.to = at
		if at = space(text, at); at >= len(text) || text[at] != ':' {
			return Value{}, false
		}
		at = space(text, at+1)
		value := Value{text, at, at}
		if at, ok = check(text, at, 1); !ok {
			return Value{}, false
		}
		value.to = at
		name.pick(out, value, keys)
		if at = space(text, at); at >= len(text) {
			return Value{}, false
		}
		switch text[at] {
		case '}':
			if at++; space(text, at) != len(text) {
				return Value{}, false
			}
			return Value{text, from, at}, true
		case ',':
			at = space(text, at+1)
		default:
			return Value{}, false
		}
	}
}

// Kind is the first byte of the value, with 0 for all numbers' '0': one of { [ " t f n
// 0, and 0 for none.
func (v Value) Kind() byte {
	if v.from == v.to {
		return 0
	}
	if c := v.text[v.from]; c != '-' && (c < '0' || c > '9') {
		return c
	}
	return '0'
}

// Exists tells whether there is a value, and null is none.
func (v Value) Exists() bool { return v.from < v.to && v.text[v.from] != 'n' }

// Raw is the value as it is written.
func (v Value) Raw() []byte { return v.text[v.from:v.to] }

// From and To are where it stands in the text.
func (v Value) From() int { return v.from }

// To is the offset after it.
func (v Value) To() int { return v.to }

// Members are the keys and values of an object, in order.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for key, value := range v.members() {
			if !yield(key.Text(), value) {
				return
			}
		}
	}
}

// members is Members with keys as they are written.
func (v Value) members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if v.Kind() != '{' {
			return
		}
		for at := space(v.text, v.from+1); v.text[at] != '}'; {
			key := Value{v.text, at, skip(v.text, at)}
			at = space(v.text, space(v.text, key.to)+1) // after the colon
			value := Value{v.text, at, skip(v.text, at)}
			if !yield(key, value) {
				return
			}
			if at = space(v.text, value.to); v.text[at] == ',' {
				at = space(v.text, at+1)
			}
		}
	}
}

// Items are the values of an array, in order.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != '[' {
			return
		}
		for at := space(v.text, v.from+1); v.text[at] != ']'; {
			item := Value{v.text, at, skip(v.text, at)}
			if !yield(item) {
				return
			}
			if at = space(v.text, item.to); v.text[at] == ',' {
				at = space(v.text, at+1)
			}
		}
	}
}

// Get is the value of a key, or of a key below it and so on; of several with one key
// the last, as JSON parsers have it.
func (v Value) Get(keys ...string) Value {
	for _, key := range keys {
		found := Value{}
		for name, value := range v.members() {
			if name.Is(key) {
				found = value
			}
		}
		v = found
	}
	return v
}

// Pick finds the values of several keys at once, and puts them into out, in the order of
// the keys.
func (v Value) Pick(out []Value, keys ...string) {
	clear(out)
	if v.Kind() != '{' {
		return
	}
	for at := space(v.text, v.from+1); v.text[at] != '}'; {
		name := Value{v.text, at, skipString(v.text, at)}
		at = space(v.text, space(v.text, name.to)+1) // after the colon
		value := Value{v.text, at, skip(v.text, at)}
		name.pick(out, value, keys)
		if at = space(v.text, value.to); v.text[at] == ',' {
			at = space(v.text, at+1)
		}
	}
}

// pick keeps the value of a key if it is one of those.
func (v Value) pick(out []Value, value Value, keys []string) {
	inside := v.text[v.from+1 : v.to-1]
	if bytes.IndexByte(inside, '\\') >= 0 {
		if i := slices.Index(keys, v.Text()); i >= 0 {
			out[i] = value
		}
		return
	}
	for i, key := range keys {
		if string(inside) == key {
			out[i] = value
			return
		}
	}
}

// Word is the text of a string for comparing it: where nothing in it is escaped, it is
// a part of the JSON text and no copy.
func (v Value) Word() []byte {
	if v.Kind() != '"' {
		return nil
	}
	if inside := v.text[v.from+1 : v.to-1]; bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	return []byte(v.Text())
}

// Len counts the items of an array.
func (v Value) Len() int {
	n := 0
	for range v.Items() {
		n++
	}
	return n
}

// At is an item of an array; none if there are not so many.
func (v Value) At(index int) Value {
	for item := range v.Items() {
		if index == 0 {
			return item
		}
		index--
	}
	return Value{}
}

// Text is the text of a string; "" of everything else.
func (v Value) Text() string {
	if v.Kind() != '"' {
		return ""
	}
	inside := v.text[v.from+1 : v.to-1]
	if utf8.Valid(inside) {
		if bytes.IndexByte(inside, '\\') < 0 {
			return string(inside)
		}
		if s, ok := plain(inside); ok {
			return s
		}
	}
	var s string
	_ = json.Unmarshal(v.Raw(), &s) // it is valid
	return s
}

// Is tells whether the value is this text.
func (v Value) Is(text string) bool {
	if v.Kind() != '"' {
		return false
	}
	inside := v.text[v.from+1 : v.to-1]
	if string(inside) == text {
		return strings.IndexByte(text, '\\') < 0 // what is no UTF-8 is no text that is asked for
	}
	return len(inside) > len(text) && bytes.IndexByte(inside, '\\') >= 0 && v.Text() == text // escapes are longer
}

// Int is a whole number; 0 of everything else.
func (v Value) Int() int64 {
	n, err := strconv.ParseInt(string(v.Raw()), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// True tells whether the value is true.
func (v Value) True() bool { return v.Kind() == 't' }
