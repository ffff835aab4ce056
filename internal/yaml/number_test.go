package yaml_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/yaml"
)

// TestNumberKinds: a scalar is a number by its form, however large it is.
func TestNumberKinds(t *testing.T) {
	for _, c := range []struct {
		text    string
		kind    yaml.Kind
		decimal string
		number  float64
		finite  bool
	}{
		{"5", yaml.Int, "5", 5, true},
		{"+5", yaml.Int, "5", 5, true},
		{"0x1F", yaml.Int, "31", 31, true},
		{"-0x10", yaml.Int, "-16", -16, true},
		{"1_000", yaml.Int, "1000", 1000, true},
		{"1_0.5", yaml.Float, "10.5", 10.5, true},
		{"0xFFFFFFFFFFFFFFFFFFFF", yaml.Int, "1208925819614629174706175", 1208925819614629174706175, true},
		{"-0xFFFFFFFFFFFFFFFFFFFF", yaml.Int, "-1208925819614629174706175", -1208925819614629174706175, true},
		{"0o7777777777777777777777777", yaml.Int, "37778931862957161709567", 37778931862957161709567, true},
		{"0b" + strings.Repeat("1", 70), yaml.Int, "1180591620717411303423", 1180591620717411303423, true},
		{"12345678901234567890", yaml.Int, "12345678901234567890", 12345678901234567890, true},
		{"1e5", yaml.Float, "1e5", 100000, true},
		{"1e-400", yaml.Float, "1e-400", 0, true},
		{"1e400", yaml.Float, "1e400", 0, false},
		{"-1.5E+400", yaml.Float, "-1.5E+400", 0, false},
		{".5e999", yaml.Float, ".5e999", 0, false},
		{"5.e999", yaml.Float, "5.e999", 0, false},
		{".inf", yaml.Float, ".inf", 0, false},
		{".nan", yaml.Float, ".nan", 0, false},
		{"'1e400'", yaml.String, "", 0, false},
		{`"1e400"`, yaml.String, "", 0, false},
		{"!!str 1e400", yaml.String, "", 0, false},
		{"1e400x", yaml.String, "", 0, false},
		{"e400", yaml.String, "", 0, false},
		{".", yaml.String, "", 0, false},
		{"1.2.3", yaml.String, "", 0, false},
		{"0xG", yaml.String, "", 0, false},
		{"2026-11-15", yaml.String, "", 0, false},
		{"|\n  1e400", yaml.String, "", 0, false},
	} {
		root, problems := yaml.ParseText(diag.NewSource("x", "a: "+c.text+"\n"))
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
