package lanes

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// Limits bounds what an automaton may take.
type Limits struct {
	States   int // bytes of all states
	Grids    int // bytes of all grids
	Pasts    int // bytes of what Begin keeps, for each that is asked at once
	Patience Patience
	Runs     [len(runKinds)]int // the shortest runs that are waited for; see gate
}

// DefaultLimits gives the limits that are for everybody but tests.
func DefaultLimits(states int) Limits {
	return Limits{states, maxGrids, maxPasts, Patience{maxCost, minGain, nfaBytes}, shortestRuns}
}

// maxWidth is how many classes of characters have a column in a state's row. Those
// beyond, of which only sets with hundreds of characters outside ASCII have any,
// are looked up in a map.
const maxWidth = 256

// special marks an entry of the table whose state has something to tell.
const special = 1 << 31

// Automaton makes states when they are first reached, and keeps them for all
// streams. Rows are read without a lock; what is missing is added under it.
type Automaton struct {
	network
	ascii [128]uint8 // class of each byte of ASCII
	shift uint8      // a row has 1<<shift entries
	// Limits may be changed before the first text.
	Limits Limits
	first  [2]*state // of the lanes that every text begins in
	rows   atomic.Pointer[rows]
	// fresh are the states of lanes that have just been entered, by lane and context.
	fresh []atomic.Pointer[state]
	gates []atomic.Pointer[gate] // by lane

	mu     sync.Mutex
	states map[uint64]*state // by hash; see state.chain
	wide   map[wideKey]*state
	used   int // rows
	bytes  int // of states
	builder
	grids     map[uint32]*grid // by lane; nil if it would be too large
	gridBytes int              // that they take

	reverseOnce sync.Once
	reverse     *reverse // see Begin
}

// rows is one table of arrows. A larger one replaces it when it is full, with the
// same states in the same rows; a new generation starts when all are dropped.
type rows struct {
	generation uint32
	table      []uint32 // 0: not known; else the next row's start, or that | special
	states     []atomic.Pointer[state]
}

type wideKey struct {
	from  *state
	class uint16
}

// state is a set of positions at which the expressions of a lane are, between two
// characters. It is immutable but for enter, which is a cache. One with an nfa is a
// stream's own, has its positions there, and changes.
type state struct {
	generation uint32
	row        uint32
	lane       uint32
	before     edge
	special    bool
	dead       bool // a lane that has come to nothing
	pending    bool // the next character alone may show that something matched here
	positions  []uint32
	matched    []uint32 // expressions found to have matched before the last character
	matches    []uint32 // expressions that match here
	enters     []uint32 // lanes that go on from here
	chain      *state
	enter      atomic.Pointer[state] // the same with the lane's entries added
	nfa        *nfa                  // nil but for a stream's own
}

// list gives the positions, sorted.
func (s *state) list() []uint32 {
	if s.nfa != nil {
		return s.nfa.list()
	}
	return s.positions
}

const firstRows = 64

func newAutomaton(n network, limits Limits) *Automaton {
	a := &Automaton{network: n, Limits: limits, ascii: n.alphabet.ascii}
	width := min(n.alphabet.size(), maxWidth)
	a.shift = uint8(max(bits.Len(uint(width-1)), 3))
	a.fresh = make([]atomic.Pointer[state], edges*len(n.lanes))
	a.gates = make([]atomic.Pointer[gate], len(n.lanes))
	a.builder.init(&a.network)
	a.start()
	a.reset(1)
	a.first = [2]*state{a.begin(TrieLane), a.begin(AlwaysLane)}
	return a
}

// reset drops all states. Streams keep theirs, and come over when they are fed.
func (a *Automaton) reset(generation uint32) {
	a.states = make(map[uint64]*state)
	a.wide = nil
	a.used, a.bytes = 1, 0 // row 0 is not used: 0 means not known
	a.rows.Store(newRows(generation, firstRows, a.shift))
}

func newRows(generation uint32, count int, shift uint8) *rows {
	return &rows{generation, make([]uint32, count<<shift), make([]atomic.Pointer[state], count)}
}

// begin gives the state of a lane at the start of a stream.
func (a *Automaton) begin(lane uint32) *state {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.builder.clear()
	before := a.mask(atBegin)
	if lane == AlwaysLane {
		a.builder.matches = append(a.builder.matches, a.matchesAt[before]...)
	}
	return a.intern(lane, before)
}

// settle gives the state of an nfa's positions.
func (a *Automaton) settle(s *state) *state {
	positions := s.list()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.builder.clear()
	a.builder.positions = append(a.builder.positions, positions...)
	return a.intern(s.lane, s.before)
}

