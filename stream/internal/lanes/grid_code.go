package lanes

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// codeGrid makes the grid of a lane that runs instructions.
type codeGrid struct{ *gridBuilder }

// find lists the instructions that wait for a character.
func (g codeGrid) find() {
	g.seen.Clear()
	g.todo = append(g.todo[:0], g.net.lanes[g.grid.lane].entries...)
	for len(g.todo) > 0 {
		at := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		if !g.seen.Add(at) {
			continue
		}
		switch i := &g.net.code.insts[at]; i.op {
		case syntax.OpSplit:
			g.todo = append(g.todo, i.alt, i.out)
		case syntax.OpSet, syntax.OpAssert:
			if i.op == syntax.OpSet || !known(i.assert) {
				g.grid.positions = append(g.grid.positions, at)
			}
			g.todo = append(g.todo, i.out)
		}
	}
	slices.Sort(g.grid.positions)
	g.grid.size = len(g.grid.positions)
	g.left -= 4 * g.grid.size
}

func (g codeGrid) follow(bit int, before edge) {
	g.builder.clear()
	if i := g.inst(bit); i.op == syntax.OpSet {
		g.todo = append(g.todo[:0], i.out)
		g.seen.Clear()
		g.open(before)
		g.toBits(bit)
	}
}

func (g codeGrid) inst(bit int) *inst { return &g.net.code.insts[g.grid.positions[bit]] }

// toBits makes bits of the instructions in the builder's positions, which are likely to
// be a little below a bit.
func (g codeGrid) toBits(bit int) {
	for i, at := range g.positions {
		near := bit
		for near >= max(bit-4, 0) && g.grid.positions[near] != at {
			near--
		}
		if near >= max(bit-4, 0) {
			g.positions[i] = uint32(near)
		} else {
			g.positions[i] = g.grid.bit(at)
		}
	}
}

func (g codeGrid) waits(bit int) (asserts, hopeful bool) {
	if g.inst(bit).op != syntax.OpAssert {
		return false, false
	}
	return true, g.pending(g.grid.positions[bit : bit+1])
}

func (g codeGrid) decide(bit int, before, ahead edge) {
	g.resolve([]uint32{g.grid.positions[bit]}, before, ahead)
}

// resolve gives what instructions come to between two characters.
func (g codeGrid) resolve(from []uint32, before, ahead edge) {
	g.todo = append(g.todo[:0], from...)
	g.seen.Clear()
	g.close(before.rune(), ahead.rune(), &g.matched)
	for _, at := range g.seen.Dense {
		if g.net.code.insts[at].op == syntax.OpSet {
			g.positions = append(g.positions, g.grid.bit(at))
		}
	}
}

func (g codeGrid) begin(before, ahead edge) {
	if g.grid.lane == AlwaysLane {
		g.resolve(g.net.lanes[AlwaysLane].entries, before, ahead)
	}
}

func (g codeGrid) enter(before edge) {
	if g.grid.lane != AlwaysLane {
		g.addEntries(g.grid.lane, before)
		g.toBits(g.grid.size - 1)
	}
}

func (g codeGrid) classify() (kinds []uint16, count int) {
	var sets []uint32
	for bit := range g.grid.size {
		if i := g.inst(bit); i.op == syntax.OpSet {
			sets = append(sets, i.set)
		}
	}
	slices.Sort(sets)
	kinds, count = make([]uint16, g.net.alphabet.size()), 1
	for _, set := range slices.Compact(sets) {
		members, numbers := &g.net.alphabet.classes[set], make([]int, 2*count)
		count = 0
		for class, kind := range kinds {
			key := 2 * int(kind)
			if members.has(uint16(class)) {
				key++
			}
			if numbers[key] == 0 {
				count++
				numbers[key] = count
			}
			kinds[class] = uint16(numbers[key] - 1)
		}
	}
	return kinds, count
}
