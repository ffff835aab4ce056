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
		if d := editDistance(lower, strings.ToLower(c), distance); d < distance || best == "" && d == distance && letters > 2 {
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
	limit := max(1, utf8.RuneCountInString(word)/5)
	return editDistance(strings.ToLower(word), strings.ToLower(other), limit) <= limit
}

// maxLetters is how long a word may be that is compared: that of 64 bytes, and one that is twice as long and a little more.
const maxLetters = 2*64 + 3

// editDistance counts insertions, deletions, replacements and swaps of neighbours
// (optimal string alignment), of words in small letters. Beyond the limit it is
// some number that is greater: a file may hold very many words that are nothing.
func editDistance(a, b string, limit int) int {
	if len(a) > maxLetters || len(b) > maxLetters || unlike(a, b) > limit {
		return limit + 1
	}
	var first, second [maxLetters]rune
	s, t := letters(first[:0], a), letters(second[:0], b)
	var rows [3][maxLetters + 1]int
	before, above, row := rows[0][:len(t)+1], rows[1][:len(t)+1], rows[2][:len(t)+1]
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit+1 { // a swap may reach over one row, and no further
			return limit + 1
		}
		before, above, row = above, row, before
	}
	return above[len(t)]
}

func letters(to []rune, word string) []rune {
	for _, r := range word {
		to = append(to, r)
	}
	return to
}

// unlike is how many letters at least must change in a word of another: those that
// one of them has more of.
func unlike(a, b string) int {
	var more [64]int16 // of bytes; some share a place
	bytes := 1         // of a letter, at most
	for i := range len(a) {
		more[a[i]%64]++
		if a[i] >= utf8.RuneSelf {
			bytes = utf8.UTFMax
		}
	}
	for i := range len(b) {
		more[b[i]%64]--
		if b[i] >= utf8.RuneSelf {
			bytes = utf8.UTFMax
		}
	}
	left, right := 0, 0
	for _, n := range more {
		left, right = left+int(max(n, 0)), right-int(min(n, 0))
	}
	return max(left, right) / bytes
}
