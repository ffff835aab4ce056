package visual_test

import (
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

func parse(t testing.TB, text string) *visual.Query {
	t.Helper()
	q, err := visual.Parse(text, visual.Options{})
	if err != nil {
		t.Fatalf("%s: %d+%d: %s (%s)", text, err.Offset, err.Length, err.Message, err.Hint)
	}
	return q
}

func TestReports(t *testing.T) {
	for _, c := range []struct {
		query         string
		attribute     visual.Attribute
		text, primary bool
		regexes       int
	}{
		{"//Button[@name='x']", visual.NoAttribute, false, false, 0},
		{"//Button/@text", visual.Text, true, false, 0},
		{"//Button[@text='x']/Label/@name", visual.Name, true, false, 0},
		{".[contains(@text,'x')]", visual.NoAttribute, true, true, 0},
		{"./Panel[matches(@name,'x')]//*[matches(@process,'y')]/@bounds.x", visual.BoundsX, false, true, 2},
	} {
		q := parse(t, c.query)
		attribute, ok := q.SelectsAttribute()
		if attribute != c.attribute || ok != (c.attribute != visual.NoAttribute) || q.NeedsText() != c.text || q.NeedsPrimary() != c.primary || len(q.Regexes()) != c.regexes {
			t.Errorf("%s: attribute %v %v, text %v, primary %v, %d regexes", c.query, attribute, ok, q.NeedsText(), q.NeedsPrimary(), len(q.Regexes()))
		}
	}
}

func TestAttributes(t *testing.T) {
	kinds := map[string]facts.Kind{"name": facts.String, "text": facts.String, "process": facts.String, "bounds.x": facts.Number, "password": facts.Bool}
	var names []string
	for _, a := range visual.Attributes() {
		names = append(names, a.String())
		if want, ok := kinds[a.String()]; ok && a.Kind() != want {
			t.Errorf("@%s is %s", a, a.Kind())
		}
		if a.Doc() == "" {
			t.Errorf("@%s is not documented", a)
		}
	}
	if !slices.Equal(names, allNames) {
		t.Errorf("attributes are %v", names)
	}
}

func TestKey(t *testing.T) {
	key := func(text string, options visual.Options) string {
		q, err := visual.Parse(text, options)
		if err != nil {
			t.Fatal(text, err.Message)
		}
		return q.Key()
	}
	var fold visual.Options
	exact := visual.Options{CaseSensitive: true}
	for _, c := range []struct {
		a, b    string
		options visual.Options
		same    bool
	}{
		{"//Button[@name='Save']", `// button [ @NAME = "SAVE" ]`, fold, true},
		{"//Button[@name='Save']", `// button [ @NAME = "Save" ]`, exact, true},
		{"//Button[@name='Save']", "//Button[@name='SAVE']", exact, false},
		{"//Button[@selected=true][@name='a']", "//Button[@name='a'][@selected=true][@name='A']", fold, true},
		{"//Button[matches(@name,'\\s')]", "//Button[matches(@name,'\\S')]", fold, false},
		{"//Button", "/Button", fold, false},
		{"//Button", ".//Button", fold, false},
		{"//Button", "//Button/@name", fold, false},
		{"//Button[contains(@name,'a')]", "//Button[@name='a']", fold, false},
	} {
		if got := key(c.a, c.options) == key(c.b, c.options); got != c.same {
			t.Errorf("%s and %s: same key %v", c.a, c.b, got)
		}
	}
	if key("//Button", fold) == key("//Button", exact) {
		t.Error("a key does not tell whether case counts")
	}
}
