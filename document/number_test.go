package document_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestNumberKinds: a scalar is a number by its form, however large it is.
func TestNumberKinds(t *testing.T) {
	for _, c := range []struct {
		text    string
		kind    document.Kind
		decimal string
		number  float64
		finite  bool
	}{
		{"5", document.Int, "5", 5, true},
		{"+5", document.Int, "5", 5, true},
		{"0x1F", document.Int, "31", 31, true},
		{"-0x10", document.Int, "-16", -16, true},
		{"1_000", document.Int, "1000", 1000, true},
		{"1_0.5", document.Float, "10.5", 10.5, true},
		{"0xFFFFFFFFFFFFFFFFFFFF", document.Int, "1208925819614629174706175", 1208925819614629174706175, true},
		{"-0xFFFFFFFFFFFFFFFFFFFF", document.Int, "-1208925819614629174706175", -1208925819614629174706175, true},
		{"0o7777777777777777777777777", document.Int, "37778931862957161709567", 37778931862957161709567, true},
		{"0b" + strings.Repeat("1", 70), document.Int, "1180591620717411303423", 1180591620717411303423, true},
		{"12345678901234567890", document.Int, "12345678901234567890", 12345678901234567890, true},
		{"+12345678901234567890", document.Float, "+12345678901234567890", 12345678901234567890, true},
		{"0777777777777777777777777", document.Float, "0777777777777777777777777", 777777777777777777777777, true},
		{"1e5", document.Float, "1e5", 100000, true},
		{"1e-400", document.Float, "1e-400", 0, true},
		{"1e400", document.Float, "1e400", 0, false},
		{"-1.5E+400", document.Float, "-1.5E+400", 0, false},
		{".5e999", document.Float, ".5e999", 0, false},
		{"5.e999", document.Float, "5.e999", 0, false},
		{".inf", document.Float, ".inf", 0, false},
		{".nan", document.Float, ".nan", 0, false},
		{"'1e400'", document.String, "", 0, false},
		{`"1e400"`, document.String, "", 0, false},
		{"!!str 1e400", document.String, "", 0, false},
		{"1e400x", document.String, "", 0, false},
		{"e400", document.String, "", 0, false},
		{".", document.String, "", 0, false},
		{"1.2.3", document.String, "", 0, false},
		{"0xG", document.String, "", 0, false},
		{"2026-11-15", document.String, "", 0, false},
		{"|\n  1e400", document.String, "", 0, false},
	} {
		root, problems := document.ParseYAML(diag.NewSource("x", "a: "+c.text+"\n"))
		n := root.Get("a")
		if n == nil || len(problems) > 0 {
			t.Fatalf("%s: %v", c.text, problems)
		}
		if n.Kind != c.kind || n.Decimal() != c.decimal {
			t.Errorf("%s is %s %q, want %s %q", c.text, n.Kind, n.Decimal(), c.kind, c.decimal)
		}
		if number, ok := n.Number(); number != c.number || ok != c.finite {
			t.Errorf("%s is %v %v, want %v %v", c.text, number, ok, c.number, c.finite)
		}
	}
}
