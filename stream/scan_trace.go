package stream

import (
	"sort"
	"sync"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/internal/sparse"
)

// trace is an expression that the automaton decides, in a form in which it can be
// run over a whole text: back from the end of a match to where it starts, and on to
// where the next one ends. Both take time in proportion to the text.
type trace struct {
	insts []syntax.Inst
	start uint32
	// into has the instructions from which an instruction is reached: those of i are
	// into[from[i]:from[i+1]].
	into, from []uint32
	matches    []uint32 // the instructions at which a match is complete
	crosses    bool     // a match may hold a line feed
	nullable   bool     // it matches the empty text, whatever is around

	re      *regex.Regexp
	once    sync.Once
	machine *regex.Prefix // nil until it is needed
}

// prefix gives the backtracking machine.
func (t *trace) prefix() *regex.Prefix {
	t.once.Do(func() { t.machine = t.re.Prefix() })
	return t.machine
}

func newTrace(re *regex.Regexp) *trace {
	program, ok := re.Program()
	if !ok {
		// Without what it may leave out at its ends it is small enough, and each of its
		// matches is one of the expression's.
		program, _ = re.Search()
	}
	t := &trace{re: re, insts: program.Insts, start: program.Start, crosses: holdsLineFeed(program), nullable: program.Nullable()}
	t.from = make([]uint32, len(t.insts)+2)
	each := func(take func(to, at uint32)) {
		for at := range t.insts {
			switch i := &t.insts[at]; i.Op {
			case syntax.OpSplit:
				take(i.Out, uint32(at))
				take(i.Alt, uint32(at))
			case syntax.OpSet, syntax.OpAssert:
				take(i.Out, uint32(at))
			}
		}
	}
	each(func(to, _ uint32) { t.from[to+2]++ })
	for i := 2; i < len(t.from); i++ {
		t.from[i] += t.from[i-1]
	}
	t.into = make([]uint32, t.from[len(t.from)-1])
	each(func(to, at uint32) {
		t.into[t.from[to+1]] = at
		t.from[to+1]++
	})
	for at := range t.insts {
		if t.insts[at].Op == syntax.OpMatch {
			t.matches = append(t.matches, uint32(at))
		}
	}
	return t
}

// holdsLineFeed says whether something that a program matches may hold a line feed.
func holdsLineFeed(p *syntax.Program) bool {
	for i := range p.Insts {
		if p.Insts[i].Op == syntax.OpSet && holds(p.Insts[i].Set, '\n') {
			return true
		}
	}
	return false
}

// holds says whether a character is in the set of a [syntax.Inst].
func holds(set []rune, r rune) bool {
	if len(set) == 2 {
		return set[0] <= r && r <= set[1]
	}
	i := sort.Search(len(set)/2, func(i int) bool { return set[2*i+1] >= r })
	return 2*i < len(set) && set[2*i] <= r
}

// tracer runs traces over a text. It belongs to one scanner.
type tracer struct {
	text     string
	here, on sparse.Set // instructions at an offset, and at the one that comes next
	steps    int        // that are left
}

// load begins with an expression.
func (r *tracer) load(t *trace) {
	if r.here.Size() < len(t.insts) {
		r.here, r.on = sparse.New(len(t.insts), 0), sparse.New(len(t.insts), 0)
	}
	r.here.Clear()
	r.on.Clear()
}

// around gives the characters at both sides of an offset.
func (r *tracer) around(at int) (before, after rune, size int) {
	before, after = syntax.NoRune, syntax.NoRune
	if at > 0 {
		before, _ = utf8.DecodeLastRuneInString(r.text[:at])
	}
	if at < len(r.text) {
		after, size = utf8.DecodeRuneInString(r.text[at:])
	}
	return before, after, size
}

