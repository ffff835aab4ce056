package glob

import (
	"strings"
	"unicode/utf8"
)

// Plain tells whether of s only ASCII folds to ASCII: it has neither the Kelvin sign nor the long s.
func Plain(s string) bool {
	return !strings.Contains(s, "\u212A") && !strings.Contains(s, "\u017F")
}

// ContainsFolded tells whether Fold(s) contains a text that is folded already. If s is [Plain] and the part ASCII, s is
// not folded for it: the part is looked for by the byte of it that texts have most rarely, in both cases. For long parts that
// could take the product of both lengths, where a text is nearly the part everywhere.
func ContainsFolded(s, folded string, plain bool) bool {
	rare, ok := rareByte(folded)
	if !ok || !plain || len(folded) > longPart {
		return strings.Contains(Fold(s), folded)
	}
	if len(s) >= 2*sampled {
		rare = rarestIn(s[:sampled], folded, rare)
	}
	lower := folded[rare]
	upper := lower
	if 'a' <= lower && lower <= 'z' {
		upper -= 'a' - 'A'
	}
	// Where the byte is next in each of the two cases; what comes first is tried first, so that both move along together.
	last := len(s) - len(folded) + rare
	nextLower, nextUpper := indexFrom(s, lower, rare), len(s)
	if upper != lower {
		nextUpper = indexFrom(s, upper, rare)
	}
	for {
		at := min(nextLower, nextUpper)
		if at > last {
			return false
		}
		if equalASCII(s[at-rare:at-rare+len(folded)], folded) {
			return true
		}
		if at == nextLower {
			nextLower = indexFrom(s, lower, at+1)
		} else {
			nextUpper = indexFrom(s, upper, at+1)
		}
	}
}

// sampled is how many bytes of a long text are asked which byte of a part is rare in this very text.
const sampled = 256

// rarestIn is where a part has the byte that a text has most rarely. What it has once at most is rare enough; at is tried first.
func rarestIn(text, part string, at int) int {
	least := strings.Count(text, part[at:at+1])
	for i := 0; i < len(part) && least > 1; i++ {
		if n := strings.Count(text, part[i:i+1]); n < least {
			at, least = i, n
		}
	}
	return at
}

// longPart is from how many bytes on a part is looked for in the folded text.
const longPart = 64

// rareByte is where a part has the byte that is met most rarely in texts; false: it is empty, or not ASCII.
func rareByte(part string) (at int, ok bool) {
	const (
		rarity  = "ctlkaoqiexvjnfdpyhgbmurwsz" // of the letters a to z: e is the most common, z the rarest
		space   = 0
		another = 0xFF // digits, punctuation
	)
	most := -1
	for i := range len(part) {
		rank := another
		switch c := part[i]; {
		case c >= utf8.RuneSelf:
			return 0, false
		case 'a' <= c && c <= 'z':
			rank = int(rarity[c-'a'])
		case c == ' ':
			rank = space
		}
		if rank > most {
			at, most = i, rank
		}
	}
	return at, part != ""
}

// indexFrom is where a byte is next in s; len(s): nowhere.
func indexFrom(s string, c byte, from int) int {
	if from >= len(s) {
		return len(s)
	}
	if i := strings.IndexByte(s[from:], c); i >= 0 {
		return from + i
	}
	return len(s)
}

// equalASCII tells whether s, once folded, is a text of as many bytes that is folded ASCII.
func equalASCII(s, folded string) bool {
	for i := range len(folded) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != folded[i] {
			return false
		}
	}
	return true
}
