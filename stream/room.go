package stream

import (
	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
)

// Bounds on what all expressions of a set together are made of: an instruction
// takes some 40 bytes, whoever runs it. A pattern that does not fit any more is
// refused. 5,000 triggers as authors write them take a twentieth of it.
const (
	maxCode  = 2 << 20   // instructions of the automaton
	maxLooks = 512 << 10 // instructions and bytes of patterns that need look-around
)

// What an expression takes beside its instructions, in as many instructions.
const (
	codeBase = 4
	lookBase = 32
)

// room is what is in use of it.
type room struct {
	code, looks int
}

func (r *room) fits() bool { return r.code <= maxCode && r.looks <= maxLooks }

// takeCode counts a program that the automaton is to run.
func (r *room) takeCode(p *syntax.Program) { r.code += codeBase + len(p.Insts) }

// takeLiteral counts an expression that is nothing but a text: the trie has a small
// node for each character at most.
func (r *room) takeLiteral(text string) { r.code += codeBase/2 + len(text)/3 }

// takeLook counts an expression that an outlook follows, or the backtracking machine
// tries if it is too large for one.
func (r *room) takeLook(re *regex.Regexp) {
	r.looks += lookBase + len(re.String())
	if n := re.Size(); n <= syntax.MaxSize {
		r.looks += n
	}
}

// mark is how far a set has come.
type mark struct {
	room
	expressions, looks, immediate, programs, literals, machines int
}

func (c *compiler) mark() mark {
	return mark{c.room, len(c.expressions), len(c.looks), len(c.immediate), len(c.programs), len(c.literals), c.machines}
}

// undo takes back what was added since.
func (c *compiler) undo(m mark) {
	clear(c.looks[m.looks:])
	clear(c.programs[m.programs:])
	c.room, c.machines = m.room, m.machines
	c.expressions, c.looks, c.immediate = c.expressions[:m.expressions], c.looks[:m.looks], c.immediate[:m.immediate]
	c.programs, c.literals = c.programs[:m.programs], c.literals[:m.literals]
}
