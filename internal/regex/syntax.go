package regex

import "github.com/pertain-dev/pertain/internal/regex/syntax"

// What callers need of package syntax to say how an expression is read.
type (
	// Dialect says by which rules an expression is read.
	Dialect = syntax.Dialect
	// Options says how to read an expression. The zero value is a case-sensitive
	// .NET expression.
	Options = syntax.Options
	// SyntaxError says what is wrong with an expression.
	SyntaxError = syntax.SyntaxError
)

// The dialects.
const (
	DotNet     = syntax.DotNet
	ECMAScript = syntax.ECMAScript
)

// Fold gives a text with every character replaced by the one that stands for all
// that equal it when case is ignored in DotNet.
func Fold(text string) string { return syntax.Fold(text) }
