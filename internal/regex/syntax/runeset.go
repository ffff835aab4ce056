package syntax

import (
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"
)

// RuneSet is a sorted list of pairs (low, high), inclusive, without overlap or
// touching neighbours: the form that regexp/syntax uses for its classes too.
// A runeSet is never changed once it is made.
type RuneSet []rune

// NewRuneSet sorts and joins pairs, which it takes over.
func NewRuneSet(pairs []rune) RuneSet {
	if len(pairs) <= 2 {
		return pairs
	}
	sort.Sort(pairOrder(pairs))
	out := pairs[:2]
	for i := 2; i < len(pairs); i += 2 {
		low, high := pairs[i], pairs[i+1]
		last := len(out) - 1
		if low <= out[last]+1 {
			out[last] = max(out[last], high)
			continue
		}
		out = append(out, low, high)
	}
	return out
}

type pairOrder []rune

func (p pairOrder) Len() int           { return len(p) / 2 }
func (p pairOrder) Less(i, j int) bool { return p[2*i] < p[2*j] }
func (p pairOrder) Swap(i, j int) {
	p[2*i], p[2*j] = p[2*j], p[2*i]
	p[2*i+1], p[2*j+1] = p[2*j+1], p[2*i+1]
}

// Contains says whether r is in the set.
func (s RuneSet) Contains(r rune) bool {
	lo, hi := 0, len(s)/2
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch {
		case r < s[2*mid]:
			hi = mid
		case r > s[2*mid+1]:
			lo = mid + 1
		default:
			return true
		}
	}
	return false
}

func (s RuneSet) negate() RuneSet {
	out := make(RuneSet, 0, len(s)+2)
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if s[i] > next {
			out = append(out, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

// subtract gives the characters of s that are not in other.
func (s RuneSet) subtract(other RuneSet) RuneSet {
	both := make([]rune, 0, len(s)+len(other))
	both = append(both, s.negate()...)
	both = append(both, other...)
	return NewRuneSet(both).negate()
}

// Single gives the only character.
func (s RuneSet) Single() (rune, bool) {
	if len(s) == 2 && s[0] == s[1] {
		return s[0], true
	}
	return 0, false
}

// Count gives the number of characters, at most limit.
func (s RuneSet) Count(limit int) int {
	n := 0
	for i := 0; i < len(s) && n < limit; i += 2 {
		n += int(s[i+1]-s[i]) + 1
	}
	return min(n, limit)
}

func tableSet(tables ...*unicode.RangeTable) RuneSet {
	var pairs []rune
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			pairs = append(pairs, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			pairs = append(pairs, r, r)
		}
	}
	for _, table := range tables {
		for _, r := range table.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range table.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return NewRuneSet(pairs)
}

// Class is a character class as it was written. It becomes a runeSet only when
// an engine is built, since a set such as \w has some seven hundred ranges and
// checking ten thousand expressions at start should not pay for them.
type Class struct {
	Pairs  []rune // written characters and ranges, which fold
	Named  []namedSet
	Fold   Folding
	Negate bool
	Except *Class // .NET's subtraction, nil for none
}

// namedSet is a set that is known by name (\w, \p{Lu}); it never folds.
type namedSet struct {
	set    func() RuneSet
	negate bool
}

func (c *Class) resolve() RuneSet {
	if len(c.Named) == 1 && len(c.Pairs) == 0 && c.Except == nil {
		set := c.Named[0].set()
		if c.Named[0].negate != c.Negate {
			return set.negate()
		}
		return set
	}
	pairs := slices.Clone(c.Pairs)
	if c.Fold != FoldNone {
		pairs = c.Fold.close(NewRuneSet(pairs))
	}
	for _, named := range c.Named {
		set := named.set()
		if named.negate {
			set = set.negate()
		}
		pairs = append(pairs, set...)
	}
	set := NewRuneSet(pairs)
	if c.Negate {
		set = set.negate()
	}
	if c.Except != nil {
		set = set.subtract(c.Except.resolve())
	}
	return set
}

// Has says whether r is in the class, without resolving it.
func (c *Class) Has(r rune) bool {
	in := c.Fold.inPairs(c.Pairs, r)
	for i := 0; !in && i < len(c.Named); i++ {
		in = c.Named[i].set().Contains(r) != c.Named[i].negate
	}
	return in != c.Negate && (c.Except == nil || !c.Except.Has(r))
}

// ASCIIOnly says whether the class surely has no character beyond ASCII.
func (c *Class) ASCIIOnly() bool {
	if c.Negate || len(c.Named) > 0 {
		return false
	}
	for _, r := range c.Pairs {
		// The Kelvin sign and the long s are equal to ASCII letters.
		if r >= utf8.RuneSelf || c.Fold == foldSimple {
			return false
		}
	}
	return true
}

// weight is about how many ranges the class has when it is resolved.
func (c *Class) weight() int {
	n := len(c.Pairs) / 2
	if len(c.Named) > 0 {
		n += 700 * len(c.Named)
	}
	if c.Except != nil {
		n += c.Except.weight()
	}
	return n
}
