package look

import (
	"math/bits"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/internal/sparse"
)

// Finder finds matches of an expression with look-around, but without
// back-references, in a whole text. It first finds out at which offsets each
// look-around holds, those inside of others first, by going over the text once for
// each: backwards for one that looks ahead, since what it sees lies there. From then
// on they cost no more than \b does. So all of it takes time in proportion to the
// text, times the instructions that are alive, where backtracking would go through
// what a look-ahead sees from each offset anew.
//
// It is scratch that can be used for one text after the other, of one expression or
// several, but not by two at once. The zero value is ready.
type Finder struct {
	// Steps are those that are left, of a few nanoseconds each.
	Steps int

	program *Program
	text    string
	holds   []offsetSet // by look-around, whether negative or not
	starts  offsetSet   // of matches
	here    sparse.Set
	on      sparse.Set
	todo    []finderState
}

// maxFinder bounds what a finder keeps of a text, in bytes: a bit for each offset of
// the text and each look-around, and one more.
const maxFinder = 64 << 20

// keptFinder is how much of it is kept for the next text, in bytes.
const keptFinder = 1 << 20

// offsetSet has a bit for each offset of a text.
type offsetSet []uint64

func (s offsetSet) add(at int)      { s[at>>6] |= 1 << (at & 63) }
func (s offsetSet) has(at int) bool { return s[at>>6]&(1<<(at&63)) != 0 }

// next gives the first offset from at on; -1 if there is none.
func (s offsetSet) next(at int) int {
	word := s[at>>6] >> (at & 63) << (at & 63)
	for i := at >> 6; ; word = s[i] {
		if word != 0 {
			return i<<6 + bits.TrailingZeros64(word)
		}
		if i++; i == len(s) {
			return -1
		}
	}
}

// Load begins with a text. ok is false if it takes more than Steps, or too much
// memory. The text is kept until the next one.
func (r *Finder) Load(code *Program, text string) (ok bool) {
	words := len(text)>>6 + 1
	if 8*words*(len(code.lookarounds)+1) > maxFinder {
		return false
	}
	r.program, r.text = code, text
	for len(r.holds) < len(code.lookarounds) {
		r.holds = append(r.holds, nil)
	}
	for i := len(code.lookarounds) - 1; i >= 0; i-- { // those inside of others have higher numbers
		part := &code.lookarounds[i]
		r.holds[i] = cleared(r.holds[i], words)
		if part.behind {
			ok = r.forwards(part, r.holds[i])
		} else {
			ok = r.backwards(part, r.holds[i])
		}
		if !ok {
			return false
		}
	}
	r.starts = cleared(r.starts, words)
	return r.backwards(&code.main, r.starts)
}

// Release lets go of the text, and of memory that is larger than most need.
func (r *Finder) Release() {
	r.text, r.program = "", nil
	words := cap(r.starts)
	for _, s := range r.holds {
		words += cap(s)
	}
	if 8*words > keptFinder {
		r.starts, r.holds = nil, nil
	}
}

func cleared(s offsetSet, words int) offsetSet {
	if cap(s) < words {
		return make(offsetSet, words)
	}
	s = s[:words]
	clear(s)
	return s
}

// prepare begins with a part that has so many instructions or states.
func (r *Finder) prepare(size int) {
	if r.here.Size() < size {
		r.here, r.on = sparse.New(size, size), sparse.New(size, size)
	}
	r.here.Clear()
	r.on.Clear()
}

// passes says whether an instruction that takes no character, and is no choice, lets
// pass at an offset.
func (r *Finder) passes(inst *inst, at int, before, after rune) bool {
	switch inst.Op {
	case syntax.OpAssert:
		return inst.Assert.Holds(before, after, false)
	case syntax.OpLook:
		return r.holds[inst.Alt].has(at) != r.program.lookarounds[inst.Alt].negate
	case syntax.OpEnter, syntax.OpLeave:
		return true // a repeat that takes nothing changes what is preferred, not what matches
	default:
		return false
	}
}

// around gives the characters at both sides of an offset.
func (r *Finder) around(at int) (before, after rune) {
	before, after = syntax.NoRune, syntax.NoRune
	if at > 0 {
		before, _ = utf8.DecodeLastRuneInString(r.text[:at])
	}
	if at < len(r.text) {
		after, _ = utf8.DecodeRuneInString(r.text[at:])
	}
	return before, after
}

