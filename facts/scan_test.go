package facts

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var scanned = []string{
	`{}`, `{"a":[]}`, `{"a":{},"b":null}`, `{"attachments":{"text":"a\nb","files":[{"path":"x","size":1.5}]},"clipboard":{"hasText":true}}`,
	`{"a":1,"a":2}`, `{"a":10007777777777777777777}`, `{"a":1} x`, `{"a":1e999}`, `{"a":"\ud83d\ude00\u0041"}`, `{a: b}`, `[1]`, `{"a":`, `{"a":[1,2,[3,{"b":[4]}],5]}`,
	strings.Repeat(`{"a":[`, 100) + strings.Repeat(`]}`, 100),
}

// FuzzScan holds that the quick reader and the slow one come to the same.
func FuzzScan(f *testing.F) {
	for _, text := range scanned {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // Decode looks at it before
		}
		want, err := decodeJSON([]byte(text))
		got, ok := scanJSON([]byte(text))
		if ok != (err == nil) {
			t.Fatalf("%q: the quick reader says %v, the slow one %v", text, ok, err)
		}
		if ok && !got.Equal(want) {
			t.Fatalf("%q: the readers disagree", text)
		}
	})
}
