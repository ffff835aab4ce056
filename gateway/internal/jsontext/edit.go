package jsontext

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// Edit puts a text in the place of a part of another.
type Edit struct {
	From, To int
	Text     []byte
}

// Replace puts a text in the place of a value.
func (v Value) Replace(text []byte) Edit { return Edit{v.from, v.to, text} }

// Append adds items, JSON texts, to the end of an array.
func (v Value) Append(items ...[]byte) Edit {
	text := bytes.Join(items, []byte(","))
	last := v.from + 1
	for item := range v.Items() {
		last = item.to
	}
	if last > v.from+1 && len(text) > 0 {
		text = append([]byte{','}, text...)
	}
	return Edit{last, last, text}
}

// Set gives an object a member: in the place of the present one or, if there is none,
// at its end.
func (v Value) Set(key string, text []byte) Edit {
	if old := v.Get(key); old.from < old.to {
		return old.Replace(text)
	}
	member := append(append(Quote(key), ':'), text...)
	last := -1
	for _, value := range v.Members() {
		last = value.to
	}
	if last < 0 {
		return Edit{v.from + 1, v.from + 1, member}
	}
	return Edit{last, last, append([]byte{','}, member...)}
}

// Apply makes edits that do not overlap; of several at one place the first is first.
func Apply(text []byte, edits ...Edit) []byte {
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.From, b.From) })
	more := 0
	for _, e := range edits {
		more += len(e.Text)
	}
	out := make([]byte, 0, len(text)+more)
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.From]...), e.Text...)
		at = e.To
	}
	return append(out, text[at:]...)
}

// Quote is a text as a JSON string, without the escapes that only HTML needs.
func Quote(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
