package pertain_test

import (
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestSubset holds the comparison of the runner against what conformance/README.md says of SUBSET:
// a runner that accepts everything would pass every case.
func TestSubset(t *testing.T) {
	for _, test := range []struct {
		want, got string
		meets     bool
	}{
		{`1`, `1`, true},
		{`1`, `1.0`, true},
		{`1.5`, `1.5`, true},
		{`1`, `2`, false},
		{`1`, `"1"`, false},
		{`a`, `"a"`, true},
		{`a`, `"A"`, false},
		{`null`, `null`, true},
		{`null`, `false`, false},
		{`false`, `null`, false},
		{`{a: 1}`, `{"a": 1, "b": 2}`, true},
		{`{a: 1}`, `{"b": 2}`, false},
		{`{a: null}`, `{}`, false},
		{`{a: {$absent: true}}`, `{}`, true},
		{`{a: {$absent: true}}`, `{"a": null}`, false},
		{`[1, 2]`, `[1, 2]`, true},
		{`[1, 2]`, `[2, 1]`, false},
		{`[1]`, `[1, 2]`, false},
		{`[]`, `null`, false},
		{`{$set: [1, 2]}`, `[2, 1]`, true},
		{`{$set: [1, 1]}`, `[1, 2]`, false},
		{`{$set: [{a: 1}, {}]}`, `[{"a": 1}, {"a": 1, "b": 2}]`, true},
		{`{$set: [{}, {a: 1}]}`, `[{"a": 1}, {"b": 2}]`, true},
		{`{$contains: [2]}`, `[1, 2, 3]`, true},
		{`{$contains: [2, 4]}`, `[1, 2, 3]`, false},
		{`{$none: [4]}`, `[1, 2, 3]`, true},
		{`{$none: [4, 2]}`, `[1, 2, 3]`, false},
		{`{$none: [1]}`, `null`, false},
		{`{$match: "^a.c$"}`, `"abc"`, true},
		{`{$match: "^a.c$"}`, `5`, false},
		{`{$in: [1, null]}`, `null`, true},
		{`{$in: [1, 2]}`, `null`, false},
		{`{$not: true}`, `null`, true},
		{`{$not: true}`, `true`, false},
		{`{$min: 2}`, `2`, true},
		{`{$min: 2}`, `1.9`, false},
		{`$WORK/a`, `"$WORK/a"`, false},
	} {
		var want any
		if err := yaml.Unmarshal([]byte(test.want), &want); err != nil {
			t.Fatal(err)
		}
		got, err := readJSON(test.got)
		if err != nil {
			t.Fatal(err)
		}
		if meets := len(subset(newWorld(t), "", want, got)) == 0; meets != test.meets {
			t.Errorf("%s meets %s: want %v, got %v", test.got, test.want, test.meets, meets)
		}
	}
}

// TestShortForm holds the short form of diagnostics.
func TestShortForm(t *testing.T) {
	diagnostic := map[string]any{"severity": "error", "code": "a.b", "message": "use `x:`", "line": 3.0, "column": 7.0}
	for short, meets := range map[string]bool{
		"error a.b":              true,
		"error a.b 3":            true,
		"error a.b 3:7":          true,
		"error a.b 3:5+":         true,
		"error a.b 3:7+":         true,
		"error c.d|a.b 3:7 ~ x:": true,
		"warning a.b":            false,
		"error a.c":              false,
		"error a.b 4":            false,
		"error a.b 3:5":          false,
		"error a.b 3:8+":         false,
		"error a.b 2:5+":         false,
		"error a.b ~ y:":         false,
	} {
		if readShort(short).meets(diagnostic) != meets {
			t.Errorf("%s: want %v", short, meets)
		}
	}
}
