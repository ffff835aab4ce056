package lanes

import (
	"hash/maphash"
	"slices"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/internal/sparse"
)

// builder is the scratch of whoever makes a state, under the automaton's lock.
type builder struct {
	net       *network
	positions []uint32
	matched   []uint32
	matches   []uint32
	seen      sparse.Set // instructions
	todo      []uint32
	seed      maphash.Seed
	bytes     []byte
	starts    map[startKey]*starts
	kept      int // numbers in starts
}

// maxKept bounds the numbers in starts.
const maxKept = 1 << 20

// starts is what the always lane adds to a state on a class of characters.
type starts struct {
	positions, matched, matches []uint32
}

type startKey struct {
	before edge
	class  uint16
}

func (b *builder) init(n *network) {
	b.net = n
	b.seed = maphash.MakeSeed()
	b.seen = sparse.New(len(n.code.insts), 0)
	b.starts = make(map[startKey]*starts)
}

func (b *builder) clear() {
	b.positions, b.matched, b.matches = b.positions[:0], b.matched[:0], b.matches[:0]
}

func (b *builder) load(s *state) {
	b.positions = append(b.positions[:0], s.positions...)
	b.matched = append(b.matched[:0], s.matched...)
	b.matches = append(b.matches[:0], s.matches...)
}

