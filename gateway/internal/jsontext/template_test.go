package jsontext_test

import (
	"fmt"
	"testing"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// TestTemplate: a text is taken for one that is written alike only where reading it whole finds the same.
func TestTemplate(t *testing.T) {
	var none jsontext.Template
	if _, ok := none.Matches([]byte(`{"a":"x"}`)); ok {
		t.Error("nothing is written alike")
	}
	form := ` {"type":"delta","index":0,"delta":{"text":%s},"text":"other"}`
	learned, ok := jsontext.Parse(fmt.Appendf(nil, form, `"one"`))
	if !ok {
		t.Fatal("no JSON")
	}
	var same jsontext.Template
	same.Learn(learned.Get("delta", "text"))
	for _, text := range []string{
		`""`, `"a"`, `"\""`, `"\\"`, `"\n\u00e9 é 😀"`, "\"\xff\"", `"},\"text\":\"other\"}"`,
		`"`, `"a`, `"\"`, `"\x"`, "\"\n\"", `"a","text":"b"`, `null`, `"\ud800"`, `"a" `, ` "a"`, `"a"},"text":"other"},{"b":""`,
	} {
		data := fmt.Appendf(nil, form, text)
		whole, valid := jsontext.Parse(data)
		want := whole.Get("delta", "text")
		if got, ok := same.Matches(data); ok && (!valid || got.From() != want.From() || got.To() != want.To() || got.Text() != want.Text()) {
			t.Errorf("%s is read as %s", data, got.Raw())
		} else if plain := valid && want.Kind() == '"' && text[0] == '"' && want.To()-want.From() == len(text); !ok && plain && whole.Get("text").Is("other") {
			t.Errorf("%s is not known", data)
		}
	}
	for _, other := range []string{``, `{`, ` {"type":"delta","index":0,"delta":{"text":"`, ` {"type":"delta","index":1,"delta":{"text":"a"},"text":"other"}`} {
		if _, ok := same.Matches([]byte(other)); ok {
			t.Errorf("%s is taken for another", other)
		}
	}
}
