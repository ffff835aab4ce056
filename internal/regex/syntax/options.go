// Package syntax reads regular expressions of two dialects into one tree, and makes
// programs for automata of it.
//
//	pattern → Parse → Tree → NewProgram → Program → NewAlphabet
//
// Use [Parse] first. The tree is what the backtracking machine of package regex works
// on; [NewProgram] makes of it the nondeterministic automaton that package regex and
// package stream run in one pass, and a [Builder] one that keeps look-around, for
// package look. What differs between the dialects is settled while parsing: in the
// kinds of assertions, in classes and in how they fold.
//
// The tests are those of package regex, which compare whole engines with others.
package syntax

// Dialect says by which rules an expression is read.
type Dialect uint8

const (
	// DotNet is the dialect of conditions: System.Text.RegularExpressions with
	// RegexOptions.None, or IgnoreCase.
	DotNet Dialect = iota
	// ECMAScript is the dialect of triggers: new RegExp(pattern) of ECMAScript 2025, with
	// the allowances of the standard's Annex B and without the u flag.
	ECMAScript
)

// Options says how to read an expression. The zero value is a case-sensitive
// .NET expression.
type Options struct {
	Dialect    Dialect
	IgnoreCase bool
	// InlineFlags lets an ECMAScript expression start with a group of flags, such
	// as (?i) or (?ms), which JavaScript itself refuses. .NET has its own inline
	// options in any case.
	InlineFlags bool
}

// SyntaxError says what is wrong with an expression. It is meant for the author
// of the expression and quotes nothing but the expression.
type SyntaxError struct {
	Offset  int    // byte offset into the pattern, from 0 to its length
	Message string // what is wrong
	Hint    string // what would be right, "" if nothing is near
}
