package lanes

import (
	"slices"
	"sync/atomic"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// maxGrids bounds the memory that the grids of a set take, in bytes. A lane that
// for which nothing is left has its states made one by one, however many they are.
const maxGrids = 16 << 20

// grid is a lane with a bit for each of its positions, so that one operation of the
// processor takes a character from 64 positions on. Nearly all arrows lead a short way
// down, and as far from one position as from the next: those are hops, a shift of all
// bits at once. The others are detours.
//
// The bits of the trie are its nodes, back to front. Those of another lane are its
// instructions that wait for a character. A grid is immutable but for reach, which
// is a cache.
type grid struct {
	net       *network
	lane      uint32
	size      int      // bits
	positions []uint32 // the instruction of each bit, sorted; nil for the trie

	stay    []uint64 // positions that lead to themselves
	hops    []uint8  // how many bits down
	hopping []uint64 // for each word and each hop, the positions that it is for
	detours detours
	tells   detours // of the trie: expressions that match at a node, and lanes that are entered there

	// asserts are the positions whose assertions wait for the next character. hopeful
	// are those of them that come to a match if all assertions hold. nil: none.
	asserts, hopeful []uint64
	assert           []uint32             // by word: how many there are before it
	decided          [][edges][edges]list // by assertion, and by what is before and ahead
	starts           [edges][edges]start  // what begins anywhere
	entries          [edges]list          // what the lane is entered with

	targets []uint32 // of all lists: a bit or lane, an expression with targetMatch, or a block

	kinds  []uint16                   // by class: those that no position tells apart are of one kind
	sample []uint16                   // a class of each kind
	reach  []atomic.Pointer[[]uint64] // by kind: the positions that take such a character; nil: not made
	made   atomic.Int32               // in reach
	most   int32                      // of those
}

// detours are what leads from some positions to others that no hop leads to.
type detours struct {
	positions []uint64 // all that have any
	first     []uint32 // by word, in list
	list      []detour
	// covers are the positions, for each of list, that lead nowhere where it does not lead: where it is taken, they need not be. nil: none.
	// Of the repeats of a{0,60} each leads where all after it do.
	covers []uint64
}

// detour leads from positions of one word to those of a list: on the whole, and after
// the end of a line.
type detour struct {
	positions uint64
	to        [2]list
}

// list is a part of grid.targets.
type list struct{ from, to uint32 }

func (l list) empty() bool { return l.from == l.to }

// start is the positions before a character, and the expressions that have matched
// there.
type start struct {
	positions []uint64
	matched   list
}

// What a target is, other than a bit or lane. A block is for many bits of one word: its number, and two targets that are these bits.
const (
	targetMatch = 1 << 31
	targetBlock = 1 << 30
	blockSize   = 3
)

// words gives how many words the bits take.
func (g *grid) words() int { return (g.size + 63) / 64 }

// bit gives the bit of a position.
func (g *grid) bit(position uint32) uint32 {
	if g.lane == TrieLane {
		return uint32(g.size) - 1 - position
	}
	bit, _ := slices.BinarySearch(g.positions, position)
	return uint32(bit)
}

// position gives the position of a bit.
func (g *grid) position(bit int) uint32 {
	if g.lane == TrieLane {
		return uint32(g.size - 1 - bit)
	}
	return g.positions[bit]
}

// targetsOf gives the targets of a list.
func (g *grid) targetsOf(l list) []uint32 { return g.targets[l.from:l.to] }

// reached gives the positions that take a character of a class: instructions before it,
// nodes of the trie after it.
func (g *grid) reached(class uint16) []uint64 {
	kind := g.kinds[class]
	if known := g.reach[kind].Load(); known != nil {
		return *known
	}
	out := make([]uint64, g.words())
	sample := g.sample[kind]
	set := func(bit uint32) { out[bit/64] |= 1 << (bit % 64) }
	if g.lane == TrieLane {
		var to []uint32
		for node := range g.net.trie.nodes {
			for _, child := range g.net.trie.follow(uint32(node), sample, to[:0]) {
				set(g.bit(child))
			}
		}
	}
	for bit, at := range g.positions {
		if i := &g.net.code.insts[at]; i.op == syntax.OpSet && g.net.alphabet.classes[i.set].has(sample) {
			set(uint32(bit))
		}
	}
	if g.made.Add(1) > g.most {
		for i := range g.reach {
			g.reach[i].Store(nil)
		}
		g.made.Store(1)
	}
	g.reach[kind].Store(&out)
	return out
}
