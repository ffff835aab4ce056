package look

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// stepper is the scratch in which one state is made from another.
type stepper struct {
	*formulas
	automaton *Automaton
	alone     bool // nothing starts any more

	// what is before the step
	before  rune
	main    formula
	behinds []threads

	// of the step
	class     int // theEnd if none follows
	after     rune
	values    map[uint32]formula  // by instruction, in terms of the step's end
	moved     map[formula]formula // by what they were
	held      []formula           // by index in behinds of the code; -1: not known yet
	moving    []threads
	frames    []*frame // free
	bufferKey []byte
}

// threads are the instructions that a look-behind has come to, each with the
// condition under which it has. They are sorted.
type threads []thread

type thread struct {
	at   uint32
	when formula
}

// endOfText is the class of the end of the text.
const endOfText = -1

// frame is the scratch of following instructions that take no character.
type frame struct {
	when  []formula // by instruction
	found []uint32  // those that are not never
	todo  []uint32
}

func (s *stepper) reset(l *Automaton) {
	if s.formulas == nil {
		s.formulas = newFormulas()
		s.values, s.moved = make(map[uint32]formula), make(map[formula]formula)
	}
	s.formulas.clear()
	s.automaton = l
}

// begin sets what is before a step.
func (s *stepper) begin(before rune, main formula, behinds []threads) {
	s.before, s.main, s.behinds = before, main, behinds
}

// step takes a character and gives the conditions after it. At the end they are
// always or never.
func (s *stepper) step(class int, after rune) (main formula, behinds []threads) {
	code := s.automaton.code
	s.class, s.after = class, after
	clear(s.values)
	clear(s.moved)
	s.held = s.held[:0]
	for range code.behinds {
		s.held = append(s.held, -1)
	}
	s.moving = make([]threads, len(code.behinds))
	for i := range code.behinds {
		s.behind(i)
	}
	main = s.move(s.main)
	if class != endOfText && !s.alone {
		main = s.or(main, s.variable(code.Start)) // a match may start here too
	}
	return main, s.moving
}

// move gives what a condition comes to over the character.
func (s *stepper) move(f formula) formula {
	if f <= always || s.full {
		return f
	}
	if out, ok := s.moved[f]; ok {
		return out
	}
	n := s.nodes[f]
	out := s.choose(s.value(uint32(n.variable)), s.move(n.high), s.move(n.low))
	s.moved[f] = out
	return out
}

// value gives the condition under which what follows is accepted from an
// instruction on.
func (s *stepper) value(at uint32) formula {
	if f, ok := s.values[at]; ok {
		return f
	}
	f := s.frame()
	s.add(f, at, always)
	s.follow(f)
	out := never
	insts := s.automaton.code.Insts
	for _, at := range f.found {
		switch i := &insts[at]; i.Op {
		case syntax.OpSet:
			switch {
			case !s.takes(i):
			case insts[i.Out].Op == syntax.OpMatch:
				// Not a variable: the match is shared by all that end in it, so that it
				// would not tell whether the expression or a look-ahead waits for it.
				out = s.or(out, f.when[at])
			default:
				out = s.or(out, s.and(f.when[at], s.variable(i.Out)))
			}
		case syntax.OpMatch:
			out = s.or(out, f.when[at])
		}
	}
	s.release(f)
	s.values[at] = out
	return out
}

// behind gives the condition under which a look-behind holds here, and lets it
// take the character.
func (s *stepper) behind(index int) formula {
	if s.held[index] >= 0 {
		return s.held[index]
	}
	code := s.automaton.code
	f := s.frame()
	s.add(f, code.lookarounds[code.behinds[index]].start, always)
	for _, p := range s.behinds[index] {
		s.add(f, p.at, s.move(p.when))
	}
	s.follow(f)
	holds := never
	var out threads
	for _, at := range f.found {
		switch i := &code.Insts[at]; i.Op {
		case syntax.OpSet:
			if s.takes(i) {
				out = append(out, thread{i.Out, f.when[at]})
			}
		case syntax.OpBehind:
			holds = s.or(holds, f.when[at])
		}
	}
	s.release(f)
	slices.SortFunc(out, func(a, b thread) int { return int(a.at) - int(b.at) })
	merged := out[:0]
	for _, p := range out {
		if n := len(merged); n > 0 && merged[n-1].at == p.at {
			merged[n-1].when = s.or(merged[n-1].when, p.when)
			continue
		}
		merged = append(merged, p)
	}
	s.moving[index] = merged
	s.held[index] = holds
	return holds
}

func (s *stepper) takes(i *syntax.Inst) bool {
	return s.class != endOfText && syntax.RuneSet(i.Set).Contains(s.after)
}

// follow goes through everything that takes no character until no condition
// changes any more.
func (s *stepper) follow(f *frame) {
	code := s.automaton.code
	for len(f.todo) > 0 && !s.full {
		at := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		s.work++
		when := f.when[at]
		switch i := &code.Insts[at]; i.Op {
		case syntax.OpSplit:
			s.add(f, i.Out, when)
			s.add(f, i.Alt, when)
		case syntax.OpAssert:
			if i.Assert.Holds(s.before, s.after, false) {
				s.add(f, i.Out, when)
			}
		case syntax.OpLook:
			part := &code.lookarounds[i.Alt]
			var holds formula
			if part.behind {
				holds = s.behind(slices.Index(code.behinds, int(i.Alt)))
			} else {
				holds = s.value(part.start)
			}
			if part.negate {
				holds = s.not(holds)
			}
			s.add(f, i.Out, s.and(when, holds))
		}
	}
	f.todo = f.todo[:0]
}

// add says that an instruction is come to under a condition.
func (s *stepper) add(f *frame, at uint32, when formula) {
	old := f.when[at]
	now := s.or(old, when)
	if now == old {
		return
	}
	if old == never {
		f.found = append(f.found, at)
	}
	f.when[at] = now
	f.todo = append(f.todo, at)
}

func (s *stepper) frame() *frame {
	f := &frame{}
	if n := len(s.frames); n > 0 {
		f = s.frames[n-1]
		s.frames = s.frames[:n-1]
	}
	if size := len(s.automaton.code.Insts); len(f.when) < size {
		f.when = make([]formula, size)
	}
	return f
}

func (s *stepper) release(f *frame) {
	for _, at := range f.found {
		f.when[at] = never
	}
	f.found, f.todo = f.found[:0], f.todo[:0]
	s.frames = append(s.frames, f)
}