// back gives where a match starts that ends at end: the first offset from near on or,
// if there is none, the first from least on, which is not after near. start is -1 if
// there is no such match. ok is false if the steps were used up: there may then be an
// earlier start, or one at all.
func (r *tracer) back(t *trace, end, near, least int) (start int, ok bool) {
	r.load(t)
	start = -1
	for _, m := range t.matches {
		r.here.Add(m)
	}
	for at := end; ; {
		before, after, _ := r.around(at)
		for i := 0; i < len(r.here.Dense); i++ {
			to := r.here.Dense[i]
			into := t.into[t.from[to]:t.from[to+1]]
			r.steps -= 1 + len(into)
			for _, from := range into {
				switch inst := &t.insts[from]; inst.Op {
				case syntax.OpSplit:
					r.here.Add(from)
				case syntax.OpAssert:
					if inst.Assert.Holds(before, after, false) {
						r.here.Add(from)
					}
				}
			}
		}
		if r.here.Has(t.start) {
			start = at
		}
		if at <= least || at == near && start >= 0 {
			return start, true
		}
		if r.steps <= 0 {
			return start, false
		}
		r.on.Clear()
		for _, to := range r.here.Dense {
			for _, from := range t.into[t.from[to]:t.from[to+1]] {
				if inst := &t.insts[from]; inst.Op == syntax.OpSet && holds(inst.Set, before) {
					r.on.Add(from)
				}
			}
		}
		r.here, r.on = r.on, r.here
		if len(r.here.Dense) == 0 {
			return start, true
		}
		_, size := utf8.DecodeLastRuneInString(r.text[:at])
		at -= size
	}
}

// The backtracking machine mostly finds a match in less time, above all of expressions
// that repeat something up to some hundred times: it is tried before, for so many steps,
// unless there is next to nothing to do.
const (
	smallTrace = 4 // instructions
	guessSteps = 16 << 10
)

// guess is back for a match that starts at near or later, and by the backtracking
// machine. ok is false if it does not know.
func (r *tracer) guess(t *trace, end, near int) (start int, ok bool) {
	_, _, size := r.around(end)
	_, before := utf8.DecodeLastRuneInString(r.text[:near])
	base, more := near-before, end+size // assertions want to see what is around
	known := regex.Known{Cut: base > 0, End: more == len(r.text)}
	found := t.prefix().Search(r.text[base:more], before, known, regex.Steps{Start: guessSteps, All: guessSteps}, nil)
	r.steps -= found.Steps
	// A match that ends at end and starts earlier would have been found before, as it
	// is or as one that ends later: what is given up takes all steps, so that nothing is found after it.
	return base + found.Start, found.Matched && base+found.End == end
}

// next gives where the match ends that ends first of those that start at from or
// later; -1 if there is none. ok is false if the steps were used up at the offset that
// is given instead.
func (r *tracer) next(t *trace, from int) (end int, ok bool) {
	r.load(t)
	for at := from; ; {
		r.here.Add(t.start)
		before, after, size := r.around(at)
		r.on.Clear()
		for i := 0; i < len(r.here.Dense); i++ {
			switch inst := &t.insts[r.here.Dense[i]]; inst.Op {
			case syntax.OpMatch:
				return at, true
			case syntax.OpSplit:
				r.here.Add(inst.Out)
				r.here.Add(inst.Alt)
			case syntax.OpAssert:
				if inst.Assert.Holds(before, after, false) {
					r.here.Add(inst.Out)
				}
			case syntax.OpSet:
				if size > 0 && holds(inst.Set, after) {
					r.on.Add(inst.Out)
				}
			}
		}
		if size == 0 {
			return -1, true
		}
		if r.steps -= len(r.here.Dense); r.steps <= 0 {
			return at, false
		}
		r.here, r.on = r.on, r.here
		at += size
	}
}

// maxTraces bounds the traces that a set keeps, in instructions of some sixty bytes.
const maxTraces = 64 << 10

// trace gives that of an expression that the automaton decides.
func (s *Set) trace(expression uint32) *trace {
	s.tracesMu.Lock()
	defer s.tracesMu.Unlock()
	if t := s.traces[expression]; t != nil {
		return t
	}
	re, bad := regex.Parse(s.expressions[expression].pattern, s.options)
	if bad != nil {
		return &trace{insts: []syntax.Inst{{Op: syntax.OpFail}}, from: make([]uint32, 3)} // not reached: it was compiled before
	}
	t := newTrace(re)
	s.traced += len(t.insts)
	if s.traces == nil || s.traced > maxTraces {
		s.traces = make(map[uint32]*trace)
		s.traced = len(t.insts)
	}
	s.traces[expression] = t
	return t
}
