package jsontext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

func TestOverwritten(t *testing.T) {
	many := strings.Builder{}
	for i := range 100_000 { // not each with each
		fmt.Fprintf(&many, `"k%d":%d,`, i, i)
	}
	for text, want := range map[string]string{
		`{"a":"x","b":{"a":"y"}}`: "",
		`{"a":"x","a":"y"}`:       "x",
		`{"a":"x","a":"x"}`:       "",
		`{"a":"x","\u0061":"y"}`:  "x",
		`{"a":1,"a":"y"}`:         "",
		`[{"d":{"type":"t","text":"x"},"d":{"type":"t","text":""}}]`: "t\nx",
		`{"a":"x","a":"y","a":"z"}`:                                  "x\ny",
		`{"a":{"b":"x","b":"y"},"c":[{"d":"v","d":null}]}`:           "x\nv",
		`{` + many.String() + `"k7":"x","k7":"y"}`:                   "x",
		`7`:                                     "",
		`{"d":{"a":"x","a":"y"},"d":{"b":"z"}}`: "x\ny", // each once
	} {
		v, ok := jsontext.Parse([]byte(text))
		if !ok {
			t.Fatal("no JSON")
		}
		if got := v.Overwritten(); got != want {
			t.Errorf("%.60s: %q, not %q", text, got, want)
		}
		if want != "" && !v.Repeats() {
			t.Errorf("%.60s repeats nothing", text)
		}
	}
	if v, _ := jsontext.Parse([]byte(`{"a":"x","a":"x"}`)); !v.Repeats() {
		t.Error("it is repeated")
	}
}
