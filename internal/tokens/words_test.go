package tokens

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// expression is how the encoding cuts a text, but for white space that is followed by nothing else, which needs a look ahead.
func expression() *regexp.Regexp {
	const blank = `\t\n\v\f\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}`
	return regexp.MustCompile(`^(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
		`|\p{N}{1,3}` +
		`| ?[^` + blank + `\p{L}\p{N}]+[\r\n/]*` +
		`|[` + blank + `]*[\r\n]+` +
		`|([` + blank + `]+))`)
}

// byExpression is the end of the word at the start of a text.
func byExpression(re *regexp.Regexp, text string) int {
	at := re.FindStringSubmatchIndex(text)
	end := at[1]
	if at[2] >= 0 && end < len(text) {
		if _, size := utf8.DecodeLastRuneInString(text[:end]); end > size {
			end -= size
		}
	}
	return end
}

func compareWords(t *testing.T, re *regexp.Regexp, c *classes, text string) {
	t.Helper()
	for at := 0; at < len(text); {
		end, want := c.word(text, at), at+byExpression(re, text[at:])
		if end != want {
			t.Fatalf("%q at %d: %q, want %q", text, at, text[at:end], text[at:want])
		}
		at = end
	}
}

// TestWords: words that are found by hand are those of the expression, in texts of every kind of character side by side.
func TestWords(t *testing.T) {
	re, c := expression(), newClasses()
	pieces := []string{
		"a", "b", "A", "B", "ǅ", "ʰ", "あ", "字", "é", "É", "\u0301", "\u20dd", "1", "२", "Ⅷ", " ", " ", "\t", "\n", "\r", "\u00a0", "\u2028", "\u0085", "\u3000", "\u200b",
		"'", "'", "s", "S", "ſ", "t", "re", "Ll", "d", "m", "ve", ".", ",", "/", "-", "🙂", "\xff", "\xe3\x81", "\uFFFD", "\x00", "\u1680", "\u180e",
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 60_000 {
		var b strings.Builder
		for range 1 + random.IntN(10) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		compareWords(t, re, c, b.String())
	}
	// Each character that there is, beside a letter of each kind.
	for r := range unicode.MaxRune + 1 {
		if r%7 == 0 || r < 0x3000 {
			compareWords(t, re, c, "a"+string(r)+"B"+string(r)+" "+string(r)+"1")
		}
	}
}

// TestShortWords: both ways to count a word agree.
func TestShortWords(t *testing.T) {
	e, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString([]string{"anti", "dis", "x", "q", "zz", "ing", "é", "字", "\xff", "==", "__", "A"}[random.IntN(12)])
		}
		word := b.String()
		if len(word) > shortWord {
			continue
		}
		if short, long := e.countShort(word), e.countLong(word); short != long {
			t.Fatalf("%q: %d and %d", word, short, long)
		}
	}
}

// TestLongWords: what takes long is counted up to a limit, over all texts, and then told.
func TestLongWords(t *testing.T) {
	e, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	c := e.Counter(3 * (LongWord + 1)) // the blank before a word is part of it
	long := strings.Repeat("abcdefghijklmnop", LongWord/16)
	for i, want := range []bool{true, true, true, false} {
		if n, ok := c.Count("before " + long); ok != want || ok && n != e.Count("before "+long) {
			t.Errorf("%d: %d, %v", i, n, ok)
		}
	}
	if n, ok := c.Count("hello world"); n != 2 || !ok {
		t.Errorf("an ordinary text: %d, %v", n, ok)
	}
}

func FuzzWords(f *testing.F) {
	re := expression()
	f.Add("It's ABC, ok?\n\n  x 1234 /\r\n")
	f.Fuzz(func(t *testing.T, text string) { compareWords(t, re, newClasses(), text) })
}

func BenchmarkCount(b *testing.B) {
	e, err := Load()
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{
		"prose": strings.Repeat("Use the `client` of package api, don't write another one; 12345 tests hold that. ", 12_500),
		"code":  strings.Repeat("\tif err := x.readAll(ctx, &buffer[i+1]); err != nil {\n\t\treturn nil, err\n\t}\n", 13_000),
		"kanji": strings.Repeat("お誕生日おめでとう。", 33_000),
		"hex":   strings.Repeat("0a1b2c3d4e5f60718293a4b5c6d7e8f9", 31_250),
		"long":  strings.Repeat("abcdefghijklmnopqrstuvwxyz", 40_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				e.Count(text)
			}
		})
	}
}
