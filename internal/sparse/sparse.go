// Package sparse has one set: small numbers, in the order in which they were added,
// cleared in no time. Automata use it for the instructions that they have reached.
//
// Use [New] first.
package sparse

// Set is a set of numbers below its size. Make one with New.
type Set struct {
	// Dense are the numbers in it, in the order in which they were added. It may be
	// read while numbers are added.
	Dense []uint32
	// index has, for each number in the set, where it is in Dense. What it has for
	// others means nothing, so that Clear need not touch it.
	index []uint32
}

// New gives an empty set of numbers below size, with memory for some of them.
func New(size, capacity int) Set {
	return Set{Dense: make([]uint32, 0, capacity), index: make([]uint32, size)}
}

// Size is the bound below which numbers are.
func (s *Set) Size() int { return len(s.index) }

// Clear empties the set.
func (s *Set) Clear() { s.Dense = s.Dense[:0] }

// Has says whether n is in the set.
func (s *Set) Has(n uint32) bool {
	at := s.index[n]
	return int(at) < len(s.Dense) && s.Dense[at] == n
}

// Add puts n into the set and says whether it was not there.
func (s *Set) Add(n uint32) bool {
	if at := s.index[n]; int(at) < len(s.Dense) && s.Dense[at] == n {
		return false
	}
	s.index[n] = uint32(len(s.Dense))
	s.Dense = append(s.Dense, n)
	return true
}
