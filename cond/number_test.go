package cond_test

import (
	"testing"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
)

// TestNumbersAsWritten: what is written differently is compared by what it says.
func TestNumbersAsWritten(t *testing.T) {
	for _, c := range []struct {
		value, operator string
		want            cond.Tri
	}{
		{"1e-400", "equals: 0", cond.False},
		{"0", "equals: 1e-400", cond.False},
		{"1e-400", "equals: 10e-401", cond.True},
		{"1e-400", "in: [0, 1e-401]", cond.False},
		{"1e-400", "max: 0", cond.False},
		{"1e-400", "min: 0", cond.True},
		{"0", "min: 1e-400", cond.False},
		{"0", "max: -1e-400", cond.False},
		{"-1e-400", "max: 0", cond.True},
		{"-1e-400", "min: 0", cond.False},
		{"9007199254740993", "equals: 9007199254740992", cond.False},
		{"9007199254740993", "equals: 9007199254740993.0", cond.True},
		{"9007199254740993", "equals: 9.007199254740993e15", cond.True},
		{"9007199254740993", "equals: 0x20000000000001", cond.True},
		{"9007199254740993", "max: 9007199254740992", cond.False},
		{"9007199254740992", "min: 9007199254740993", cond.False},
		{"9007199254740993", "min: 9007199254740993", cond.True},
		{"1208925819614629174706175", "equals: 0xFFFFFFFFFFFFFFFFFFFF", cond.True},
		{"1208925819614629174706176", "equals: 0xFFFFFFFFFFFFFFFFFFFF", cond.False},
		{"1.0", "equals: 1", cond.True},
		{"-0.0", "equals: 0", cond.True},
		{"1e3", "in: [1000]", cond.True},
		{"0.1", "equals: 0.10000000000000000001", cond.False},
	} {
		v, ok := facts.ParseNumber(c.value)
		if !ok {
			t.Fatal(c.value)
		}
		when := "{clipboard.text: {" + c.operator + "}}"
		s := empty().With("clipboard.text", v)
		if got, _, _ := decide(t, when, s); got != c.want {
			t.Errorf("%s on %s: %s, want %s", when, c.value, got, c.want)
		}
		_, program, _ := compile(t, when)
		found := cond.False
		cond.NewSet([]cond.Condition{{Program: program}}).Match(t.Context(), cond.NewEvaluation(s), func(h cond.Hit) { found = h.Result })
		if found != c.want {
			t.Errorf("%s on %s: the index says %s, want %s", when, c.value, found, c.want)
		}
	}
}

// TestRangesOfLengths: a bound between two whole numbers is neither.
func TestRangesOfLengths(t *testing.T) {
	for _, c := range []struct {
		text, bounds string
		want         cond.Tri
	}{
		{"", "min: 1e-400", cond.False},
		{"", "max: 1e-400", cond.True},
		{"", "equals: 1e-400", cond.False},
		{"", "max: -1e-400", cond.False},
		{"a", "equals: 0.99999999999999999999999", cond.False},
		{"a", "max: 0.99999999999999999999999", cond.False},
		{"a", "min: 0.99999999999999999999999", cond.True},
		{"a", "min: 1.0000000000000000000000001", cond.False},
		{"a", "equals: 1.00", cond.True},
		{"a", "equals: 0x1", cond.True},
	} {
		when := "{clipboard.text: {length: {" + c.bounds + "}}}"
		if got, _, _ := decide(t, when, empty().With("clipboard.text", facts.Text(c.text))); got != c.want {
			t.Errorf("%s on %q: %s, want %s", when, c.text, got, c.want)
		}
	}
}

// TestInOfManyValues: a long list is looked up by its hash, and answers as a
// short one does.
func TestInOfManyValues(t *testing.T) {
	for _, c := range []struct {
		list  string
		value facts.Value
		want  cond.Tri
		kind  bool // the operator is for such a value
	}{
		{"a, b, c, d, e, f, g, h, X", facts.Text("x"), cond.True, true},
		{"a, b, c, d, e, f, g, h, X", facts.Text("A"), cond.True, true},
		{"a, b, c, d, e, f, g, h, X", facts.Text("y"), cond.False, true},
		{"a, b, c, d, e, f, g, h, X", facts.Num(5), cond.False, false},
		{"a, b, c, d, e, f, g, 5, true", facts.Num(5), cond.True, true},
		{"a, b, c, d, e, f, g, 5, true", facts.Flag(true), cond.True, true},
		{"a, b, c, d, e, f, g, 5, true", facts.Text("5"), cond.False, true},
		{"1, 2, 3, 4, 5, 6, 7, 8, 9", facts.Text("5"), cond.False, false},
		{"1, 2, 3, 4, 5, 6, 7, 8, 9", facts.Num(9), cond.True, true},
		{"1, 2", facts.Text("1"), cond.False, false},
		{"", facts.Text("1"), cond.False, true},
	} {
		for _, sensitive := range []bool{false, true} {
			when, want := "{clipboard.text: {in: ["+c.list+"]}}", c.want
			if sensitive {
				when = "{clipboard.text: {in: [" + c.list + "], caseSensitive: true}}"
				if c.value.Text() == "x" || c.value.Text() == "A" {
					want = cond.False
				}
			}
			got, _, list := decide(t, when, empty().With("clipboard.text", c.value))
			if got != want || (len(list) == 0) != c.kind {
				t.Errorf("%s on %v: %s %v, want %s", when, c.value.Decimal()+c.value.Text(), got, list, want)
			}
		}
	}
}
