package syntax

import "slices"

// Early says whether the expression, which needs no backtracking, may be decided
// before any match of it has ended: it may match whatever follows, as a$|a[^] does
// after an a. It may say yes where the answer is no.
//
// A text is decided so only if it matches as it is, by an assertion about its end,
// and if every character that may follow leads to a match or to such a text again.
// All instructions that can be come to after a kind of character are tried
// together, with a few characters, each again and again: if one of them undoes the
// match of them all, it undoes that of each.
func (p *Program) Early() bool {
	if !p.Uses(EndText) && !p.Uses(EndLineAny) && !p.Uses(WordBoundaryASCII) && !p.Uses(NotWordBoundaryASCII) {
		return false
	}
	for _, before := range Contexts {
		if p.earlyAfter(before) {
			return true
		}
	}
	return false
}

// followers are characters that may follow, of all kinds that assertions ask for.
var followers = [...]rune{'\uE000', 'q', '~', 'Z', '7', '_', ' ', '\n', ';'}

func (p *Program) earlyAfter(before Context) bool {
	positions := []uint32{p.Start} // and all after which nothing has matched for certain
	for i := range p.Insts {
		if inst := &p.Insts[i]; inst.Op == OpSet && meets(inst.Set, before) && !p.matchesAt(inst.Out) {
			positions = append(positions, inst.Out)
		}
	}
	if matched, _ := p.over(positions, before.Rune(), NoRune); !matched {
		return false
	}
	for _, r := range followers {
		if !p.survives(positions, before.Rune(), r) {
			return false
		}
	}
	return true
}

// maxFollowing bounds how often one character is tried after itself.
const maxFollowing = 512

// survives says whether a text may go on with a character, again and again, and match
// each time as it is, or for certain. What counts its repeats does not, once these are
// used up; what does not count them comes to the same positions again.
func (p *Program) survives(positions []uint32, before, r rune) bool {
	var last []uint32
	for round := range maxFollowing {
		matched, next := p.over(positions, before, r)
		if matched {
			return true
		}
		slices.Sort(next)
		next = slices.Compact(next)
		positions, before = append(slices.Clone(next), p.Start), r
		if matched, _ = p.over(positions, before, NoRune); !matched {
			return false
		}
		if round > 0 && slices.Equal(next, last) {
			return true
		}
		last = next
	}
	return true
}

// over takes a character from positions on, NoRune for the end, and gives where that
// leads; matched says that a match needs nothing beyond it.
func (p *Program) over(positions []uint32, before, after rune) (matched bool, next []uint32) {
	seen := make([]bool, len(p.Insts))
	todo := append([]uint32(nil), positions...)
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		switch i := &p.Insts[at]; i.Op {
		case OpMatch:
			return true, nil
		case OpSplit:
			todo = append(todo, i.Out, i.Alt)
		case OpAssert:
			if i.Assert.Holds(before, after, false) {
				todo = append(todo, i.Out)
			}
		case OpSet:
			if after != NoRune && RuneSet(i.Set).Contains(after) {
				next = append(next, i.Out)
			}
		}
	}
	// After the character, what takes none may match at once.
	for _, at := range next {
		if p.matchesAt(at) {
			return true, nil
		}
	}
	return false, next
}

// Nullable says whether the program matches the empty text whatever is around.
func (p *Program) Nullable() bool { return p.matchesAt(p.Start) }

// matchesAt says whether a match needs neither a character nor an assertion.
func (p *Program) matchesAt(at uint32) bool {
	seen := make(map[uint32]bool)
	todo := []uint32{at}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		switch i := &p.Insts[at]; i.Op {
		case OpMatch:
			return true
		case OpSplit:
			todo = append(todo, i.Out, i.Alt)
		}
	}
	return false
}

// meets says whether a set has a character after which the context is.
func meets(set RuneSet, c Context) bool {
	switch c {
	case AtBegin:
		return false
	case AfterWord:
		return overlaps(set, ASCIIWord()) > 0
	case AfterLineEnd:
		return overlaps(set, ecmaLineEnds()) > 0
	default:
		all := 0
		for i := 0; i < len(set); i += 2 {
			all += int(set[i+1]-set[i]) + 1
		}
		return all > overlaps(set, ASCIIWord())+overlaps(set, ecmaLineEnds())
	}
}

// overlaps counts the characters that two sets share.
func overlaps(a, b RuneSet) int {
	count := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if low, high := max(a[i], b[j]), min(a[i+1], b[j+1]); low <= high {
			count += int(high-low) + 1
		}
		if a[i+1] < b[j+1] {
			i += 2
		} else {
			j += 2
		}
	}
	return count
}
