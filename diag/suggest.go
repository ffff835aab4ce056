package diag

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate that the word was probably meant to be, or ""
// when none is near. Case does not count as a difference; of equally near
// candidates the first wins.
func Nearest(word string, candidates []string) string {
	if len(word) > 64 { // nobody mistypes that much; keep it cheap
		return ""
	}
	letters := utf8.RuneCountInString(word)
	best, distance := "", letters/3+1
	lower := strings.ToLower(word)
	for _, c := range candidates {
		if n := utf8.RuneCountInString(c) - letters; len(c) > 2*len(word)+3 || max(n, -n) > distance {
			continue // so many letters are missing at least
		}
		if d := editDistance(lower, strings.ToLower(c)); d < distance || best == "" && d == distance && letters > 2 {
			best, distance = c, d
		}
	}
	return best
}

// DidYouMean words [Nearest] as a hint, or returns "".
func DidYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "did you mean `" + near + "`?"
	}
	return ""
}

// IsNear tells whether a word differs from another one by no more than a slip: by one
// letter, in long words by a fifth of them. Case does not count.
func IsNear(word, other string) bool {
	if len(word) > 64 || len(word) > 2*len(other)+3 || len(other) > 2*len(word)+3 {
		return false
	}
	return editDistance(strings.ToLower(word), strings.ToLower(other)) <= max(1, utf8.RuneCountInString(word)/5)
}

// editDistance counts insertions, deletions, replacements and swaps of
// neighbours (optimal string alignment).
func editDistance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before := make([]int, len(t)+1)
	above := make([]int, len(t)+1)
	row := make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(t)]
}
