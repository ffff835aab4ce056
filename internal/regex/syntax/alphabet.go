package syntax

import (
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Alphabet splits all characters into classes that a program cannot tell apart,
// so that a state of the automaton needs one arrow per class. Two symbols more
// stand for the end of the text and for a line feed that is its last character.
type Alphabet struct {
	ASCII   [utf8.RuneSelf]uint16
	Bounds  []rune   // first character of each run of one class, from 0 on
	Classes []uint16 // class of each run
	Sample  []rune   // a character of each class
	Size    int      // number of symbols
	End     uint16
	Final   uint16 // line feed at the very end
}

// NewAlphabet gives nil if the program tells too many sets apart.
func NewAlphabet(p *Program) *Alphabet {
	sets := p.distinctSets()
	if len(sets) > maxSets {
		return nil
	}
	bounds := []rune{0}
	for _, set := range sets {
		for i := 0; i < len(set); i += 2 {
			bounds = append(bounds, set[i])
			if set[i+1] < unicode.MaxRune {
				bounds = append(bounds, set[i+1]+1)
			}
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)

	// A run's signature is the list of sets that hold it, kept as a class number
	// that is refined set by set.
	signature := make([]uint16, len(bounds))
	refined := make([]uint16, 2*(len(bounds)+1)) // by class and by whether inside; 0 for none yet
	for _, set := range sets {
		clear(refined)
		count, at := uint16(0), 0
		for run, first := range bounds {
			for at < len(set) && set[at+1] < first {
				at += 2
			}
			key := 2 * int(signature[run])
			if at < len(set) && set[at] <= first {
				key++
			}
			if refined[key] == 0 {
				count++
				refined[key] = count
			}
			signature[run] = refined[key] - 1
		}
	}

	a := &Alphabet{}
	seen := uint16(0)
	for run, class := range signature {
		for class >= seen {
			a.Sample = append(a.Sample, bounds[run])
			seen++
		}
		if run > 0 && a.Classes[len(a.Classes)-1] == class {
			continue
		}
		a.Bounds = append(a.Bounds, bounds[run])
		a.Classes = append(a.Classes, class)
	}
	a.End = seen
	a.Final = seen + 1
	a.Size = int(seen) + 2
	for r := range a.ASCII {
		a.ASCII[r] = a.Class(rune(r))
	}
	return a
}

// Class gives the class of any character.
func (a *Alphabet) Class(r rune) uint16 {
	lo, hi := 0, len(a.Bounds)
	for hi-lo > 1 {
		mid := int(uint(lo+hi) >> 1)
		if a.Bounds[mid] <= r {
			lo = mid
		} else {
			hi = mid
		}
	}
	return a.Classes[lo]
}

// distinctSets gives all sets that a program tests, those of its assertions included.
func (p *Program) distinctSets() []RuneSet {
	var sets []RuneSet
	seen := make(map[string]bool)
	same := make(map[*rune]bool) // by its first element, for sets that are shared
	var key []byte
	add := func(set RuneSet) {
		if len(set) == 0 || same[&set[0]] {
			return
		}
		same[&set[0]] = true
		if len(set) > 64 { // finding an equal one would cost more than it saves
			sets = append(sets, set)
			return
		}
		key = key[:0]
		for _, r := range set {
			key = binary.LittleEndian.AppendUint32(key, uint32(r))
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			sets = append(sets, set)
		}
	}
	for i := range p.Insts {
		if p.Insts[i].Op == OpSet {
			add(p.Insts[i].Set)
		}
	}
	if p.Uses(WordBoundary) || p.Uses(NotWordBoundary) {
		add(boundaryWord())
	}
	if p.Uses(WordBoundaryASCII) || p.Uses(NotWordBoundaryASCII) {
		add(ASCIIWord())
	}
	if p.Uses(BeginLineAny) || p.Uses(EndLineAny) {
		add(ecmaLineEnds())
	}
	if p.Uses(BeginLine) || p.Uses(EndLine) || p.Uses(EndFinal) {
		add(lineFeed())
	}
	return sets
}
