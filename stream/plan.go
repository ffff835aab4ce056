package stream

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// plan goes over all expressions twice: to learn what characters they tell apart, and,
// when all are known, to put them where they belong.
type plan struct {
	network  network
	sets     *sets
	programs []planned
	literals []literal
}

// planned is a program that is to be put into the automaton. Its sets are numbers.
type planned struct {
	insts []inst
	start uint32
}

// literal is an expression that is nothing but a text, perhaps between the ends of
// words.
type literal struct {
	text           string
	before, behind bool // there has to be the end of a word
	expression     uint32
}

func newPlan() *plan {
	p := &plan{sets: newSets()}
	p.sets.id(wordSet)
	p.sets.id(lineSet)
	return p
}

// fits says whether a program tells so few characters apart that it can be added.
func (p *plan) fits(program *syntax.Program) bool { return p.sets.fits(program) }

// add takes in a program, which has to match something.
func (p *plan) add(program *syntax.Program, expression uint32) {
	p.network.asks(program)
	p.programs = append(p.programs, planned{p.sets.translate(program, expression), program.Start})
}

// addLiteral takes in a text, unless it holds too many different characters.
func (p *plan) addLiteral(l literal) (ok bool) {
	if !p.sets.fitsText(l.text) {
		return false
	}
	p.network.asksWord = p.network.asksWord || l.before || l.behind
	p.literals = append(p.literals, l)
	return true
}

// planMark is how far a plan has come.
type planMark struct{ programs, literals int }

func (p *plan) mark() planMark { return planMark{len(p.programs), len(p.literals)} }

// undo takes back what was added since.
func (p *plan) undo(m planMark) {
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

// build makes the automaton.
func (p *plan) build(limits limits) *automaton {
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
func (a *automaton) start() {
	b := &a.builder
	for before := range edge(edges) {
		b.clear()
		b.addEntries(alwaysLane, before)
		a.matchesAt[before] = slices.Clone(b.matches)
		a.pendingAt[before] = b.pending(slices.Clone(b.places))
	}
}
