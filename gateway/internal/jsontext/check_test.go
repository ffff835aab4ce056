package jsontext_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// TestParseAsEncodingJSON: what is JSON, and the texts in it, are what encoding/json says,
// for texts with random mistakes.
func TestParseAsEncodingJSON(t *testing.T) {
	samples := []string{
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\n\"b\" \\ é 😀 \u00e9\ud83d\ude00"}}`,
		`[ 0, -1, 1.5, 2e10, -0.1E-3, 10, true ,false, null, "", {} , [ ], {"a":[{"b":{}}]} ]`,
		` "x\/\b\f\r\t" `, `-`, `01`, `1.`, `.5`, `1e`, `tru`, `nulll`, `"\x"`, `"\u12g4"`, "\"\x01\"", "\"\xff\\n\"", `{"a" 1}`, `{"a":1,}`, `[1,]`, `{a:1}`, ``, ` `, `{} {}`, `"\ud83d"`,
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
		strings.Repeat(`{"a":`, 9_999) + "1" + strings.Repeat("}", 9_999), strings.Repeat(`{"a":`, 10_001) + "1" + strings.Repeat("}", 10_001),
	}
	r := rand.New(rand.NewPCG(1, 2))
	check := func(text string) {
		v, ok := jsontext.Parse([]byte(text))
		if want := json.Valid([]byte(text)); ok != want {
			t.Fatalf("%.200q: %v, not %v", text, ok, want)
		}
		if ok && v.Kind() == '"' {
			var want string
			if err := json.Unmarshal([]byte(text), &want); err != nil || v.Text() != want {
				t.Fatalf("%q: %q, not %q", text, v.Text(), want)
			}
		}
	}
	for _, sample := range samples {
		check(sample)
		if len(sample) > 1000 {
			continue
		}
		for range 4000 {
			text := []byte(sample)
			for range 1 + r.IntN(3) {
				if len(text) == 0 {
					break
				}
				at := r.IntN(len(text))
				switch r.IntN(3) {
				case 0:
					text[at] = "\"\\{}[],:0e.-+u \nt\x01\xff"[r.IntN(19)]
				case 1:
					text = append(text[:at], text[at+1:]...)
				default:
					text = text[:at]
				}
			}
			check(string(text))
			check(string(append(append([]byte{'"'}, text...), '"')))
		}
	}
}
