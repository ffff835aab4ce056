package cli

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/internal/glob"
)

// filtered are the indexes of the items that a filter lets through, the best
// first; without a filter all, in their own order.
func filtered(items []pickItem, filter string) []int {
	words := strings.Fields(filter)
	type hit struct{ at, score int }
	var hits []hit
	for i, item := range items {
		total, all := 0, true
		for _, word := range words {
			// A name counts more than an id, an id more than a description.
			score, ok := fuzzy(word, item.Shown())
			score += 20
			if s, found := fuzzy(word, item.Strategy.Name); found && item.Title != "" && (!ok || s+15 > score) { // under its title it is still called so
				score, ok = s+15, true
			}
			if s, found := fuzzy(word, item.Strategy.ID); found && (!ok || s+10 > score) {
				score, ok = s+10, true
			}
			if !ok && strings.Contains(glob.Fold(item.Strategy.Description), glob.Fold(word)) { // letters in their order stand in most sentences
				score, ok = 0, true
			}
			total, all = total+score, all && ok
		}
		if all {
			hits = append(hits, hit{i, total})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	out := make([]int, len(hits))
	for i, h := range hits {
		out[i] = h.at
	}
	return out
}

// fuzzy tells whether the letters of a word stand in a text in their order,
// without case, and how well: letters side by side and at beginnings of words
// count more. Of all ways the best counts.
func fuzzy(word, text string) (score int, ok bool) {
	letters, runes := []rune(glob.Fold(word)), []rune(glob.Fold(text))
	if len(runes) > 512 {
		runes = runes[:512]
	}
	if len(letters) > len(runes) {
		return 0, false
	}
	const none = -1 << 30
	// best[j] is the best score so far that has its last letter at j.
	best, next := make([]int, len(runes)), make([]int, len(runes))
	for i, letter := range letters {
		before := none // best of all columns left of j-1
		for j, r := range runes {
			next[j] = none
			switch {
			case r != letter:
			case i == 0:
				next[j] = bonus(runes, j)
			default:
				if j > 0 && best[j-1] > none {
					next[j] = best[j-1] + 6 // side by side
				}
				if before > none {
					next[j] = max(next[j], before+bonus(runes, j)-1)
				}
			}
			if j > 0 {
				before = max(before, best[j-1])
			}
		}
		best, next = next, best
	}
	score = none
	for _, s := range best {
		score = max(score, s)
	}
	if len(letters) == 0 {
		return 0, true
	}
	return score, score > none/2
}

// bonus is for a letter at the beginning of a word.
func bonus(runes []rune, at int) int {
	if at == 0 || !unicode.IsLetter(runes[at-1]) && !unicode.IsDigit(runes[at-1]) {
		return 4
	}
	return 0
}
