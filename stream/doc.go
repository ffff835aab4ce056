// Package stream watches what a model says, piece by piece, with any number of
// triggers at once.
//
// Use [Compile] first: it makes one automaton of all triggers. [Set.Stream] then
// watches one stream; [Stream.Feed] answers with the triggers that fired, and the
// answer never depends on how the text was cut into pieces. A [Watcher] holds all
// streams of a conversation and applies the policy: which sources a trigger
// watches, whether to interrupt, when a rule may fire again.
//
// # Meaning
//
// A trigger's expressions are ECMAScript's, as new RegExp(pattern) reads them, over
// code points instead of UTF-16 units. A trigger fires if one of them matches
// somewhere in the whole text of the stream, at the end of its earliest-ending
// match, and is reported as soon as that is decided. A match that more text could
// undo, by $ or \b, is decided when the next character or the end arrives. An
// expression with look-around or back-references is confirmed on a window of the
// last 32 to 64 KiB under a time limit, and fires where it is decided: at the first
// place at which a match is found without looking beyond what has arrived.
//
// # Differences from a JavaScript engine
//
// Outside the basic plane a character is two UTF-16 units for JavaScript and one
// here: "." and [^x] take it whole, {2} counts it once, a lone surrogate in an
// expression matches nothing, and a pair of surrogate escapes is the one character
// it stands for. Text that is not UTF-8 is read as one U+FFFD for each such byte.
//
// # Cost
//
// All expressions that a finite automaton can hold are run by one, whose states
// are made when they are first reached and are shared by all streams of a set. A
// piece costs time in proportion to its own length. The states of a set take at
// most [MaxStates] bytes; beyond, they are dropped and made anew.
package stream
