package regex

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// engine runs one expression. It is immutable but for the states that its
// automaton adds, and is shared by all matches.
type engine struct {
	// literals one of which every matching text holds, to be looked for first;
	// empty if there are none worth it.
	literals []string
	// automaton decides alone if exact is set. Otherwise it matches wherever the
	// expression does, and perhaps elsewhere. nil if the expression is too large.
	automaton *automaton
	exact     bool
	// ordered: the automaton's program prefers the match that the expression
	// does, so that it can find it, too.
	ordered bool
	// literal: the expression matches exactly where one of literals is.
	literal bool
	first   *[256]bool   // bytes that a match can start with; nil for any
	code    *machineCode // nil if ordered
}

// maxScans bounds how many literals are looked for one after the other.
const maxScans = 4

func newEngine(t *syntax.Tree) *engine {
	e := &engine{automaton: newAutomaton(syntax.NewProgram(t.Root)), first: firstBytes(t.Root)}
	e.exact = t.Root.Linear() && e.automaton != nil
	e.ordered = e.exact && !t.Root.RepeatsEmpty()
	if !e.ordered {
		e.code = newMachineCode(t, e.first)
	}
	if found := findLiterals(t.Root); !found.folded && len(found.best) <= maxScans {
		e.literals = found.best
		e.literal = e.exact && found.whole
	}
	return e
}

// possible says whether text can match at all; ok is false when the budget is
// used up. sure says that what is possible is also so.
func (e *engine) possible(text string, b *budget) (possible, sure, ok bool) {
	if len(e.literals) > 0 {
		found := false
		for _, literal := range e.literals {
			if strings.Contains(text, literal) {
				found = true
				break
			}
		}
		if !found || e.literal {
			return found, true, true
		}
	}
	if e.automaton == nil {
		return true, false, true
	}
	possible, ok = e.automaton.match(text, b)
	return possible, e.exact, ok
}

func (e *engine) match(text string, b *budget) (matched, ok bool) {
	possible, sure, ok := e.possible(text, b)
	if !ok || !possible || sure {
		return possible, ok
	}
	start, _, ok := e.code.run(text, b)
	return start >= 0, ok
}

func (e *engine) find(text string, b *budget) (start, end int, ok bool) {
	possible, _, ok := e.possible(text, b)
	switch {
	case !ok || !possible:
		return -1, -1, ok
	case e.ordered:
		return find(e.automaton.program, text, e.first, b)
	default:
		return e.code.run(text, b)
	}
}
