package jsontext_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

func parse(t *testing.T, text string) jsontext.Value {
	t.Helper()
	v, ok := jsontext.Parse([]byte(text))
	if !ok {
		t.Fatalf("%s is no JSON", text)
	}
	return v
}

func TestValue(t *testing.T) {
	v := parse(t, ` { "a" : [1, "x\"y", {"b":null}], "t\u0079pe":"\u00e9\ud83d\ude00", "n":-12 ,"n":13,"e":{},"l":[ ],"s":"\\","t":true} `)
	if got := v.Get("a").At(1).Text(); got != `x"y` {
		t.Error(got)
	}
	if got := v.Get("type").Text(); got != "é😀" {
		t.Error(got)
	}
	if v.Get("n").Int() != 13 || v.Get("n").Kind() != '0' || v.Get("a").Len() != 3 || v.Get("l").Len() != 0 || !v.Get("s").Is(`\`) || !v.Get("t").True() {
		t.Error("numbers, lists and texts")
	}
	if v.Get("a").At(2).Get("b").Exists() || v.Get("a", "b").Exists() || v.Get("none").Kind() != 0 || v.Get("a").At(9).Exists() || !v.Get("e").Exists() {
		t.Error("what exists")
	}
	var picked [3]jsontext.Value
	v.Pick(picked[:], "n", "none", "type")
	if picked[0].Int() != 13 || picked[1].Exists() || string(picked[2].Word()) != "é😀" || string(v.Get("s").Word()) != `\` || v.Get("n").Word() != nil {
		t.Error("what was picked")
	}
	if _, ok := jsontext.Parse([]byte(`{"a":}`)); ok {
		t.Error("no JSON was taken")
	}
}

func TestEdit(t *testing.T) {
	for _, tt := range []struct {
		text string
		edit func(v jsontext.Value) jsontext.Edit
		want string
	}{
		{`{"a": 1 , "b":2}`, func(v jsontext.Value) jsontext.Edit { return v.Set("a", []byte("9")) }, `{"a": 9 , "b":2}`},
		{`{"a": 1 }`, func(v jsontext.Value) jsontext.Edit { return v.Set("b", []byte("9")) }, `{"a": 1,"b":9 }`},
		{`{ }`, func(v jsontext.Value) jsontext.Edit { return v.Set("b", []byte("9")) }, `{"b":9 }`},
		{`[1, 2 ]`, func(v jsontext.Value) jsontext.Edit { return v.Append([]byte("3"), []byte("4")) }, `[1, 2,3,4 ]`},
		{`[1]`, func(v jsontext.Value) jsontext.Edit { return v.Append([]byte("3")) }, `[1,3]`},
		{`[ ]`, func(v jsontext.Value) jsontext.Edit { return v.Append([]byte("3")) }, `[3 ]`},
		{`[1]`, func(v jsontext.Value) jsontext.Edit { return v.Append() }, `[1]`},
	} {
		if got := string(jsontext.Apply([]byte(tt.text), tt.edit(parse(t, tt.text)))); got != tt.want {
			t.Errorf("%s: %s", tt.text, got)
		}
	}
	if got := string(jsontext.Quote("<a>\"\n")); got != `"<a>\"\n"` {
		t.Error(got)
	}
}

// FuzzValue holds that what is found is what encoding/json finds, and that nothing is
// out of bounds, whatever the text.
func FuzzValue(f *testing.F) {
	for _, text := range []string{`{"a":[1,{"b":"\\\""}],"a":null}`, `"x"`, ` [ ] `, `{"":{"":[[]]}}`, `-1e9`, `{"a\"b":true}`, "\"\xff\""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := jsontext.Parse([]byte(text))
		if ok != json.Valid([]byte(text)) {
			t.Fatal(ok)
		}
		if !ok {
			return
		}
		if string(v.Raw()) != strings.Trim(text, " \t\r\n") {
			t.Fatalf("%q", v.Raw())
		}
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			return // a number that is too large
		}
		if got := tree(v); !reflect.DeepEqual(got, want) {
			t.Fatalf("%#v, not %#v", got, want)
		}
	})
}

func tree(v jsontext.Value) any {
	switch v.Kind() {
	case '{':
		all := map[string]any{}
		for key, value := range v.Members() {
			all[key] = tree(value)
		}
		return all
	case '[':
		all := []any{}
		for item := range v.Items() {
			all = append(all, tree(item))
		}
		return all
	case '"':
		return v.Text()
	case 't', 'f':
		return v.True()
	case 'n':
		return nil
	}
	var n float64
	_ = json.Unmarshal(v.Raw(), &n)
	return n
}