// grid gives the grid of a lane; nil if it would be too large.
func (a *Automaton) grid(lane uint32) *grid {
	a.mu.Lock()
	defer a.mu.Unlock()
	g, ok := a.grids[lane]
	if !ok {
		var size int
		g, size = newGrid(&a.builder, lane, a.Limits.Grids-a.gridBytes)
		a.gridBytes += size
		if a.grids == nil {
			a.grids = make(map[uint32]*grid)
		}
		a.grids[lane] = g
	}
	return g
}

// join gives a state's equal in the present generation.
func (a *Automaton) join(s *state) *state {
	if s.generation == a.rows.Load().generation {
		return s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.builder.load(s)
	return a.intern(s.lane, s.before)
}

// advance gives the state after a character of a class. made says that it had to be
// worked out.
func (a *Automaton) advance(from *state, class uint16) (next *state, made bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if from.generation != a.rows.Load().generation {
		a.builder.load(from)
		from = a.intern(from.lane, from.before)
	}
	wide := int(class) >= 1<<a.shift || int(class) >= maxWidth
	if wide {
		if next := a.wide[wideKey{from, class}]; next != nil {
			return next, false
		}
	}
	a.builder.step(from, class)
	generation := from.generation
	next = a.intern(from.lane, a.after(class))
	if next.generation != generation {
		return next, true // from is gone
	}
	if wide {
		if a.wide == nil {
			a.wide = make(map[wideKey]*state)
		}
		a.wide[wideKey{from, class}] = next
		a.bytes += 64
		return next, true
	}
	entry := next.row
	if next.special {
		entry |= special
	}
	atomic.StoreUint32(&a.rows.Load().table[from.row+uint32(class)], entry)
	return next, true
}

// entered gives a lane's state with its entries added. from is nil if the lane
// was not active; before is then the context.
func (a *Automaton) entered(lane uint32, from *state, before edge) *state {
	cache := &a.fresh[edges*lane+uint32(before)]
	if from != nil {
		cache = &from.enter
	}
	if next := cache.Load(); next != nil {
		return next
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.builder.clear()
	if from != nil {
		a.builder.load(from)
		a.builder.matched, a.builder.matches = a.builder.matched[:0], a.builder.matches[:0]
		before = from.before
	}
	a.builder.addEntries(lane, before)
	next := a.intern(lane, before)
	cache.Store(next)
	return next
}

// intern gives the state of what the builder holds.
func (a *Automaton) intern(lane uint32, before edge) *state {
	b := &a.builder
	b.sort()
	hash := b.hash(lane, before)
	for s := a.states[hash]; s != nil; s = s.chain {
		if s.lane == lane && s.before == before && slices.Equal(s.positions, b.positions) &&
			slices.Equal(s.matched, b.matched) && slices.Equal(s.matches, b.matches) {
			return s
		}
	}
	size := 200 + 4<<a.shift + 4*(len(b.positions)+len(b.matched)+len(b.matches))
	now := a.rows.Load()
	if a.bytes+size > a.Limits.States {
		a.reset(now.generation + 1)
		now = a.rows.Load()
	}
	if a.used == len(now.states) {
		now = a.widen(now)
	}
	s := b.state(lane, before)
	s.generation, s.row = now.generation, uint32(a.used)<<a.shift
	s.chain = a.states[hash]
	a.states[hash] = s
	now.states[a.used].Store(s)
	a.used++
	a.bytes += size
	return s
}

// widen makes the table larger. Whoever reads the old one finds in it what was
// known until now, and comes here for the rest.
func (a *Automaton) widen(old *rows) *rows {
	most := a.Limits.States>>a.shift/4 + 2 // there are never more rows than that
	now := newRows(old.generation, max(min(2*len(old.states), most), len(old.states)+1), a.shift)
	copy(now.table, old.table)
	for i := range old.states {
		now.states[i].Store(old.states[i].Load())
	}
	a.rows.Store(now)
	return now
}

// Lanes is how many lanes there are.
func (a *Automaton) Lanes() int { return len(a.lanes) }

// Size is the bound below which the positions of a lane are.
func (a *Automaton) Size(lane uint32) int {
	if lane == TrieLane {
		return len(a.trie.nodes)
	}
	return len(a.code.insts)
}

// NeedsAlways says whether some expression may begin anywhere.
func (a *Automaton) NeedsAlways() bool { return len(a.lanes[AlwaysLane].entries) > 0 }

// GridCount counts the lanes that have ever been thought of as an nfa.
func (a *Automaton) GridCount() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.grids)
}

// ending gives the expressions that match if the text ends at a state.
func (a *Automaton) ending(s *state) []uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.builder.end(s)
	return slices.Clone(a.builder.matched)
}

// restored gives the state of a position.
func (a *Automaton) restored(p Saved) *state {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.builder.clear()
	a.builder.positions = append(a.builder.positions, p.Positions...)
	return a.intern(p.Lane, edge(p.Before))
}
