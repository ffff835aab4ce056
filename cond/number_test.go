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
		cond.NewSet([]cond.Member{{Program: program}}).Match(t.Context(), cond.NewEvaluation(s), func(h cond.Hit) { found = h.Result })
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
