package lanes

import (
	"cmp"
	"math/bits"
	"slices"
)

// maxCovers is how long a list may be that is compared with the others of its word.
const maxCovers = 256

// spreading is where a detour leads, by whether a line has ended: bits of words, and expressions.
type spreading struct {
	detour
	words       [2]map[uint32]uint64
	expressions [2][]uint32
	size        int
}

// coversOf puts those detours of each word first that lead furthest, and finds out which others need not be looked at where one is taken,
// since they lead nowhere else; nil if there are none.
func coversOf(g *grid) []uint64 {
	d, found := &g.detours, false
	covers := make([]uint64, len(d.list))
	for word := range g.words() {
		first, end := d.first[word], d.first[word+1]
		found = g.coversIn(d.list[first:end], covers[first:end]) || found
	}
	if !found {
		return nil
	}
	return covers
}

func (g *grid) coversIn(list []detour, covers []uint64) (found bool) {
	spread := make([]spreading, len(list))
	for i, d := range list {
		spread[i] = g.spreading(d)
	}
	slices.SortStableFunc(spread, func(a, b spreading) int { return cmp.Compare(b.size, a.size) })
	for i := range spread {
		list[i] = spread[i].detour
		covers[i] = list[i].positions
		for j := i + 1; j < len(list); j++ {
			if spread[i].covers(&spread[j]) {
				covers[i] |= spread[j].positions
				found = true
			}
		}
	}
	return found
}

// spreading reads the lists of a detour; too long ones are not compared.
func (g *grid) spreading(d detour) spreading {
	s := spreading{detour: d}
	for variant, l := range d.to {
		if l.to-l.from > maxCovers {
			return spreading{detour: d}
		}
		s.words[variant] = map[uint32]uint64{}
		targets := g.targetsOf(l)
		for i := 0; i < len(targets); i++ {
			switch target := targets[i]; {
			case target&targetMatch != 0:
				s.expressions[variant] = append(s.expressions[variant], target)
				s.size++
			case target&targetBlock != 0:
				block := uint64(targets[i+1]) | uint64(targets[i+2])<<32
				s.words[variant][target&^targetBlock] |= block
				s.size += bits.OnesCount64(block)
				i += blockSize - 1
			default:
				s.words[variant][target/64] |= 1 << (target % 64)
				s.size++
			}
		}
	}
	return s
}

func (s *spreading) covers(other *spreading) bool {
	if s.size == 0 || other.size == 0 {
		return false
	}
	for variant, words := range other.words {
		for word, block := range words {
			if block&^s.words[variant][word] != 0 {
				return false
			}
		}
		for _, expression := range other.expressions[variant] {
			if !slices.Contains(s.expressions[variant], expression) {
				return false
			}
		}
	}
	return true
}
