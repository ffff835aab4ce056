package regex

import (
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/internal/sparse"
)

// maxStates bounds the memory of one automaton's states, in bytes. When it is
// reached all states are dropped and made anew as they are needed.
const maxStates = 256 << 10

// automaton runs a program as a deterministic automaton whose states are made
// when they are first reached. States are shared by all matches: the arrows are
// read without a lock, and only a missing one is added under it.
type automaton struct {
	program  *syntax.Program
	alphabet *syntax.Alphabet
	begin    atomic.Pointer[state]

	mu     sync.Mutex
	states map[string]*state
	size   int // bytes
	// scratch of the one that holds mu
	set  sparse.Set
	todo []uint32
	key  []byte
}

// state is a set of positions in the program, closed over everything that does not
// depend on the next character.
type state struct {
	positions []uint32 // OpSet and OpAssert instructions, sorted
	before    syntax.Context
	final     int8 // +1 when a match was seen, -1 when none can come any more
	next      []atomic.Pointer[state]
	// stay holds the bytes of ASCII that lead back to the state itself, as far as
	// they are known; nil until the state has shown that it pays.
	stay atomic.Pointer[[256]bool]
}

// newAutomaton gives nil if there is no program, or it is too large.
func newAutomaton(p *syntax.Program) *automaton {
	if p == nil {
		return nil
	}
	letters := syntax.NewAlphabet(p)
	if letters == nil {
		return nil
	}
	a := &automaton{program: p, alphabet: letters, states: make(map[string]*state)}
	a.set = sparse.New(len(p.Insts), len(p.Insts))
	return a
}

var (
	matchedState = &state{final: 1}
	deadState    = &state{final: -1}
)

// match says whether the program matches anywhere in text; ok is false when the
// budget is used up.
func (a *automaton) match(text string, b *budget) (matched, ok bool) {
	s := a.begin.Load()
	if s == nil {
		s = a.first()
	}
	if s.final != 0 {
		return s.final > 0, true
	}
	end := len(text)
	final := a.program.Uses(syntax.EndFinal) && end > 0 && text[end-1] == '\n'
	if final {
		end--
	}
	ascii := &a.alphabet.ASCII
	loops := 0
	for i := 0; i < end; {
		// A block at a time, so that the budget costs nothing per character.
		stop := min(i+4096, end)
		for i < stop {
			var class uint16
			if c := text[i]; c < utf8.RuneSelf {
				class = ascii[c]
				i++
			} else {
				r, size := utf8.DecodeRuneInString(text[i:])
				class = a.alphabet.Class(r)
				i += size
			}
			next := s.next[class].Load()
			if next == nil {
				if next = a.step(s, class, b); next == nil {
					return false, false
				}
			}
			if next == s {
				if stay := s.stay.Load(); stay != nil {
					for i < stop && stay[text[i]] {
						i++
					}
				} else if loops++; loops > 256 {
					loops = 0
					s.stay.Store(s.loops(ascii))
				}
				continue
			}
			s = next
			if s.final != 0 {
				return s.final > 0, true
			}
		}
		if !b.take(512) {
			return false, false
		}
	}
	if final {
		if s = a.step(s, a.alphabet.Final, b); s == nil {
			return false, false
		}
		if s.final != 0 {
			return s.final > 0, true
		}
	}
	s = a.step(s, a.alphabet.End, b)
	if s == nil {
		return false, false
	}
	return s.final > 0, true
}

// loops gives the bytes that are known to lead from s to s.
func (s *state) loops(ascii *[utf8.RuneSelf]uint16) *[256]bool {
	stay := new([256]bool)
	for c, class := range ascii {
		stay[c] = s.next[class].Load() == s
	}
	return stay
}

// first makes the state at the start of a text.
func (a *automaton) first() *state {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.set.Clear()
	a.todo = append(a.todo[:0], a.program.Start)
	matched, _ := a.close(false, 0, 0)
	s := a.intern(matched, a.mask(syntax.AtBegin))
	a.begin.Store(s)
	return s
}

