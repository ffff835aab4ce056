package jsontext

import "bytes"

// Template is a JSON text but for one string in it. Events of one stream are mostly written alike: where one has the bytes of
// another around its string, it says the same around it, and nothing but the string has to be read. The zero Template
// matches nothing.
type Template struct {
	bytes  []byte // before the inside of the string, and after it
	before int
}

// Learn makes it that of the text of a string, which was parsed.
func (t *Template) Learn(v Value) {
	t.bytes = append(append(t.bytes[:0], v.text[:v.from+1]...), v.text[v.to-1:]...)
	t.before = v.from + 1
}

// Matches gives the string of a text that is written alike; ok is false if it is not, or is no JSON.
func (t *Template) Matches(text []byte) (_ Value, ok bool) {
	before, after := t.bytes[:t.before], t.bytes[t.before:]
	if t.before == 0 || !bytes.HasPrefix(text, before) || !bytes.HasSuffix(text[t.before:], after) {
		return Value{}, false
	}
	v := Value{text, t.before - 1, len(text) - len(after) + 1}
	end, ok := checkString(text, v.from)
	return v, ok && end == v.to
}
