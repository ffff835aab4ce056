package facts_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/facts"
)

// TestShortened: a value is cut to what there is room for, and one that fits stays as it is.
func TestShortened(t *testing.T) {
	many := make([]facts.Value, 1000)
	for i := range many {
		many[i] = facts.Fields(facts.Field{Name: "path", Value: facts.Text("/a")})
	}
	digits, _ := facts.ParseNumber("1" + strings.Repeat("0", 100) + "1")
	for name, test := range map[string]struct {
		value facts.Value
		room  int
		want  string // as JSON; null: nothing is left
		cut   bool
	}{
		"nothing":            {facts.Value{}, 0, `null`, false},
		"no room":            {facts.Flag(true), 0, `null`, true},
		"a boolean":          {facts.Flag(true), 1, `true`, false},
		"a text that fits":   {facts.Text("abc"), 3, `"abc"`, false},
		"an empty text":      {facts.Text(""), 1, `""`, false},
		"a text":             {facts.Text("abcd"), 3, `"abc…"`, true},
		"between characters": {facts.Text("aéé"), 4, `"aé…"`, true},
		"no character fits":  {facts.Text("\U0001F600"), 3, `"…"`, true},
		"a number":           {facts.Num(7), 1, `7`, false},
		"digits that fit":    {digits, 200, "1" + strings.Repeat("0", 100) + "1", false},
		"digits":             {digits, 50, `1e+101`, true},
		"items that fit":     {facts.Texts("a", "b"), 18, `["a","b"]`, false},
		"items":              {facts.Texts("a", "b", "c"), 18, `["a","b"]`, true},
		"a text in an item":  {facts.Texts("a", "bcd"), 19, `["a","bc…"]`, true},
		"an empty list":      {facts.List(), 1, `[]`, false},
		"many items":         {facts.List(many...), 50, `[{"path":"/a"},{"path":"/a"}]`, true},
		"fields that fit":    {facts.Fields(facts.Field{Name: "ab", Value: facts.Text("cd")}), 12, `{"ab":"cd"}`, false},
		"fields":             {facts.Fields(facts.Field{Name: "ab", Value: facts.Text("cd")}), 11, `{"ab":"c…"}`, true},
		"a long name":        {facts.Fields(facts.Field{Name: strings.Repeat("n", 99), Value: facts.Flag(true)}), 50, `{}`, true},
	} {
		short, took, cut := test.value.Shortened(test.room)
		got, err := short.MarshalJSON()
		if err != nil || string(got) != test.want || cut != test.cut || took > max(test.room, 8) {
			t.Errorf("%s: got %s, %v, %d bytes of %d, %v", name, got, cut, took, test.room, err)
		}
	}
	if list, _ := facts.List(many...).MarshalJSON(); len(list) != 1+1000*len(`{"path":"/a"},`) {
		t.Errorf("the value was changed: %d bytes", len(list))
	}
}

// TestShortenedLooksAtLittle: of a long value, only what is kept is looked at.
func TestShortenedLooksAtLittle(t *testing.T) {
	long := make([]facts.Value, 1_000_000)
	for i := range long {
		long[i] = facts.Text("abc")
	}
	for _, v := range []facts.Value{facts.Text(strings.Repeat("é", 1_000_000)), facts.List(long...)} {
		if n := testing.AllocsPerRun(10, func() { v.Shortened(200) }); n > 4 {
			t.Errorf("%s: %v allocations", v.Kind(), n)
		}
		if short, took, cut := v.Shortened(200); !cut || took > 200 || len(short.Items()) > 25 {
			t.Errorf("%s: %d bytes, %d items", v.Kind(), took, len(short.Items()))
		}
	}
}
