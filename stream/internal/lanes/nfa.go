package lanes

import (
	"math/bits"
	"slices"
)

// nfa walks a lane without states: it has the set of positions that the expressions of
// the lane are at, as bits of a grid. It belongs to one walker, and is used when a text
// leads to a new state with nearly every character. A step over bits is then cheaper than
// making a state, by far if there are thousands of positions.
type nfa struct {
	grid      *grid
	now, next []uint64
	left      int // bytes until states are tried again
	// What the last character has shown; see state. Each may be there twice.
	matched, matches, enters []uint32
}

// newNFA makes a walker's own copy of a state.
func newNFA(g *grid, s *state, bytes int) *state {
	c := &nfa{grid: g, now: make([]uint64, g.words()), next: make([]uint64, g.words()), left: bytes}
	for _, position := range s.positions {
		c.add(g.bit(position))
	}
	return &state{lane: s.lane, before: s.before, pending: s.pending, nfa: c}
}

func (c *nfa) add(bit uint32) { c.now[bit/64] |= 1 << (bit % 64) }

// arriveAt adds the positions of a list, and appends its expressions.
func (c *nfa) arriveAt(l list, expressions []uint32) []uint32 {
	targets := c.grid.targetsOf(l)
	for i := 0; i < len(targets); i++ {
		switch target := targets[i]; {
		case target&targetMatch != 0:
			expressions = append(expressions, target&^targetMatch)
		case target&targetBlock != 0:
			c.now[target&^targetBlock] |= uint64(targets[i+1]) | uint64(targets[i+2])<<32
			i += blockSize - 1
		default:
			c.add(target)
		}
	}
	return expressions
}

// step takes a character of a class, and says whether there are positions after it.
func (c *nfa) step(before edge, class uint16) (alive bool) {
	g := c.grid
	ahead, after := g.net.classAhead[class], g.net.after(class)
	c.matched, c.matches, c.enters = c.matched[:0], c.matches[:0], c.enters[:0]
	c.assert(before, ahead)
	start := &g.starts[before][ahead]
	for _, target := range g.targetsOf(start.matched) {
		c.matched = append(c.matched, target&^targetMatch)
	}
	if g.lane == TrieLane {
		c.spread(nil, nil, after)
		return c.arrive(start.positions, g.reached(class), after)
	}
	if g.lane == AlwaysLane {
		c.matches = append(c.matches, g.net.matchesAt[after]...)
	}
	return c.spread(start.positions, g.reached(class), after)
}

// assert decides the assertions that have waited for what is ahead.
func (c *nfa) assert(before, ahead edge) {
	g := c.grid
	for word, asserts := range g.asserts {
		for waiting := c.now[word] & asserts; waiting != 0; waiting &= waiting - 1 {
			rank := int(g.assert[word]) + bits.OnesCount64(asserts&(waiting&-waiting-1))
			c.matched = c.arriveAt(g.decided[rank][before][ahead], c.matched)
		}
	}
}

// spread goes from all positions, and those that begin here, to where they lead if they
// take the character; reach has those that do. It says whether there are any after it.
// Without starts and reach, all lead on.
func (c *nfa) spread(starts, reach []uint64, after edge) (alive bool) {
	g := c.grid
	c.now, c.next = c.next, c.now
	to, from := c.now, c.next
	clear(to)
	hops, left := len(g.hops), uint64(0)
	for word, positions := range from {
		if reach != nil {
			positions = (positions | starts[word]) & reach[word]
		}
		if positions == 0 {
			continue
		}
		here, below := positions&g.stay[word], uint64(0)
		hopping := g.hopping[word*hops : word*hops+hops]
		for i, down := range g.hops[:len(hopping)] {
			hop := positions & hopping[i]
			here |= hop >> (down & 63)
			below |= hop << (-down & 63)
		}
		to[word] |= here
		if below != 0 {
			to[word-1] |= below
		}
		left |= here | below
		if positions &= g.detours.positions[word]; positions != 0 && c.lead(word, positions, after) {
			left = 1
		}
	}
	return left != 0
}

