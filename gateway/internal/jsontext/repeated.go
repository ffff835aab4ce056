package jsontext

import (
	"bytes"
	"slices"
	"strings"
)

// Repeats tells whether some object in the value has a key more than once.
func (v Value) Repeats() bool {
	var memory scratch
	for w := memory.walk(v.Raw(), nil); w.next(); {
		if w.again {
			return true
		}
	}
	return false
}

// Overwritten are the strings of members that a later one of the same key takes the place of, each in a line of its own, but for
// those that say the same. Most parsers take the last of several, some the first, some none at all, and some a part of each.
func (v Value) Overwritten() string {
	var gone []member
	text := v.Raw()
	budget := 4 * len(text) // of comparing: what is nested may be compared often
	var memory scratch
	for w := memory.walk(text, nil); w.next(); {
		if !w.again {
			continue
		}
		if budget > 0 {
			from := valueOf(text, w.key.from)
			to := skip(text, from)
			budget -= to - from
			if bytes.Equal(text[from:to], bytes.TrimRight(text[valueOf(text, w.before.from):w.before.to], " \t\r\n")) {
				continue
			}
		}
		gone = append(gone, w.before)
	}
	slices.SortFunc(gone, func(a, b member) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, m := range gone {
		if m.from >= at { // else it is a part of the one before
			stringsOf(text[valueOf(text, m.from):m.to], &b)
			at = m.to
		}
	}
	return b.String()
}

// Strings are all strings of the value but for keys, each in a line of its own.
func (v Value) Strings() string {
	var b strings.Builder
	stringsOf(v.Raw(), &b)
	return b.String()
}

// stringsOf writes the strings of a part of a valid text.
func stringsOf(text []byte, b *strings.Builder) {
	for at := 0; at < len(text); at++ {
		if text[at] != '"' {
			continue
		}
		s := Value{text, at, skipString(text, at)}
		at = s.to - 1
		if next := space(text, s.to); next < len(text) && text[next] == ':' {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(s.Text())
	}
}

// valueOf is where the value of the key begins that begins at an offset.
func valueOf(text []byte, key int) int {
	return space(text, space(text, skipString(text, key))+1)
}

// sameText tells whether two strings have the same text.
func (v Value) sameText(other Value) bool {
	a, b := v.Raw(), other.Raw()
	if bytes.IndexByte(a, '\\') < 0 && bytes.IndexByte(b, '\\') < 0 {
		return bytes.Equal(a, b)
	}
	return v.Text() == other.Text()
}
