package lanes

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"
)

// maxHops is how many distances are shifted by. Each costs time for every word.
const maxHops = 6

// How many kinds of characters at least have to fit in reach, and how many
// have at most.
const (
	fewestReach = 16
	mostReach   = 128
)

// aheads are what a character can be for an assertion before it.
var aheads = [...]edge{elsewhere, afterWord, afterLine}

// gridBuilder makes a grid, with the scratch of the automaton's builder.
type gridBuilder struct {
	*builder
	grid    *grid
	source  gridSource
	lists   map[string]list
	key     []byte
	befores []edge // that tell detours apart
	left    int    // bytes that are left
}

// gridSource is what a grid is made from. Its methods leave bits in the builder's
// positions, and expressions in matched or matches.
type gridSource interface {
	// find sets the size of the grid.
	find()
	// follow gives where a bit leads after a character, after which before is so.
	follow(bit int, before edge)
	// waits says whether a bit waits for the next character to decide an assertion,
	// and whether that may come to a match.
	waits(bit int) (asserts, hopeful bool)
	// decide gives what it comes to between two characters.
	decide(bit int, before, ahead edge)
	// begin gives what begins anywhere between two characters.
	begin(before, ahead edge)
	// enter gives what the lane is entered with.
	enter(before edge)
	// classify gives each class of characters its kind.
	classify() (kinds []uint16, count int)
}

// newGrid gives the grid of a lane and the bytes that it takes at most; nil if that
// is more than the limit.
func newGrid(b *builder, lane uint32, limit int) (*grid, int) {
	g := &gridBuilder{builder: b, grid: &grid{net: b.net, lane: lane}, lists: make(map[string]list), befores: []edge{elsewhere}, left: limit}
	if b.net.asksLine {
		g.befores = append(g.befores, afterLine)
	}
	if lane == TrieLane {
		g.source = trieGrid{g}
	} else {
		g.source = codeGrid{g}
	}
	for _, part := range []func(){g.source.find, g.link, g.decide, g.begin, g.classify} {
		if part(); g.left < 0 {
			return nil, 0
		}
	}
	size := 8 * g.grid.words()
	g.grid.most = int32(min(len(g.grid.sample), mostReach, g.left/max(size, 1)))
	if int(g.grid.most) < min(len(g.grid.sample), fewestReach) {
		return nil, 0
	}
	return g.grid, limit - g.left + int(g.grid.most)*size
}

// mask gives memory for a bit for each position.
func (g *gridBuilder) mask() []uint64 {
	g.left -= 8 * g.grid.words()
	return make([]uint64, g.grid.words())
}

// link makes hops and detours of the arrows.
func (g *gridBuilder) link() {
	grid := g.grid
	var counts [64]int
	for bit := range grid.size {
		g.source.follow(bit, elsewhere)
		for _, target := range g.positions {
			if down := bit - int(target); 0 < down && down < len(counts) {
				counts[down]++
			}
		}
	}
	for down, count := range counts {
		if count >= max(grid.words(), 2) { // one in each word
			grid.hops = append(grid.hops, uint8(down))
		}
	}
	slices.SortFunc(grid.hops, func(a, b uint8) int { return cmp.Compare(counts[b], counts[a]) })
	grid.hops = grid.hops[:min(len(grid.hops), maxHops)]
	grid.stay = g.mask()
	g.left -= 8 * len(grid.hops) * grid.words()
	grid.hopping = make([]uint64, len(grid.hops)*grid.words())
	g.detour(&grid.detours, g.linkOne)
	if covers := coversOf(grid); covers != nil {
		grid.detours.covers = covers
		g.left -= 8 * len(covers)
	}
}

// linkOne makes hops of the arrows of a bit, and gives the others as lists. What is
// reached elsewhere is reached after the end of a line too.
func (g *gridBuilder) linkOne(bit int) (to [2]list) {
	own := uint64(1) << (bit % 64)
	for variant, before := range g.befores {
		g.source.follow(bit, before)
		rest := g.positions[:0]
		for _, target := range g.positions {
			hopping := g.hopping(bit, target)
			if hopping != nil && variant == 0 {
				*hopping |= own
			}
			if hopping == nil || *hopping&own == 0 {
				rest = append(rest, target)
			}
		}
		to[variant] = g.list(rest, g.matches)
	}
	return to
}

// hopping gives the word that holds whether a bit leads as far as another without a
// detour; nil if there is no such hop.
func (g *gridBuilder) hopping(bit int, target uint32) *uint64 {
	down := bit - int(target)
	if down == 0 {
		return &g.grid.stay[bit/64]
	}
	if 0 < down && down < 64 {
		if hop := slices.Index(g.grid.hops, uint8(down)); hop >= 0 {
			return &g.grid.hopping[bit/64*len(g.grid.hops)+hop]
		}
	}
	return nil
}

