// Package glob holds the two pattern languages that authors write, and the case folding that goes with them.
//
// Use [Compile] for the operator `glob` of a condition: it works on any text, `*` runs over everything, separators included.
// Use [CompilePath] for the `globs` of a rule: it works on paths with slashes, `*` stays inside one segment, `**` crosses them.
// Use [CompileExtended] for the globs of tools that also have groups such as `@(a|b)` and ranges such as `{1..3}`.
// Use [SplitList] where several path globs stand in one string, and [Fold] wherever two texts are compared without case.
//
// Both languages share one syntax:
//
//   - any run of characters
//     ?        one character
//     [a-z]    one character of the class; [!a-z] and [^a-z] one that is not
//     {a,b}    either; alternatives may be empty and may hold braces themselves
//     \x       the character x itself
//
// A pattern is compiled once and then matched from any number of goroutines. Matching never backtracks exponentially:
// its cost is bounded by the length of the text times the size of the pattern.
package glob

// Limits of a pattern. They keep compiling cheap whatever an author writes; no pattern seen in practice comes near them.
const (
	maxPattern      = 16 << 10 // bytes of a pattern
	maxDepth        = 64       // braces inside braces
	maxAlternatives = 1024     // alternatives of a path glob after its braces are expanded
	maxExpanded     = 64 << 10 // weight of all those alternatives together: their elements and the bytes of their texts
)

// SyntaxError says what is wrong with a pattern. It is not a Go error: it becomes a diagnostic at the author's file.
type SyntaxError struct {
	Offset  int    // byte offset in the pattern
	Message string // what is wrong
	Hint    string // what to write instead
}
