package glob_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/glob"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"Plain TEXT 09", "plain text 09"},
		{"É", "é"},
		{"straße", "straße"},
		{"STRASSE", "strasse"},
		{"\u212a", "k"},
		{"ſ", "s"},
		{"ı", "ı"},
		{"İ", "İ"},
		{"日本語", "日本語"},
		{"A日B", "a日b"},
		{"\xffA\xc3", "\xffa\xc3"},
		{"ΣΑΣ", "σασ"},
		{"ς", "σ"},
	} {
		if got := glob.Fold(c.in); got != c.want {
			t.Errorf("Fold(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestFoldAllocatesNothingForFoldedText(t *testing.T) {
	for _, s := range []string{"plain", "déjà vu", "日本語 텍스트"} {
		if n := testing.AllocsPerRun(10, func() { glob.Fold(s) }); n != 0 {
			t.Errorf("Fold(%q) allocates %v times", s, n)
		}
	}
}

func TestEqualFold(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"a", "", false},
		{"abc", "ABC", true},
		{"abc", "ABCD", false},
		{"É", "é", true},
		{"ß", "ss", false},
		{"k", "\u212a", true},
		{"i", "İ", false},
		{"\xff", "\ufffd", false},
		{"\xff", "\xff", true},
	} {
		if got := glob.EqualFold(c.a, c.b); got != c.want {
			t.Errorf("EqualFold(%q, %q) = %v", c.a, c.b, got)
		}
	}
}

func FuzzFold(f *testing.F) {
	f.Add("Abc", "aBC")
	f.Add("\u212aſ", "ks")
	f.Add("\xffÉ", "\xffé")
	f.Fuzz(func(t *testing.T, a, b string) {
		fa, fb := glob.Fold(a), glob.Fold(b)
		if glob.Fold(fa) != fa {
			t.Errorf("Fold is not idempotent on %q", a)
		}
		if glob.EqualFold(a, b) != (fa == fb) {
			t.Errorf("EqualFold(%q, %q) and Fold disagree", a, b)
		}
		// The standard library takes a byte that is not UTF-8 for U+FFFD.
		if utf8.ValidString(a) && utf8.ValidString(b) && strings.EqualFold(a, b) != (fa == fb) {
			t.Errorf("strings.EqualFold(%q, %q) and Fold disagree", a, b)
		}
	})
}
