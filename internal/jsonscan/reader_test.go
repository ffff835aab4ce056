package jsonscan_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/jsonscan"
)

// value reads any value as encoding/json would.
func value(r *jsonscan.Reader) (any, bool) {
	switch r.Next() {
	case '{':
		out := map[string]any{}
		ok := r.Object(func(key string) bool {
			v, ok := value(r)
			out[key] = v
			return ok
		})
		return out, ok
	case '[':
		out := []any{}
		ok := r.Array(func() bool {
			v, ok := value(r)
			out = append(out, v)
			return ok
		})
		return out, ok
	case '"':
		return wide(r.String())
	case 't', 'f':
		return wide(r.Bool())
	case 'n':
		return nil, r.Null()
	}
	return wide(r.Number())
}

func wide[T any](v T, ok bool) (any, bool) { return v, ok }

var texts = []string{
	``, ` `, `{}`, `[]`, `null`, `true`, `false`, `"x"`, `0`, `-0`, `01`, `-`, `1.`, `.5`, `1e5`, `1E+5`, `1e`, `1e999`, `-1.25e-3`,
	`{"a":1,"b":[true,null,{"c":"d"}]}`, `{"a":1,}`, `[1,]`, `[1 2]`, `{"a" 1}`, `{a:1}`, `{"a":1}}`, `{"a":1} x`, `{"a":1,"a":2}`,
	`"a\nb\t\"\\\/\b\f\r"`, `"\u0041\u00e9\u20AC"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ude00\ud83d"`, `"\u00g0"`, `"\u+123"`, `"\x"`, `"\`, `"a`, "\"a\nb\"", "\"\x00\"",
	`"é€😀"`, "\u00a0{}", `tru`, `nul`, `truex`, `[`, `{`, `{"a":`, strings.Repeat("[", 100) + strings.Repeat("]", 100), `[[],[],{}]`, "\ufeff{}",
}

func TestReader(t *testing.T) {
	for _, text := range texts {
		compare(t, text)
	}
}

// TestDeep holds that nesting without end is refused, not a crash, and where
// encoding/json refuses it.
func TestDeep(t *testing.T) {
	for _, depth := range []int{9_999, 10_000, 10_001} {
		compare(t, strings.Repeat("[", depth)+strings.Repeat("]", depth))
		compare(t, strings.Repeat(`{"a":`, depth)+"1"+strings.Repeat("}", depth))
	}
	r := jsonscan.New(strings.Repeat("[", 1_000_000))
	if _, ok := r.Raw(); ok {
		t.Error("it was taken")
	}
}

func FuzzReader(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(compare)
}

// compare holds a reading against that of encoding/json.
func compare(t *testing.T, text string) {
	if !utf8.ValidString(text) {
		return
	}
	var want any
	err := json.Unmarshal([]byte(text), &want)
	r := jsonscan.New(text)
	got, ok := value(r)
	ok = ok && r.End()
	if ok != (err == nil) {
		t.Fatalf("%q: read %v, and encoding/json says %v", text, ok, err)
	}
	if ok && !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: got %#v, want %#v", text, got, want)
	}
	r = jsonscan.New(text)
	raw, ok := r.Raw()
	ok = ok && r.End()
	if valid := json.Valid([]byte(text)); ok != valid || ok && raw != strings.Trim(text, " \t\r\n") {
		t.Fatalf("%q: skipped %v (%q), and encoding/json says %v", text, ok, raw, valid)
	}
}

// BenchmarkRaw is the check of a context of some 8 KB.
func BenchmarkRaw(b *testing.B) {
	text := `{"a":[` + strings.Repeat(`{"type":"Button","name":"save 12","bounds":{"x":1,"y":22.5}},`, 120) + `{}]}`
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := jsonscan.New(text).Raw(); !ok {
			b.Fatal("refused")
		}
	}
}

// TestAnyDepth: a value that nobody reads may be nested to any depth, and must be valid all the same.
func TestAnyDepth(t *testing.T) {
	for _, c := range []struct{ open, inner, shut string }{{"[", "1", "]"}, {`{"a":`, "{}", "}"}, {`[{"a":[],"b":`, `"x"`, "}]"}, {"[1,", "null", ",{}]"}} {
		const depth = 200_000
		text := strings.Repeat(c.open, depth) + c.inner + strings.Repeat(c.shut, depth)
		r := jsonscan.Deep(text + " ")
		if got, ok := r.Raw(); !ok || got != text || !r.End() {
			t.Errorf("%s: %d bytes of %d, %v", c.open, len(got), len(text), ok)
		}
		for _, wrong := range []string{text[:len(text)-1], strings.Replace(text, c.inner, c.inner+" x", 1), text[:len(text)-1] + ")"} {
			if _, ok := jsonscan.Deep(wrong).Raw(); ok {
				t.Errorf("%s: what is wrong was read", c.open)
			}
		}
		if _, ok := jsonscan.New(text).Raw(); ok {
			t.Errorf("%s: New has no limit", c.open)
		}
	}
}
