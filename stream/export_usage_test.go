package stream

import (
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/regex"
)

// Fits tells whether expressions fit that take so much more than all together may.
func Fits(code, verified, repeated int) bool {
	return (&usage{code: maxCode + code, verified: maxVerified + verified, repeated: maxRepeated + repeated}).fits()
}

// FitsGlob tells whether a glob fits where all but so much of its weight is left.
func FitsGlob(g *glob.Path, more int) bool {
	return (&usage{globs: maxGlobs - g.Weight() + more}).takeGlob(g)
}

// LookSize is what an expression with look-around counts beside its text.
func LookSize(re *regex.Regexp) int {
	var u usage
	u.countVerified(re)
	return u.verified - verifiedBase - len(re.String())
}

// Repeated is what the counted repeats of somebody else's expression count.
func Repeated(re *regex.Regexp) int {
	var u usage
	program, _ := re.Search()
	u.countProgram(program, re.String(), false)
	return u.repeated
}
