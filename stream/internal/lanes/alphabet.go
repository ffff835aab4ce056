package lanes

import (
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Bounds on what all expressions of a set together may tell apart. An expression
// that would go beyond is left to the backtracking machine.
const (
	maxRanges = 32 << 10 // of all sets that are no single character
	maxSets   = 1024     // of those
	maxSingle = 16 << 10 // sets of one character
)

// maxKnown bounds the sets that are known by where they are.
const maxKnown = 4096

// sets collects the sets of characters that expressions test, each once.
type sets struct {
	list   [][]rune
	ids    map[string]uint32
	known  map[*rune]uint32 // by the first element, for sets that expressions share
	ranges int
	single int
	key    []byte
	chars  map[rune]uint32 // sets of one character, of texts
}

func newSets() *sets {
	return &sets{ids: make(map[string]uint32), known: make(map[*rune]uint32)}
}

// fits says whether the sets of a program can be added.
func (s *sets) fits(p *syntax.Program) bool {
	ranges := s.ranges
	for i := range p.Insts {
		if set := p.Insts[i].Set; len(set) > 2 {
			if _, ok := s.known[&set[0]]; !ok {
				ranges += len(set) / 2
			}
		}
	}
	return ranges <= maxRanges && len(s.list)-s.single <= maxSets && s.single <= maxSingle
}

// fitsText adds the characters of a text if they can be.
func (s *sets) fitsText(text string) bool {
	if s.single > maxSingle {
		return false
	}
	for _, r := range text {
		s.character(r)
	}
	return true
}

// character gives the number of the set of one character.
func (s *sets) character(r rune) uint32 {
	id, ok := s.chars[r]
	if !ok {
		id = s.id([]rune{r, r})
		if s.chars == nil {
			s.chars = make(map[rune]uint32)
		}
		s.chars[r] = id
	}
	return id
}

func (s *sets) id(set []rune) uint32 {
	if len(set) > 0 {
		if id, ok := s.known[&set[0]]; ok {
			return id
		}
	}
	s.key = s.key[:0]
	for _, r := range set {
		s.key = binary.LittleEndian.AppendUint32(s.key, uint32(r))
	}
	id, ok := s.ids[string(s.key)]
	if !ok {
		id = uint32(len(s.list))
		s.ids[string(s.key)] = id
		s.list = append(s.list, set)
		if isSingle(set) {
			s.single++
		} else {
			s.ranges += len(set) / 2
		}
	}
	if len(set) > 2 {
		if len(s.known) >= maxKnown { // each keeps a set that may be of one expression alone
			clear(s.known)
		}
		s.known[&set[0]] = id
	}
	return id
}

func isSingle(set []rune) bool { return len(set) == 2 && set[0] == set[1] }

// alphabet splits all characters into classes that no expression of a set tells
// apart. Classes are numbered as their first characters come, ASCII first.
type alphabet struct {
	ascii  [utf8.RuneSelf]uint8
	pages  []*[256]uint16 // class of each character, by its upper bits; equal pages are one
	sample []rune         // a character of each class
	beyond []bool         // by class: it has characters outside of ASCII
	// classes says for each set which classes it holds.
	classes []classSet
}

// classSet is the classes of a set: one, or a bit for each.
type classSet struct {
	one  int32 // -1: see bits
	bits []uint64
}

func (m *classSet) has(class uint16) bool {
	if m.one >= 0 {
		return m.one == int32(class)
	}
	return m.bits[class>>6]&(1<<(class&63)) != 0
}

func (a *alphabet) size() int { return len(a.sample) }

func (a *alphabet) class(r rune) uint16 { return a.pages[r>>8][r&255] }

// newAlphabet gives the classes that the sets need. Those that assertions ask for
// are to be among them.
func newAlphabet(s *sets) *alphabet {
	bounds := []rune{0}
	singles := make(map[rune]bool, s.single)
	for _, set := range s.list {
		if isSingle(set) {
			singles[set[0]] = true
		}
		for i := 0; i < len(set); i += 2 {
			bounds = append(bounds, set[i])
			if set[i+1] < unicode.MaxRune {
				bounds = append(bounds, set[i+1]+1)
			}
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	signature := signatures(s, bounds)

	// A character that is a set of its own is a class of its own.
	a := &alphabet{}
	numbers := make(map[uint32]uint16)
	classes := make([]uint16, len(bounds))
	for run, first := range bounds {
		class, ok := numbers[signature[run]]
		if alone := singles[first]; alone || !ok {
			class = uint16(len(a.sample))
			a.sample = append(a.sample, first)
			if !alone {
				numbers[signature[run]] = class
			}
		}
		classes[run] = class
	}
	a.beyond = make([]bool, len(a.sample))
	for run, class := range classes {
		if run+1 == len(bounds) || bounds[run+1] > utf8.RuneSelf {
			a.beyond[class] = true
		}
	}
	a.paginate(bounds, classes)
	for r := range a.ascii {
		a.ascii[r] = uint8(a.class(rune(r)))
	}
	a.classes = make([]classSet, len(s.list))
	for i, set := range s.list {
		a.classes[i] = a.classesOf(set, bounds, classes)
	}
	return a
}

// signatures numbers runs so that two have the same number if the same sets hold
// them. Sets of one character are left out.
func signatures(s *sets, bounds []rune) []uint32 {
	signature := make([]uint32, len(bounds))
	refined := make([]uint32, 2*(len(bounds)+1))
	for _, set := range s.list {
		if isSingle(set) {
			continue
		}
		clear(refined)
		count, at := uint32(0), 0
		for run, first := range bounds {
			for at < len(set) && set[at+1] < first {
				at += 2
			}
			key := 2 * signature[run]
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
	return signature
}

// paginate fills the pages; a page of one class is shared by all that are alike.
func (a *alphabet) paginate(bounds []rune, classes []uint16) {
	a.pages = make([]*[256]uint16, (unicode.MaxRune+1)>>8)
	uniform := make(map[uint16]*[256]uint16)
	run := 0
	for page := range a.pages {
		low := rune(page) << 8
		for run+1 < len(bounds) && bounds[run+1] <= low {
			run++
		}
		if run+1 == len(bounds) || bounds[run+1] > low+255 {
			shared, ok := uniform[classes[run]]
			if !ok {
				shared = new([256]uint16)
				for i := range shared {
					shared[i] = classes[run]
				}
				uniform[classes[run]] = shared
			}
			a.pages[page] = shared
			continue
		}
		own := new([256]uint16)
		for i := range own {
			for run+1 < len(bounds) && bounds[run+1] <= low+rune(i) {
				run++
			}
			own[i] = classes[run]
		}
		a.pages[page] = own
	}
}

func (a *alphabet) classesOf(set []rune, bounds []rune, classes []uint16) classSet {
	if isSingle(set) {
		return classSet{one: int32(a.class(set[0]))}
	}
	m := classSet{one: -1, bits: make([]uint64, (a.size()+63)/64)}
	at := 0
	if len(set) > 0 {
		at, _ = slices.BinarySearch(bounds, set[0])
	}
	for i := 0; i < len(set); i += 2 {
		for bounds[at] < set[i] {
			at++
		}
		for ; at < len(bounds) && bounds[at] <= set[i+1]; at++ {
			m.bits[classes[at]>>6] |= 1 << (classes[at] & 63)
		}
	}
	return m
}

// Boundary says whether a character of text begins at i.
func Boundary(text string, i int) bool {
	for start := i - 1; start >= 0 && start > i-utf8.UTFMax; start-- {
		if utf8.RuneStart(text[start]) {
			_, size := utf8.DecodeRuneInString(text[start:])
			return start+size <= i
		}
	}
	return true
}