// backwards adds the offsets at which a match of a part starts.
func (r *Finder) backwards(p *section, out offsetSet) (ok bool) {
	r.prepare(len(p.insts))
	before, after := r.around(len(r.text))
	for at := len(r.text); ; {
		if p.end < uint32(len(p.insts)) {
			r.here.Add(p.end)
		}
		for i := 0; i < len(r.here.Dense); i++ {
			to := r.here.Dense[i]
			into := p.into[p.from[to]:p.from[to+1]]
			r.Steps -= 1 + len(into)
			for _, from := range into {
				if inst := &p.insts[from]; inst.Op == syntax.OpSplit || inst.Op != syntax.OpSet && r.passes(inst, at, before, after) {
					r.here.Add(from)
				}
			}
		}
		if r.here.Has(p.start) {
			out.add(at)
		}
		if at == 0 {
			return true
		}
		if r.Steps -= 2; r.Steps <= 0 {
			return false
		}
		r.on.Clear()
		for _, to := range r.here.Dense {
			for _, from := range p.into[p.from[to]:p.from[to+1]] {
				if inst := &p.insts[from]; inst.Op == syntax.OpSet && inst.takes(before) {
					r.on.Add(from)
				}
			}
		}
		r.here, r.on = r.on, r.here
		_, size := utf8.DecodeLastRuneInString(r.text[:at])
		at -= size
		after = before
		if before = syntax.NoRune; at > 0 {
			before, _ = utf8.DecodeLastRuneInString(r.text[:at])
		}
	}
}

// forwards adds the offsets at which a match of a part ends.
func (r *Finder) forwards(p *section, out offsetSet) (ok bool) {
	r.prepare(len(p.insts))
	before := syntax.NoRune
	for at := 0; ; {
		after, size := syntax.NoRune, 0
		if at < len(r.text) {
			after, size = utf8.DecodeRuneInString(r.text[at:])
		}
		r.here.Add(p.start)
		r.on.Clear()
		for i := 0; i < len(r.here.Dense); i++ {
			switch inst := &p.insts[r.here.Dense[i]]; inst.Op {
			case syntax.OpSplit:
				r.here.Add(inst.Out)
				r.here.Add(inst.Alt)
			case syntax.OpSet:
				if size > 0 && inst.takes(after) {
					r.on.Add(inst.Out)
				}
			case syntax.OpBehind:
				out.add(at)
			default:
				if r.passes(inst, at, before, after) {
					r.here.Add(inst.Out)
				}
			}
		}
		if size == 0 {
			return true
		}
		if r.Steps -= 2 + 2*len(r.here.Dense); r.Steps <= 0 {
			return false
		}
		r.here, r.on = r.on, r.here
		at += size
		before = after
	}
}

// Next gives the match that starts first from an offset on, and of those that start
// there the one that backtracking finds; start is -1 if there is none. When Steps are
// used up it is the one that ends first.
func (r *Finder) Next(from int) (start, end int) {
	if start = r.starts.next(from); start < 0 {
		return -1, -1
	}
	p := &r.program.main
	r.prepare(len(p.states))
	end = -1
	before, after := r.around(start)
	r.follow(p, &r.here, p.start, start, before, after)
	for at := start; ; {
		size := 0
		if at < len(r.text) {
			_, size = utf8.DecodeRuneInString(r.text[at:])
		}
		_, following := r.around(at + size)
		r.on.Clear()
		for _, state := range r.here.Dense {
			inst := &p.insts[p.states[state].inst]
			if inst.Op == syntax.OpMatch {
				end = at
				break // those after are not preferred
			}
			if inst.Op == syntax.OpSet && size > 0 && inst.takes(after) {
				r.follow(p, &r.on, inst.Out, at+size, after, following)
			}
		}
		r.Steps -= 2 + 2*len(r.here.Dense)
		if size == 0 || len(r.on.Dense) == 0 || end >= 0 && r.Steps <= 0 {
			return start, end
		}
		r.here, r.on = r.on, r.here
		at += size
		after = following
	}
}

// follow adds an instruction, which is come to over a character or from the start, and
// what is reached from it without taking one, in order of preference.
func (r *Finder) follow(p *section, list *sparse.Set, from uint32, at int, before, after rune) {
	r.todo = append(r.todo[:0], finderState{from, p.insts[from].depth})
	for len(r.todo) > 0 {
		s := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		inst := &p.insts[s.inst]
		if !list.Add(inst.first + s.fed) {
			continue
		}
		switch inst.Op {
		case syntax.OpSplit:
			r.todo = append(r.todo, finderState{inst.Alt, s.fed}, finderState{inst.Out, s.fed})
		case syntax.OpLeave:
			// The repeats around it have taken whatever it has.
			if s.fed == inst.depth {
				r.todo = append(r.todo, finderState{inst.Out, p.insts[inst.Out].depth})
			}
		case syntax.OpAssert, syntax.OpLook, syntax.OpEnter:
			if r.passes(inst, at, before, after) {
				r.todo = append(r.todo, finderState{inst.Out, s.fed})
			}
		}
	}
}
