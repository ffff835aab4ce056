package stream

import (
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/stream/internal/lanes"
)

// Bounds on what all expressions of a set together are made of: an instruction
// takes some 40 bytes, whoever runs it. A pattern that does not fit any more is
// refused. 5,000 triggers as authors write them take a twentieth of it.
const (
	maxCode     = 2 << 20   // instructions of the automaton
	maxVerified = 512 << 10 // instructions and bytes of patterns that need look-around
	maxGlobs    = 4 << 20   // weight of the globs, braces written out
	// maxRepeated is for what counted repeats write out, of triggers that are not the user's own: a few bytes of a{0,1000} are
	// a thousand instructions, each of which may be alive with every character of a stream.
	maxRepeated = 64 << 10
)

// What an expression takes beside its instructions, in as many instructions.
const (
	codeBase     = 4
	verifiedBase = 32
)

// usage is what is in use of it.
type usage struct {
	code, verified int
	repeated       int
	globs          int // their weight
}

func (r *usage) fits() bool {
	return r.code <= maxCode && r.verified <= maxVerified && r.repeated <= maxRepeated
}

// countProgram counts the program of a pattern that the automaton is to run.
func (r *usage) countProgram(p *syntax.Program, pattern string, own bool) {
	if r.code += codeBase + len(p.Insts); !own {
		r.repeated += max(len(p.Insts)-len(pattern), 0)
	}
}

// countLiteral counts an expression that is nothing but a text: the trie has a small
// node for each character at most.
func (r *usage) countLiteral(text string) { r.code += codeBase/2 + len(text)/3 }

// countVerified counts an expression that package look follows, or that the backtracking
// machine tries if it is too large for that.
func (r *usage) countVerified(re *regex.Regexp) {
	r.verified += verifiedBase + len(re.String())
	if n := re.Size(); n <= syntax.MaxSize {
		r.verified += n
	}
}

// takeGlob counts a glob, and says whether it fits.
func (r *usage) takeGlob(g *glob.Path) bool {
	if r.globs+g.Weight() > maxGlobs {
		return false
	}
	r.globs += g.Weight()
	return true
}

// mark is how far a set has come.
type mark struct {
	usage
	plan lanes.Mark

	expressions, verified, immediate int
}

func (c *compiler) mark() mark {
	return mark{c.usage, c.plan.Mark(), len(c.expressions), len(c.verified), len(c.immediate)}
}

// undo takes back what was added since.
func (c *compiler) undo(m mark) {
	clear(c.verified[m.verified:])
	c.plan.Undo(m.plan)
	c.usage = m.usage
	c.expressions, c.verified, c.immediate = c.expressions[:m.expressions], c.verified[:m.verified], c.immediate[:m.immediate]
}
