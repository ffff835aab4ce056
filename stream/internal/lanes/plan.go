package lanes

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Plan goes over all expressions twice: to learn what characters they tell apart, and,
// when all are known, to put them where they belong.
type Plan struct {
	network  network
	sets     *sets
	programs []planned
	literals []Literal
}

// planned is a program that is to be put into the automaton. Its sets are numbers.
type planned struct {
	insts []inst
	start uint32
}

// Literal is an expression that is nothing but a text, perhaps between the ends of
// words.
type Literal struct {
	Text          string
	Before, After bool // there has to be the end of a word
	Expression    uint32
}

// NewPlan gives an empty plan.
func NewPlan() *Plan {
	p := &Plan{sets: newSets()}
	p.sets.id(wordSet)
	p.sets.id(lineSet)
	return p
}

// Fits says whether a program tells so few characters apart that it can be added.
func (p *Plan) Fits(program *syntax.Program) bool { return p.sets.fits(program) }

// Add takes in a program, which has to match something.
func (p *Plan) Add(program *syntax.Program, expression uint32) {
	p.network.asks(program)
	p.programs = append(p.programs, planned{p.sets.translate(program, expression), program.Start})
}

// AddLiteral takes in a text, unless it holds too many different characters.
func (p *Plan) AddLiteral(l Literal) (ok bool) {
	if !p.sets.fitsText(l.Text) {
		return false
	}
	p.network.asksWord = p.network.asksWord || l.Before || l.After
	p.literals = append(p.literals, l)
	return true
}

// Mark is how far a plan has come.
type Mark struct{ programs, literals int }

// Mark is for Undo.
func (p *Plan) Mark() Mark { return Mark{len(p.programs), len(p.literals)} }

// Undo takes back what was added since.
func (p *Plan) Undo(m Mark) {
	clear(p.programs[m.programs:])
	p.programs, p.literals = p.programs[:m.programs], p.literals[:m.literals]
}

// translate gives a program with numbers for sets. It is what is kept of the
// program until all have been read.
func (s *sets) translate(p *syntax.Program, expression uint32) []inst {
	out := make([]inst, len(p.Insts))
	for i := range p.Insts {
		from := &p.Insts[i]
		out[i] = inst{op: from.Op, assert: from.Assert, out: from.Out, alt: from.Alt}
		switch from.Op {
		case syntax.OpSet:
			out[i].set = s.id(from.Set)
		case syntax.OpMatch:
			out[i].set = expression
		}
	}
	return out
}

// Build makes the automaton.
func (p *Plan) Build(limits Limits) *Automaton {
	n := &p.network
	n.alphabet = newAlphabet(p.sets)
	t := newPlanter(n.alphabet, p.sets.list)
	for i := range p.programs {
		t.plant(p.programs[i])
		p.programs[i].insts = nil
	}
	t.children = nil
	t.plantLiterals(p.literals)
	p.literals = nil
	t.trie.finish()
	n.trie, n.code, n.lanes = t.trie, t.code, t.lanes
	n.settle()
	return newAutomaton(*n, limits)
}

// start works out what the always lane comes to before any character.
func (a *Automaton) start() {
	b := &a.builder
	for before := range edge(edges) {
		b.clear()
		b.addEntries(AlwaysLane, before)
		a.matchesAt[before] = slices.Clone(b.matches)
		a.pendingAt[before] = b.pending(slices.Clone(b.positions))
	}
}