// detour fills in the detours of all bits.
func (g *gridBuilder) detour(d *detours, of func(bit int) [2]list) {
	d.positions = g.mask()
	d.first = make([]uint32, g.grid.words()+1)
	g.left -= 4 * len(d.first)
	first := 0
	for bit := 0; bit < g.grid.size && g.left >= 0; bit++ {
		if bit%64 == 0 {
			first = len(d.list)
			d.first[bit/64] = uint32(first)
		}
		to := of(bit)
		if len(g.befores) == 1 {
			to[1] = to[0]
		}
		if to[0].empty() && to[1].empty() {
			continue
		}
		own := uint64(1) << (bit % 64)
		d.positions[bit/64] |= own
		if same := slices.IndexFunc(d.list[first:], func(d detour) bool { return d.to == to }); same >= 0 {
			d.list[first+same].positions |= own
		} else {
			d.list = append(d.list, detour{own, to})
			g.left -= int(unsafe.Sizeof(detour{}))
		}
	}
	d.first[g.grid.words()] = uint32(len(d.list))
}

// longList is from how many bytes on it is not worth the memory to know a list again.
const longList = 256

// list keeps a list of bits and expressions; equal ones once, unless they are long.
func (g *gridBuilder) list(targets, expressions []uint32) list {
	if len(targets)+len(expressions) == 0 {
		return list{}
	}
	slices.Sort(targets)
	slices.Sort(expressions)
	g.key = g.key[:0]
	for _, target := range targets {
		g.key = binary.LittleEndian.AppendUint32(g.key, target)
	}
	for _, expression := range expressions {
		g.key = binary.LittleEndian.AppendUint32(g.key, expression|targetMatch)
	}
	if l, ok := g.lists[string(g.key)]; ok {
		return l
	}
	l := list{from: uint32(len(g.grid.targets))}
	g.grid.targets = appendBits(g.grid.targets, targets)
	for _, expression := range expressions {
		g.grid.targets = append(g.grid.targets, expression|targetMatch)
	}
	l.to = uint32(len(g.grid.targets))
	g.left -= 4 * int(l.to-l.from)
	if len(g.key) <= longList {
		g.lists[string(g.key)] = l
	}
	return l
}

// appendBits appends sorted bits: those of a word together, where that takes no more.
func appendBits(to, sorted []uint32) []uint32 {
	for len(sorted) > 0 {
		word, n := sorted[0]/64, 1
		block := uint64(1) << (sorted[0] % 64)
		for n < len(sorted) && sorted[n]/64 == word {
			block |= 1 << (sorted[n] % 64)
			n++
		}
		if n < blockSize {
			to = append(to, sorted[:n]...)
		} else {
			to = append(to, word|targetBlock, uint32(block), uint32(block>>32))
		}
		sorted = sorted[n:]
	}
	return to
}

// decide works out what the assertions that wait for a character come to with it.
func (g *gridBuilder) decide() {
	grid := g.grid
	for bit := 0; bit < grid.size && g.left >= 0; bit++ {
		asserts, hopeful := g.source.waits(bit)
		if !asserts {
			continue
		}
		if grid.asserts == nil {
			grid.asserts, grid.hopeful = g.mask(), g.mask()
		}
		own := uint64(1) << (bit % 64)
		grid.asserts[bit/64] |= own
		if hopeful {
			grid.hopeful[bit/64] |= own
		}
		var all [edges][edges]list
		for before := range edge(edges) {
			for _, ahead := range aheads {
				g.builder.clear()
				g.source.decide(bit, before, ahead)
				all[before][ahead] = g.list(g.positions, g.matched)
			}
		}
		g.left -= int(unsafe.Sizeof(all))
		grid.decided = append(grid.decided, all)
	}
	count := uint32(0)
	grid.assert = make([]uint32, len(grid.asserts))
	for word, asserts := range grid.asserts {
		grid.assert[word] = count
		count += uint32(bits.OnesCount64(asserts))
	}
}

// begin works out what begins where. What is the same in several contexts is kept
// once.
func (g *gridBuilder) begin() {
	var kept [][]uint64
	for before := range edge(edges) {
		for _, ahead := range aheads {
			g.builder.clear()
			g.source.begin(before, ahead)
			positions := make([]uint64, g.grid.words())
			for _, bit := range g.positions {
				positions[bit/64] |= 1 << (bit % 64)
			}
			if same := slices.IndexFunc(kept, func(k []uint64) bool { return slices.Equal(k, positions) }); same >= 0 {
				positions = kept[same]
			} else {
				kept = append(kept, positions)
				g.left -= 8 * len(positions)
			}
			g.grid.starts[before][ahead] = start{positions, g.list(nil, g.matched)}
		}
		g.builder.clear()
		g.source.enter(before)
		g.grid.entries[before] = g.list(g.positions, g.matches)
	}
}

// classify finds out which classes of characters the positions tell apart.
func (g *gridBuilder) classify() {
	kinds, count := g.source.classify()
	g.grid.kinds, g.grid.sample = kinds, make([]uint16, count)
	for class, kind := range kinds {
		g.grid.sample[kind] = uint16(class)
	}
	g.grid.reach = make([]atomic.Pointer[[]uint64], count)
	g.left -= 2*len(kinds) + 10*count
}
