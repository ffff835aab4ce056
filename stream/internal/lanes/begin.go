package lanes

import (
	"sync"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// beginSteps bounds what Begin looks at for one lane, in instructions: beyond, a
// match may have begun anywhere.
const beginSteps = 32 << 10

// reverse is the expressions read backwards, for whoever asks where a match began. It
// is made when it is first asked for.
type reverse struct {
	depth   []uint32 // by node of the trie: characters from where the expression starts
	entered []uint32 // by lane: the depth of the node after which it is entered
	// into has the instructions from which an instruction is reached: those of i are
	// into[from[i]:from[i+1]].
	into, from []uint32
	entry      []bool // by instruction: some lane is entered there
	entries    []map[uint32]bool
	scratch    sync.Pool // of *backward
}

// backwards gives the expressions read backwards.
func (a *Automaton) backwards() *reverse {
	a.reverseOnce.Do(func() {
		r := &reverse{depth: make([]uint32, len(a.trie.nodes)), entered: make([]uint32, len(a.lanes))}
		r.measure(&a.trie)
		r.turn(a.code.insts)
		r.entry, r.entries = make([]bool, len(a.code.insts)), make([]map[uint32]bool, len(a.lanes))
		for lane := range a.lanes {
			r.entries[lane] = make(map[uint32]bool, len(a.lanes[lane].entries))
			for _, at := range a.lanes[lane].entries {
				r.entry[at], r.entries[lane][at] = true, true
			}
		}
		size := len(a.code.insts)
		r.scratch.New = func() any { return newBackward(size, a.Limits.Pasts) }
		a.reverse = r
	})
	return a.reverse
}

// measure finds how deep the nodes of the trie are: a node comes after the one above it.
func (r *reverse) measure(t *trie) {
	below := func(node, child uint32) { r.depth[child] = r.depth[node] + 1 }
	todo := make([]uint32, 0, len(t.roots))
	for _, root := range t.roots {
		todo = append(todo, root.node)
	}
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := &t.nodes[node]
		if n.used {
			below(node, n.child)
			todo = append(todo, n.child)
		}
		if n.extra == 0 {
			continue
		}
		extra := &t.extra[n.extra]
		if extra.lane != 0 {
			r.entered[extra.lane] = max(r.entered[extra.lane], r.depth[node])
		}
		last := ^uint32(0) // several classes may lead to one child
		for _, arrow := range extra.arrows {
			if arrow.child != last && (!n.used || arrow.child != n.child) {
				below(node, arrow.child)
				todo = append(todo, arrow.child)
				last = arrow.child
			}
		}
	}
}

// turn turns the arrows between instructions around.
func (r *reverse) turn(insts []inst) {
	r.from = make([]uint32, len(insts)+1)
	each := func(do func(to, from uint32)) {
		for at := range insts {
			switch i := &insts[at]; i.op {
			case syntax.OpSplit:
				do(i.out, uint32(at))
				do(i.alt, uint32(at))
			case syntax.OpSet, syntax.OpAssert:
				do(i.out, uint32(at))
			}
		}
	}
	each(func(to, _ uint32) { r.from[to+1]++ })
	for i := range insts {
		r.from[i+1] += r.from[i]
	}
	r.into = make([]uint32, r.from[len(insts)])
	next := append([]uint32(nil), r.from...)
	each(func(to, from uint32) {
		r.into[next[to]] = from
		next[to]++
	})
}

// Begin tells from which byte of tail on a match may have begun that more text may
// complete or decide; len(tail) if none is under way. tail is the end of the text that
// was walked; 0 may mean that one has begun before it. What assertions say is not looked
// at: so it may be earlier than it is, and never later.
func (w *Walker) Begin(tail string) int {
	begin := len(tail)
	if w.trie.nfa != nil || len(w.trie.positions) > 0 {
		r, deepest := w.automaton.backwards(), uint32(0)
		for _, node := range w.trie.list() {
			deepest = max(deepest, r.depth[node])
		}
		begin = charactersBefore(tail, len(tail), deepest)
	}
	if w.always != nil {
		begin = min(begin, w.automaton.beganIn(w.always, tail))
	}
	w.wakeAll(true)
	for _, s := range w.active {
		if at := w.entered(tail, s.lane, s.since); at < begin {
			begin = min(begin, max(at, w.automaton.beganIn(s.state, tail)))
		}
	}
	for _, l := range w.asleep.list {
		begin = min(begin, w.entered(tail, l.lane, l.at))
	}
	return begin
}

// entered gives the offset of tail at which a match begins whose lane was entered at an offset of the text.
func (w *Walker) entered(tail string, lane uint32, at int64) int {
	return charactersBefore(tail, max(int(at-w.offset)+len(tail), 0), w.automaton.backwards().entered[lane])
}

// charactersBefore gives the offset so many characters before another; 0 if there are
// fewer.
func charactersBefore(text string, at int, count uint32) int {
	for ; count > 0 && at > 0; count-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return at
}

// beganIn is Begin for the state of one lane of code.
func (a *Automaton) beganIn(s *state, tail string) int {
	positions := s.list()
	if len(positions) == 0 {
		return len(tail)
	}
	r := a.backwards()
	b, _ := r.scratch.Get().(*backward)
	defer r.scratch.Put(b)
	p := b.begin(a, r, s.lane, positions)
	last, steps := -1, 0 // last is where the lane may have been entered
	for at := len(tail); ; {
		if steps += len(p.at); steps > beginSteps {
			return 0
		}
		if p.entered {
			last = at
		}
		if at == 0 {
			return 0
		}
		class, size := a.lastClass(tail[:at])
		if p = b.before(a, r, p, class); len(p.at) == 0 {
			break
		}
		at -= size
	}
	if last < 0 {
		return len(tail)
	}
	return charactersBefore(tail, last, r.entered[s.lane])
}

// lastClass gives the class of the last character of text, and its size.
func (a *Automaton) lastClass(text string) (class uint16, size int) {
	if c := text[len(text)-1]; c < utf8.RuneSelf {
		return uint16(a.ascii[c]), 1
	}
	last, size := utf8.DecodeLastRuneInString(text)
	return a.alphabet.class(last), size
}
