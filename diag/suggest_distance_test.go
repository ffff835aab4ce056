package diag_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
)

// alignment is the distance of two words, by its definition.
func alignment(a, b string) int {
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case s[i-1] == t[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}

// TestNearByDefinition: what is spared changes no answer.
func TestNearByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	word := func() string {
		var b strings.Builder
		for range 1 + r.IntN(24) {
			b.WriteRune([]rune("abcde.\u00e4\u6f22\U0001f600")[r.IntN(6+3*r.IntN(2))])
		}
		return b.String()
	}
	change := func(s string) string {
		letters := []rune(s)
		for range r.IntN(6) {
			at := r.IntN(len(letters))
			switch r.IntN(4) {
			case 0:
				letters[at] = 'x'
			case 1:
				letters = append(letters[:at:at], append([]rune{'\u00e4'}, letters[at:]...)...)
			case 2:
				if len(letters) > 1 {
					letters = append(letters[:at:at], letters[at+1:]...)
				}
			case 3:
				other := (at + 1) % len(letters)
				letters[at], letters[other] = letters[other], letters[at]
			}
		}
		return string(letters)
	}
	for range 20_000 {
		a := word()
		b := change(a)
		if r.IntN(4) == 0 {
			b = word()
		}
		if len(a) > 64 || len(a) > 2*len(b)+3 || len(b) > 2*len(a)+3 {
			continue
		}
		d, length := alignment(a, b), utf8.RuneCountInString(a)
		if got, want := diag.IsNear(a, b), d <= max(1, length/5); got != want {
			t.Fatalf("IsNear(%q, %q) = %t, at a distance of %d", a, b, got, d)
		}
		limit := length/3 + 1
		if got, want := diag.Nearest(a, []string{b}) != "", d < limit || d == limit && length > 2; got != want {
			t.Fatalf("Nearest(%q, %q) = %t, at a distance of %d", a, b, got, d)
		}
	}
}
