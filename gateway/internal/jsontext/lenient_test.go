package jsontext_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

func TestLenient(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":NaN,"b":[-Infinity,+Inf,1e3,-0.5,.5,0x1F]}`:                       `{"a":null,"b":[null,null,1e3,-0.5,".5","0x1F"]}`,
		"{\"a\":\"x\ty\x01\"}":                                                  `{"a":"x\ty\u0001"}`,
		`{'a':'it"s', b: c, /* no */ "d": True, // no` + "\n" + `e: undefined}`: `{"a":"it\"s","b":"c","d":true,"e":null}`,
		`{"a":"\x41\u0042\ud83d\ude00\q\'"}`:                                    `{"a":"AB😀q'"}`,
		`[1,2,]`:                                                                `[1,2]`,
		`{"a":1,}`:                                                              `{"a":1}`,
		`{"a" 1 "b" [2 3]}`:                                                     `{"a":1,"b":[2,3]}`,
		`{"a","b":}`:                                                            `{"a":null,"b":null}`,
		`{"a":{"b":[1`:                                                          `{"a":{"b":[1]}}`,
		`{"a":"b`:                                                               `{"a":"b"}`,
		`{[1]:2}`:                                                               `{"":[1],"2":null}`,
		"\ufeff \v{\"a\":01}":                                                   `{"a":"01"}`,
		`# no` + "\n" + `{a=1;b=>2}`:                                            `{"a":1,"b":">2"}`,
	} {
		got, rest, ok := jsontext.Lenient([]byte(text))
		if !ok || string(got) != want || len(rest) > 0 {
			t.Errorf("%q: %s, %q, %v, not %s", text, got, rest, ok, want)
		}
	}
	if got, rest, ok := jsontext.Lenient([]byte(`{"a":1} {"b":2}`)); !ok || string(got) != `{"a":1}` || string(rest) != `{"b":2}` {
		t.Errorf("%s, %q, %v", got, rest, ok)
	}
	for _, text := range []string{"", "  ", "x", `"{}"`, "7", "}"} {
		if got, _, ok := jsontext.Lenient([]byte(text)); ok {
			t.Errorf("%q: %s", text, got)
		}
	}
	for _, depth := range []int{200, 1_000, 100_000} { // what is deeper is a text
		text := `{"x":` + strings.Repeat(`{"y":[`, depth) + `"de\u0065p"` + strings.Repeat(`]}`, depth) + `,"a":"b"}`
		got, _, ok := jsontext.Lenient([]byte(text))
		v, valid := jsontext.Parse(got)
		if !ok || !valid || !v.Get("a").Is("b") || !strings.Contains(string(got), "deep") {
			t.Errorf("%d: %v, %v, %.80s", depth, ok, valid, got)
		}
	}
}

// FuzzLenient: what is made of a text is JSON, and the same where that was JSON before.
func FuzzLenient(f *testing.F) {
	for _, text := range []string{`{"a":NaN}`, `{'a':[1,,2;3]}x`, `[{"a":"\u00e4\ud83d`, `{"a":{"b":[true,null,-1.5e3]}}`, "{/*", "[`", `{:=,}]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, _, ok := jsontext.Lenient([]byte(text))
		if !ok {
			return
		}
		if _, valid := jsontext.Parse(got); !valid {
			t.Fatalf("%q became %q", text, got)
		}
		names := jsontext.NewNames([]string{"a"}, "b_c")
		for _, made := range [][]byte{jsontext.First(got), names.Known(got)} {
			if _, valid := jsontext.Parse(made); !valid {
				t.Fatalf("%q became %q", got, made)
			}
		}
		if first, ok := jsontext.Parse(jsontext.First(got)); !ok || first.Repeats() {
			t.Fatalf("%q still repeats", first.Raw())
		}
		var before, after any
		if strings.Count(text, "[")+strings.Count(text, "{") > 200 || json.Unmarshal([]byte(text), &before) != nil {
			return
		}
		if err := json.Unmarshal(got, &after); err != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func TestNames(t *testing.T) {
	names := jsontext.NewNames([]string{"input"}, "text", "partial_json", "finishReason", "signature", "kind")
	for text, want := range map[string]string{
		`{"text":1,"other":{"Other":2}}`:                `{"text":1,"other":{"Other":2}}`,
		`{"Text":"a","b":[{"TEXT":{"partialJson":1}}]}`: `{"text":"a","b":[{"text":{"partial_json":1}}]}`,
		`{"finish_reason":1,"FINISHREASON":2}`:          `{"finishReason":1,"finishReason":2}`,
		`{"ſignature":1,"` + "\u212a" + `ind":2}`:       `{"signature":1,"kind":2}`,
		`{"input":{"Text":1,"b":{"Text":2}},"Text":3}`:  `{"input":{"Text":1,"b":{"Text":2}},"text":3}`,
		`{"Input":{"Text":1},"T\u0065xt":3}`:            `{"input":{"Text":1},"text":3}`,
		`["Text",{"a":"Text"}]`:                         `["Text",{"a":"Text"}]`,
		`"Text"`:                                        `"Text"`,
		`{"` + strings.Repeat("T", 100) + `":{}}`:       `{"` + strings.Repeat("T", 100) + `":{}}`,
	} {
		v, _ := jsontext.Parse([]byte(text))
		if got := string(names.Known([]byte(text))); got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
		if strange, _ := names.Odd(v); strange != (text != want) {
			t.Errorf("%s: %v", text, strange)
		}
	}
}

func TestFirst(t *testing.T) {
	many := strings.Repeat(`"k":0,`, 50)
	for text, want := range map[string]string{
		`{"a":1,"a":2}`: `{"a":1}`,
		`{"a":1 , "b":2, "a" : {"a":[1,"]"]} , "c":3,"c":4}`: `{"a":1 , "b":2 , "c":3}`,
		`[{"a":{"b":1,"\u0062":2},"a":3}]`:                   `[{"a":{"b":1}}]`,
		`{` + many + `"a":1,` + many + `"a":2}`:              `{"k":0,"a":1}`,
		`{"a":[1,2,{"a":3}],"b":{}}`:                         `{"a":[1,2,{"a":3}],"b":{}}`,
	} {
		if got := string(jsontext.First([]byte(text))); got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}

// TestDeepOnce: what is nested deep is gone over once, and not once for each level of it.
func TestDeepOnce(t *testing.T) {
	text := strings.Repeat(`{"a":`, 9_000) + `[` + strings.Repeat("1,", 4<<20) + `1]` + strings.Repeat(`,"a":1}`, 9_000)
	v, ok := jsontext.Parse([]byte(text))
	if !ok || !v.Repeats() || v.Overwritten() != "" || len(jsontext.First([]byte(text))) > len(text) {
		t.Error("it repeats keys, with numbers alone")
	}
}
