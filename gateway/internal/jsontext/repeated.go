package jsontext

import (
	"bytes"
	"strings"
)

// Repeats tells whether some object in the value has a key more than once.
func (v Value) Repeats() bool {
	found := false
	v.repeated(func(Value, Value) bool {
		found = true
		return false
	})
	return found
}

// Overwritten are the strings of members that a later one of the same key takes the place of, one after the other, but for
// those that it has as well. Most parsers take the last of several, some the first, and some none at all.
func (v Value) Overwritten() string {
	var b strings.Builder
	v.repeated(func(earlier, later Value) bool {
		if bytes.Equal(earlier.Raw(), later.Raw()) {
			return true
		}
		known := map[string]bool{}
		later.strings(func(text string) { known[text] = true })
		earlier.strings(func(text string) {
			if !known[text] {
				b.WriteString(text)
			}
		})
		return true
	})
	return b.String()
}

// fewKeys is up to how many keys are compared each with each.
const fewKeys = 16

// repeated calls yield with each member whose key comes again in its object, and with the last of that key, and stops when
// it returns false.
func (v Value) repeated(yield func(earlier, later Value) bool) (goesOn bool) {
	switch v.Kind() {
	case '[':
		for item := range v.Items() {
			if !item.repeated(yield) {
				return false
			}
		}
		return true
	case '{':
	default:
		return true
	}
	var few [fewKeys]int32 // where keys are, in the text of the object
	count := 0
	again := false
	for key, value := range v.members() {
		if !value.repeated(yield) {
			return false
		}
		for i := range min(count, fewKeys) {
			from := v.from + int(few[i])
			again = again || key.sameText(Value{v.text, from, skipString(v.text, from)})
		}
		if count < fewKeys {
			few[count] = int32(key.from - v.from)
		}
		count++
	}
	if !again && count <= fewKeys {
		return true
	}
	last := map[string]Value{}
	for key, value := range v.Members() {
		last[key] = value
	}
	for key, value := range v.Members() {
		if later := last[key]; later.from != value.from && !yield(value, later) {
			return false
		}
	}
	return true
}

// sameText tells whether two strings have the same text.
func (v Value) sameText(other Value) bool {
	a, b := v.Raw(), other.Raw()
	if bytes.IndexByte(a, '\\') < 0 && bytes.IndexByte(b, '\\') < 0 {
		return bytes.Equal(a, b)
	}
	return v.Text() == other.Text()
}

// strings calls yield with every string in the value, without keys.
func (v Value) strings(yield func(text string)) {
	switch v.Kind() {
	case '"':
		yield(v.Text())
	case '[':
		for item := range v.Items() {
			item.strings(yield)
		}
	case '{':
		for _, value := range v.members() {
			value.strings(yield)
		}
	}
}
