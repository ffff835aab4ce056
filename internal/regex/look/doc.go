// Package look runs expressions with look-around, but without back-references, in time
// proportional to the text, where backtracking would go through what a look-ahead sees
// from each offset anew.
//
//	syntax.Tree → Cache.Add → Automaton → State   a text that is still growing
//	syntax.Tree → Compile   → Program   → Finder  a whole text
//
// Use [NewCache] and [Cache.Add] first: an [Automaton] goes from one character to the
// next and says whether the expression matches whatever follows. A [Finder] gives the
// matches in a text that is known to its end.
//
// An automaton's states hold look-around as conditions on what is still to come: a
// decision diagram over the instructions from which the rest of the text would have to
// be accepted. That is an alternating automaton, made deterministic as it runs.
package look