// sort puts positions and matches in order, each once.
func (b *builder) sort() {
	for _, list := range []*[]uint32{&b.positions, &b.matched, &b.matches} {
		if len(*list) > 1 {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
	}
}

func (b *builder) hash(lane uint32, before edge) uint64 {
	b.bytes = append(b.bytes[:0], byte(lane), byte(lane>>8), byte(lane>>16), byte(before), byte(len(b.matched)), byte(len(b.matches)))
	for _, list := range [][]uint32{b.positions, b.matched, b.matches} {
		for _, n := range list {
			b.bytes = append(b.bytes, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
		}
	}
	return maphash.Bytes(b.seed, b.bytes)
}

// state makes a state of what the builder holds.
func (b *builder) state(lane uint32, before edge) *state {
	s := &state{lane: lane, before: before}
	s.positions, s.matched, s.matches = slices.Clone(b.positions), slices.Clone(b.matched), slices.Clone(b.matches)
	if lane == TrieLane {
		for _, node := range s.positions {
			if e := b.net.trie.nodes[node].extra; e != 0 {
				extra := &b.net.trie.extra[e]
				if extra.lane != 0 {
					s.enters = append(s.enters, extra.lane)
				}
				s.pending = s.pending || len(extra.guards) > 0
			}
		}
	} else {
		s.pending = lane == AlwaysLane && b.net.pendingAt[before] || b.pending(s.positions)
		s.dead = lane != AlwaysLane && len(s.positions) == 0
	}
	s.special = s.dead || len(s.matched) > 0 || len(s.matches) > 0 || len(s.enters) > 0
	return s
}

// step takes a character of a class from a state on.
func (b *builder) step(from *state, class uint16) {
	b.clear()
	if from.lane == TrieLane {
		b.stepTrie(from, class)
		return
	}
	b.stepCode(from.positions, from.before, class)
	if from.lane != AlwaysLane {
		return
	}
	s := b.start(from.before, class)
	b.positions = append(b.positions, s.positions...)
	b.matched = append(b.matched, s.matched...)
	b.matches = append(b.matches, s.matches...)
	b.matches = append(b.matches, b.net.matchesAt[b.net.after(class)]...)
}

// known says whether an assertion is decided by what is before alone.
func known(a syntax.Assertion) bool { return a == syntax.BeginText || a == syntax.BeginLineAny }

func (b *builder) stepTrie(from *state, class uint16) {
	t := &b.net.trie
	after := b.net.alphabet.sample[class]
	for _, node := range from.positions {
		b.guards(node, from.before, after)
		b.positions = t.follow(node, class, b.positions)
	}
	for _, r := range t.roots {
		if !r.guarded || r.assert.Holds(from.before.rune(), after, false) {
			b.positions = t.follow(r.node, class, b.positions)
		}
	}
	here := b.net.after(class).rune()
	for _, node := range b.positions {
		if one := t.nodes[node].accept; one != 0 {
			b.matches = append(b.matches, one-1)
		}
		e := t.nodes[node].extra
		if e == 0 {
			continue
		}
		b.matches = append(b.matches, t.extra[e].accept...)
		for _, g := range t.extra[e].guards {
			if known(g.assert) && g.assert.Holds(here, syntax.NoRune, false) {
				b.matches = append(b.matches, g.expression)
			}
		}
	}
}

// guards adds the expressions whose last assertion holds at a node.
func (b *builder) guards(node uint32, before edge, after rune) {
	if e := b.net.trie.nodes[node].extra; e != 0 {
		for _, g := range b.net.trie.extra[e].guards {
			if !known(g.assert) && g.assert.Holds(before.rune(), after, false) {
				b.matched = append(b.matched, g.expression)
			}
		}
	}
}

// start gives what the always lane's expressions come to when they start before a
// character of a class.
func (b *builder) start(before edge, class uint16) *starts {
	key := startKey{before, class}
	s, ok := b.starts[key]
	if ok {
		return s
	}
	positions, matched, matches := b.positions, b.matched, b.matches
	b.positions, b.matched, b.matches = nil, nil, nil
	b.stepCode(b.net.lanes[AlwaysLane].entries, before, class)
	s = &starts{b.positions, b.matched, b.matches}
	b.positions, b.matched, b.matches = positions, matched, matches
	if b.kept += len(s.positions) + 16; b.kept > maxKept {
		clear(b.starts)
		b.kept = len(s.positions)
	}
	b.starts[key] = s
	return s
}

// stepCode takes a character from instructions on, whose assertions are decided
// now that it is known.
func (b *builder) stepCode(positions []uint32, before edge, class uint16) {
	insts := b.net.code.insts
	b.todo = append(b.todo[:0], positions...)
	b.seen.Clear()
	b.close(before.rune(), b.net.alphabet.sample[class], &b.matched)
	b.todo = b.todo[:0]
	for _, at := range b.seen.Dense {
		if i := &insts[at]; i.op == syntax.OpSet && b.net.alphabet.classes[i.set].has(class) {
			b.todo = append(b.todo, i.out)
		}
	}
	b.seen.Clear()
	b.open(b.net.after(class))
}

// end adds to matched what a state has matched if the text ends there.
func (b *builder) end(s *state) {
	b.clear()
	if s.lane == TrieLane {
		for _, node := range s.list() {
			b.guards(node, s.before, syntax.NoRune)
		}
		return
	}
	b.todo = append(b.todo[:0], s.list()...)
	if s.lane == AlwaysLane {
		b.todo = append(b.todo, b.net.lanes[AlwaysLane].entries...)
	}
	b.seen.Clear()
	b.close(s.before.rune(), syntax.NoRune, &b.matched)
}

// addEntries adds the positions at which a lane is entered.
func (b *builder) addEntries(lane uint32, before edge) {
	b.todo = append(b.todo[:0], b.net.lanes[lane].entries...)
	b.seen.Clear()
	b.open(before)
}

// close follows todo through everything that takes no character, with assertions
// decided by what is before and after.
func (b *builder) close(before, after rune, matched *[]uint32) {
	for len(b.todo) > 0 {
		at := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		if !b.seen.Add(at) {
			continue
		}
		switch i := &b.net.code.insts[at]; i.op {
		case syntax.OpSplit:
			b.todo = append(b.todo, i.alt, i.out)
		case syntax.OpAssert:
			if i.assert.Holds(before, after, false) {
				b.todo = append(b.todo, i.out)
			}
		case syntax.OpMatch:
			*matched = append(*matched, i.set)
		}
	}
}

// open follows todo up to assertions that wait for the next character, and adds the
// positions and matches that it comes to.
func (b *builder) open(before edge) {
	for len(b.todo) > 0 {
		at := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		if !b.seen.Add(at) {
			continue
		}
		switch i := &b.net.code.insts[at]; i.op {
		case syntax.OpSplit:
			b.todo = append(b.todo, i.alt, i.out)
		case syntax.OpSet:
			b.positions = append(b.positions, at)
		case syntax.OpAssert:
			if !known(i.assert) {
				b.positions = append(b.positions, at)
			} else if i.assert.Holds(before.rune(), syntax.NoRune, false) {
				b.todo = append(b.todo, i.out)
			}
		case syntax.OpMatch:
			b.matches = append(b.matches, i.set)
		}
	}
}

// pending says whether positions come to a match if all their assertions hold.
func (b *builder) pending(positions []uint32) bool {
	b.todo = b.todo[:0]
	for _, at := range positions {
		if b.net.code.insts[at].op == syntax.OpAssert {
			b.todo = append(b.todo, at)
		}
	}
	if len(b.todo) == 0 {
		return false
	}
	b.seen.Clear()
	for len(b.todo) > 0 {
		at := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		if !b.seen.Add(at) {
			continue
		}
		switch i := &b.net.code.insts[at]; i.op {
		case syntax.OpSplit:
			b.todo = append(b.todo, i.alt, i.out)
		case syntax.OpAssert:
			b.todo = append(b.todo, i.out)
		case syntax.OpMatch:
			return true
		}
	}
	return false
}
