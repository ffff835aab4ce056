package facts_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/facts"
)

// TestNumbersBeyondRange: such a number is absent, with the reason, and never
// text.
func TestNumbersBeyondRange(t *testing.T) {
	path, _ := facts.Lookup("clipboard.text")
	items, _ := facts.Lookup("assistant.model.modalities")
	for _, number := range []string{"1e400", "-1e400", "1e309", "1" + strings.Repeat("0", 400), "1e99999999999999999999", "1e-99999999999999999999", ".inf", "-.inf", ".nan", "0x" + strings.Repeat("F", 300)} {
		for name, text := range map[string]string{
			"JSON":                  `{"clipboard": {"text": ` + number + `, "hasText": true}, "assistant": {"model": {"modalities": [1, ` + number + `, 2]}}}`,
			"JSON with a key twice": `{"clipboard": {"hasText": true, "text": ` + number + `}, "assistant": {"model": {"modalities": [1, ` + number + `, 2]}}} `,
			"YAML":                  "clipboard: {hasText: true, text: " + number + "}\nassistant: {model: {modalities: [1, " + number + ", 2]}}\n",
		} {
			if name != "YAML" && !strings.ContainsAny(number[len(number)-1:], "0123456789") {
				continue
			}
			s := decoded(t, text)
			if v := s.At(path); !v.IsAbsent() || v.Text() != "" || v.Decimal() != "0" {
				t.Errorf("%s: %.20s is %s", name, number, v.Kind())
			}
			if why := s.WhyAbsent("clipboard.text"); why.Reason != "the number there is beyond the range of a double" || why.Code != "" {
				t.Errorf("%s: %.20s is absent because of %+v", name, number, why)
			}
			if list := s.At(items).Items(); len(list) != 3 || !list[1].IsAbsent() || list[2].Number() != 2 {
				t.Errorf("%s: %.20s in a list: %v", name, number, list)
			}
			if written, err := s.Values().MarshalJSON(); err != nil || !strings.Contains(string(written), `"text":null`) {
				t.Errorf("%s: %.20s is written as %s, %v", name, number, written, err)
			}
		}
	}
	if s := decoded(t, `{}`); s.WhyAbsent("clipboard.text") != (facts.Absence{}) || s.WhyAbsent("no.such") != (facts.Absence{}) {
		t.Error("what was never written has a reason")
	}
	if facts.Text("x").Reason() != "" || (facts.Value{}).Reason() != "" {
		t.Error("a value has a reason to be absent")
	}
}

// TestParseNumberForms: equal numbers are equal, however they are written.
func TestParseNumberForms(t *testing.T) {
	for want, forms := range map[string][]string{
		"0":                                    {"0", "-0", "+0", "0.0", "0e5", "-0e-400", "0e99999999999999999999", "0.000e400", "000"},
		"1000":                                 {"1000", "1e3", "1.0E+3", "10000e-1", "0.1e4", "001000.00", "+1000"},
		"-12.5":                                {"-12.5", "-1.25e1", "-125e-1", "-0012.500"},
		"9007199254740993":                     {"9007199254740993", "9007199254740993.0", "9.007199254740993e15", "90071992547409930e-1"},
		"123456.7890123456789":                 {"123456.7890123456789", "1.234567890123456789e5", "1234567890123456789e-13"},
		"0.30000000000000004":                  {"0.30000000000000004", "30000000000000004e-17"},
		"10000000000000000000000":              {"1e22", "10000000000000000000000"},
		"0." + strings.Repeat("0", 399) + "1":  {"1e-400", "0.1e-399", "10e-401", "0." + strings.Repeat("0", 399) + "1"},
		"1.5e-1000":                            {"1.5e-1000", "15e-1001", "0.15e-999"},
		"-2e-500":                              {"-2e-500", "-20e-501"},
		"0." + strings.Repeat("0", 323) + "5":  {"5e-324", "0.5e-323"},
		"0." + strings.Repeat("0", 323) + "4":  {"4e-324", "40e-325"},
		strings.Repeat("7", 300):               {strings.Repeat("7", 300), strings.Repeat("7", 300) + ".0", strings.Repeat("7", 300) + "e0"},
		"1." + strings.Repeat("3", 500) + "e0": {"1." + strings.Repeat("3", 500), "0.1" + strings.Repeat("3", 500) + "e1"},
	} {
		for _, form := range forms {
			v, ok := facts.ParseNumber(form)
			if !ok || v.Kind() != facts.Number || v.Decimal() != want {
				t.Errorf("%.40s is %.60s %v, want %.60s", form, v.Decimal(), ok, want)
			}
			if first, _ := facts.ParseNumber(forms[0]); !v.Equal(first) || facts.CompareNumbers(v, first) != 0 {
				t.Errorf("%.40s and %.40s are not equal", form, forms[0])
			}
		}
	}
	for _, form := range []string{"", "x", "1x", "0x1p4", "1e", "--1", "inf", "nan", "1_0", "1e400", "-1e400"} {
		if v, ok := facts.ParseNumber(form); ok || !v.IsAbsent() {
			t.Errorf("%q is a number", form)
		}
	}
}

// TestCompareNumbers compares with exact fractions.
func TestCompareNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	write := func() string {
		bases := []string{"0", "9007199254740992", "9007199254740993", "9007199254740994", "0.1", "0.10000000000000000001", "1", "0.99999999999999999999", "123456789012345678901234567890", "5"}
		text := bases[r.IntN(len(bases))]
		if r.IntN(2) == 0 {
			text = "-" + text
		}
		return text + []string{"", "", "e0", "e1", "e-1", "e-400", "e-401", "e-320", "e200"}[r.IntN(9)]
	}
	for range 20_000 {
		a, b := write(), write()
		x, _ := facts.ParseNumber(a)
		y, _ := facts.ParseNumber(b)
		exactX, _ := new(big.Rat).SetString(a)
		exactY, _ := new(big.Rat).SetString(b)
		if got, want := facts.CompareNumbers(x, y), exactX.Cmp(exactY); got != want || x.Equal(y) != (want == 0) {
			t.Fatalf("%s and %s compare as %d (equal %v), want %d", a, b, got, x.Equal(y), want)
		}
		nearest, _ := strconv.ParseFloat(a, 64)
		if x.Number() != nearest {
			t.Fatalf("%s is next to %v, want %v", a, x.Number(), nearest)
		}
		if whole := new(big.Rat).SetFloat64(math.Trunc(nearest)); math.Abs(nearest) < 1<<53 {
			if got := new(big.Rat).SetFloat64(x.Towards()).Cmp(whole); got != exactX.Cmp(whole) {
				t.Fatalf("%s: %v compares with %v as %d", a, x.Towards(), whole, got)
			}
		}
		if double := x.Double(); double != nearest && nearest != 0 || (double == 0) != (exactX.Sign() == 0) || double > 0 && exactX.Sign() < 0 || double < 0 && exactX.Sign() > 0 {
			t.Fatalf("%s as a double is %v", a, double)
		}
	}
}
