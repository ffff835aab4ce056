package lanes

import (
	"encoding/binary"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/internal/sparse"
)

// backward goes back through texts. A text that is held back is gone through again with each piece that comes, so where it comes to is
// kept: states of the expressions read backwards.
type backward struct {
	seen  sparse.Set // instructions
	todo  []uint32
	key   []byte
	most  int // bytes that are kept
	bytes int // of what is, about
	pasts map[string]*past
	spare [2]past // where it comes to that is not kept, in turns
	turn  int
}

// past is where the expressions of a lane may have been between two characters.
type past struct {
	lane    uint32
	at      []uint32 // instructions, each once
	entered bool     // the lane may have been entered there
	kept    bool
	class   uint16  // of the first character that was asked for
	to      *past   // where that leads; nil: none was asked for
	others  []*past // where others lead, by class; nil: not known
}

// maxPasts is how many bytes of them are kept. Where a text always leads to others, keeping them is of no use, and costs as much as
// finding them.
const maxPasts = 256 << 10

// largePast is how many instructions one may have: of large ones there are many, and few come again.
const largePast = 64

// pastBytes is what a past takes beside what is in it.
const pastBytes = 160

func newBackward(instructions, most int) *backward {
	return &backward{seen: sparse.New(instructions, 0), most: most, pasts: map[string]*past{}}
}

// begin gives where positions are, for going back from there.
func (b *backward) begin(a *Automaton, r *reverse, lane uint32, positions []uint32) *past {
	if b.bytes > b.most {
		clear(b.pasts)
		b.bytes = 0
	}
	b.todo = append(b.todo[:0], positions...)
	return b.past(a, r, lane)
}

// before gives where the expressions may have been a character earlier; nowhere where they cannot have taken it.
func (b *backward) before(a *Automaton, r *reverse, p *past, class uint16) *past {
	if p.to != nil && p.class == class {
		return p.to
	}
	if int(class) < len(p.others) && p.others[class] != nil {
		return p.others[class]
	}
	b.todo = b.todo[:0]
	for _, to := range p.at {
		for _, from := range r.into[r.from[to]:r.from[to+1]] {
			if i := &a.code.insts[from]; i.op == syntax.OpSet && a.alphabet.classes[i.set].has(class) {
				b.todo = append(b.todo, from)
			}
		}
	}
	earlier := b.past(a, r, p.lane)
	if p.kept && earlier.kept {
		b.lead(p, class, earlier, a.alphabet.size())
	}
	return earlier
}

// lead notes where a character leads.
func (b *backward) lead(p *past, class uint16, to *past, classes int) {
	if p.to == nil {
		p.class, p.to = class, to
		return
	}
	if p.others == nil {
		p.others = make([]*past, min(classes, maxWidth))
		b.bytes += 8 * len(p.others)
	}
	if int(class) < len(p.others) {
		p.others[class] = to
	}
}

// past gives what todo comes to.
func (b *backward) past(a *Automaton, r *reverse, lane uint32) *past {
	entered := b.close(a, r, r.entries[lane])
	if b.bytes > b.most || len(b.seen.Dense) > largePast {
		p := &b.spare[b.turn]
		b.turn = 1 - b.turn
		*p = past{lane: lane, at: append(p.at[:0], b.seen.Dense...), entered: entered}
		return p
	}
	b.key = binary.LittleEndian.AppendUint32(b.key[:0], lane)
	for _, at := range b.seen.Dense {
		b.key = binary.LittleEndian.AppendUint32(b.key, at)
	}
	if known := b.pasts[string(b.key)]; known != nil {
		return known
	}
	p := &past{lane: lane, at: append([]uint32(nil), b.seen.Dense...), entered: entered, kept: true}
	b.pasts[string(b.key)] = p
	b.bytes += pastBytes + 2*len(b.key)
	return p
}

// close goes back from todo through everything that takes no character, and says
// whether that comes to where the lane is entered.
func (b *backward) close(a *Automaton, r *reverse, entries map[uint32]bool) (entered bool) {
	b.seen.Clear()
	for len(b.todo) > 0 {
		to := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		if !b.seen.Add(to) {
			continue
		}
		entered = entered || r.entry[to] && entries[to]
		for _, from := range r.into[r.from[to]:r.from[to+1]] {
			if a.code.insts[from].op != syntax.OpSet {
				b.todo = append(b.todo, from)
			}
		}
	}
	return entered
}