// lead goes from some positions of a word where no hop leads to, and says whether that is anywhere but at the end of an expression.
func (c *nfa) lead(word int, positions uint64, after edge) (alive bool) {
	d := &c.grid.detours
	from, to := d.first[word], d.first[word+1]
	for i := from; i < to; i++ {
		if positions&d.list[i].positions == 0 {
			continue
		}
		l := d.list[i].to[after.variant()]
		before := len(c.matches)
		c.matches = c.arriveAt(l, c.matches)
		alive = alive || len(c.matches)-before < int(l.to-l.from)
		if d.covers != nil {
			if positions &^= d.covers[i]; positions == 0 {
				break
			}
		}
	}
	return alive
}

// arrive leaves those nodes of the trie that are reached by a character, of those
// that are below others or begin here.
func (c *nfa) arrive(starts, reach []uint64, after edge) (alive bool) {
	tells, left := &c.grid.tells, uint64(0)
	for word, positions := range c.now {
		positions = (positions | starts[word]) & reach[word]
		c.now[word] = positions
		left |= positions
		if positions &= tells.positions[word]; positions != 0 {
			c.tell(word, positions, after)
		}
	}
	return left != 0
}

// tell takes note of what nodes of a word tell: expressions that match, and lanes that are entered.
func (c *nfa) tell(word int, nodes uint64, after edge) {
	d := &c.grid.tells
	list := d.list[d.first[word]:d.first[word+1]]
	for i := range list {
		if nodes&list[i].positions == 0 {
			continue
		}
		for _, target := range c.grid.targetsOf(list[i].to[after.variant()]) {
			if target&targetMatch != 0 {
				c.matches = append(c.matches, target&^targetMatch)
			} else {
				c.enters = append(c.enters, target)
			}
		}
	}
}

// enter adds the positions at which the lane is entered.
func (c *nfa) enter(before edge) {
	c.matched, c.matches = c.matched[:0], c.matches[:0]
	c.matches = c.arriveAt(c.grid.entries[before], c.matches)
}

// list gives all positions, sorted.
func (c *nfa) list() []uint32 {
	var out []uint32
	for word, positions := range c.now {
		for ; positions != 0; positions &= positions - 1 {
			out = append(out, c.grid.position(64*word+bits.TrailingZeros64(positions)))
		}
	}
	if c.grid.lane == TrieLane {
		slices.Reverse(out)
	}
	return out
}

// pending says whether the next character alone may show that something matched.
func (c *nfa) pending(before edge) bool {
	for word, hopeful := range c.grid.hopeful {
		if c.now[word]&hopeful != 0 {
			return true
		}
	}
	return c.grid.lane == AlwaysLane && c.grid.net.pendingAt[before]
}

// note gives what the last character has shown as a state tells it; nil if that is
// nothing.
func (c *nfa) note(before edge) *state {
	if len(c.matched)+len(c.matches)+len(c.enters) == 0 {
		return nil
	}
	s := &state{before: before, matched: slices.Clone(c.matched), matches: slices.Clone(c.matches), enters: slices.Clone(c.enters)}
	for _, list := range []*[]uint32{&s.matched, &s.matches, &s.enters} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s
}

// walkNFA is walk for a state that is an nfa.
func (w *Walker) walkNFA(s *state, text string, from, to int) *state {
	a, c := w.automaton, s.nfa
	text = text[:to]
	for i := from; i < len(text); {
		class, size := a.next(text[i:])
		alive := c.step(s.before, class)
		s.before = a.after(class)
		i += size
		if note := c.note(s.before); note != nil {
			w.tell(note, i-size, i)
		}
		if !alive && s.lane > AlwaysLane {
			s.dead = true
			return s
		}
	}
	s.pending = c.pending(s.before)
	if c.left -= to - from; c.left > 0 {
		return s
	}
	return w.retry(s, w.offset+int64(to))
}

// enter adds to a lane, at an offset of the text, what it is entered with. s is nil if
// the lane was not active.
func (w *Walker) enter(s *state, e entry) *state {
	if s == nil || s.nfa == nil {
		from := s
		s = w.automaton.entered(e.lane, s, e.before)
		if from == nil && !s.dead {
			if g := w.automaton.stateless(e.lane); g != nil {
				return newNFA(g, s, w.automaton.Limits.Patience.Bytes)
			}
		}
		if len(s.matches) > 0 {
			w.tell(s, e.at, e.at)
		}
		return s
	}
	s.nfa.enter(s.before)
	if note := s.nfa.note(s.before); note != nil {
		w.tell(note, e.at, e.at)
	}
	return s
}