// step gives the state after a symbol; nil when the budget is used up.
func (a *automaton) step(s *state, symbol uint16, b *budget) *state {
	if next := s.next[symbol].Load(); next != nil {
		return next
	}
	a.mu.Lock()
	defer a.mu.Unlock()

	// What the assertions let through, now that the next symbol is known.
	a.set.Clear()
	matched, cost := false, len(s.positions)
	for _, at := range s.positions {
		if a.program.Insts[at].Op == syntax.OpAssert {
			a.todo = append(a.todo, at)
		} else {
			a.set.Add(at)
		}
	}
	if len(a.todo) > 0 {
		matched, cost = a.close(true, s.before, symbol)
	}
	if matched {
		s.next[symbol].Store(matchedState)
		return matchedState
	}
	if symbol == a.alphabet.End {
		s.next[symbol].Store(deadState)
		return deadState
	}
	r := a.rune(symbol)
	a.todo = a.todo[:0]
	for _, at := range a.set.Dense {
		if i := &a.program.Insts[at]; i.Op == syntax.OpSet && syntax.RuneSet(i.Set).Contains(r) {
			a.todo = append(a.todo, i.Out)
		}
	}
	if !a.program.Anchored {
		a.todo = append(a.todo, a.program.Start)
	}
	a.set.Clear()
	matched, more := a.close(false, 0, 0)
	next := a.intern(matched, a.contextAfter(r))
	s.next[symbol].Store(next)
	if !b.take(8 + 4*(cost+more)) {
		return nil
	}
	return next
}

// close adds to a.set what is reached from a.todo without consuming anything. It
// stops at assertions unless decide is set; then they are decided by what is
// before and after.
func (a *automaton) close(decide bool, before syntax.Context, symbol uint16) (matched bool, cost int) {
	for len(a.todo) > 0 {
		at := a.todo[len(a.todo)-1]
		a.todo = a.todo[:len(a.todo)-1]
		if !a.set.Add(at) {
			continue
		}
		cost++
		switch i := &a.program.Insts[at]; i.Op {
		case syntax.OpSplit:
			a.todo = append(a.todo, i.Alt, i.Out)
		case syntax.OpAssert:
			if decide && a.holds(i.Assert, before, symbol) {
				a.todo = append(a.todo, i.Out)
			}
		case syntax.OpMatch:
			matched = true
		}
	}
	return matched, cost
}

// holds decides an assertion by what is remembered of the character before and
// by the symbol after.
func (a *automaton) holds(assert syntax.Assertion, before syntax.Context, symbol uint16) bool {
	prior := rune(' ') // neither a word nor the end of a line
	switch {
	case before&syntax.AtBegin != 0:
		prior = syntax.NoRune
	case before&syntax.AfterLineEnd != 0:
		prior = '\n'
	case before&syntax.AfterWord != 0:
		prior = 'a'
	}
	return assert.Holds(prior, a.rune(symbol), symbol == a.alphabet.Final)
}

// rune gives a character that stands for a symbol.
func (a *automaton) rune(symbol uint16) rune {
	switch symbol {
	case a.alphabet.End:
		return syntax.NoRune
	case a.alphabet.Final:
		return '\n'
	default:
		return a.alphabet.Sample[symbol]
	}
}

// contextAfter gives what assertions need to know of r once it has been read.
func (a *automaton) contextAfter(r rune) syntax.Context {
	var c syntax.Context
	if a.program.Uses(syntax.BeginLine) && r == '\n' || a.program.Uses(syntax.BeginLineAny) && syntax.IsLineEnd(r) {
		c |= syntax.AfterLineEnd
	}
	if (a.program.Uses(syntax.WordBoundary) || a.program.Uses(syntax.NotWordBoundary)) && syntax.IsNameRune(r) ||
		(a.program.Uses(syntax.WordBoundaryASCII) || a.program.Uses(syntax.NotWordBoundaryASCII)) && syntax.IsWordASCII(r) {
		c |= syntax.AfterWord
	}
	return c
}

// mask leaves out of a context what no assertion of the program asks for, so
// that it does not make states differ.
func (a *automaton) mask(c syntax.Context) syntax.Context {
	if !a.program.Uses(syntax.BeginText) && !a.program.Uses(syntax.BeginLine) && !a.program.Uses(syntax.BeginLineAny) {
		c &^= syntax.AtBegin
	}
	return c
}

// intern gives the state of the positions in a.set.
func (a *automaton) intern(matched bool, before syntax.Context) *state {
	if matched {
		return matchedState
	}
	positions := a.set.Dense[:0]
	for _, at := range a.set.Dense {
		if o := a.program.Insts[at].Op; o == syntax.OpSet || o == syntax.OpAssert {
			positions = append(positions, at)
		}
	}
	if len(positions) == 0 && a.program.Anchored {
		return deadState
	}
	slices.Sort(positions)
	a.key = append(a.key[:0], byte(before))
	for _, at := range positions {
		a.key = binary.LittleEndian.AppendUint16(a.key, uint16(at))
	}
	if s, ok := a.states[string(a.key)]; ok {
		return s
	}
	size := 160 + 8*a.alphabet.Size + 6*len(positions)
	if a.size+size > maxStates {
		clear(a.states)
		a.size = 0
		a.begin.Store(nil)
	}
	s := &state{positions: slices.Clone(positions), before: before, next: make([]atomic.Pointer[state], a.alphabet.Size)}
	a.states[string(a.key)] = s
	a.size += size
	return s
}
