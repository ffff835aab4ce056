// Package lanes runs any number of expressions over a text in one pass, as one
// automaton whose states are made when they are first reached.
//
//	syntax.Program ┐
//	Literal        ┴→ Plan → Automaton → Walker → Note: which expressions match where
//
// Use [NewPlan] first, add the expressions, and [Plan.Build] the automaton, which all
// texts share; a [Walker] is where one text is in it.
//
// One deterministic automaton of thousands of expressions would have too many states:
// what one expression has come to multiplies with what the others have. So it is cut
// into lanes, each with states of its own, that are walked one after the other. The
// first lane is a trie of what the expressions begin with, as long as each character is
// one of a few; it has about as many states as nodes. Where an expression goes on with
// something wider, its lane is entered, and left when nothing of it is alive any more.
// Expressions that may begin with nearly any character are one lane that is always
// active.
//
// A text may still lead to a new state with nearly every character. The lane in
// question is then walked without states for a while: as a nondeterministic automaton
// with a bit for each position ([Patience] says when).
//
// Many expressions are a word, a gap and a token: a name, at most forty characters, and
// thirty-two letters and digits in a row. Their lanes sleep when they are entered, and
// are walked from there once so long a run has come, which in text is rare; most end
// asleep (see gate).
package lanes
