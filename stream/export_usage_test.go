package stream

import "github.com/pertain-dev/pertain/internal/glob"

// Fits tells whether expressions fit that take so much more than all together may.
func Fits(code, verified int) bool {
	return (&usage{code: maxCode + code, verified: maxVerified + verified}).fits()
}

// FitsGlob tells whether a glob fits where all but so much of its weight is left.
func FitsGlob(g *glob.Path, more int) bool {
	return (&usage{globs: maxGlobs - g.Weight() + more}).takeGlob(g)
}
