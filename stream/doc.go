// Package stream watches what a model says, piece by piece, with any number of
// triggers at once.
//
// Use [Compile] first: it makes one automaton of all triggers. [Set.Stream] then
// watches one stream; [Stream.Feed] answers with the triggers that fired, and the
// answer never depends on how the text was cut into pieces. A [Watcher] holds all
// streams of a conversation and applies the policy: which sources a trigger
// watches, whether to interrupt, when a rule may fire again. What was injected is kept
// by a [Memory]; [OpenFileMemory] is one that survives the process. Where each turn is a
// process of its own, as with pertain guard, [Watcher.StartShared] and [Watcher.Claim]
// share it among those that run at once.
//
// # Meaning
//
// A trigger's expressions are ECMAScript's, as new RegExp(pattern) reads them in the
// edition of 2025 (with modifiers, (?i:...), and with groups of one name in different
// alternatives), over code points instead of UTF-16 units. A trigger fires if one of them matches
// somewhere in the whole text of the stream, and is reported as soon as that is
// decided: at the end of the smallest prefix of the text that the expression
// matches whatever follows, and if nothing does. So foo fires at its second o,
// foo$ at the end of the text, \bfoo\b at the character after it or at the end,
// foo(?!bar) as soon as what follows is no bar, and a$|a[^] at the a, since both
// what follows and the end make it match. $ alone fires before any text: it
// matches every text. Several patterns of one trigger are decided each on its own,
// and so are the alternatives of a pattern of more than 16 KiB, or of one that would
// have more than 4,096 instructions: whether they match is the same as for the
// whole, but a trigger with a$ and a[^] among ten thousand alternatives fires at the
// character after the a, or at the end.
//
// Back-references are the exception: whether an expression with them matches every
// text is not decidable, so it cannot always be known which is the smallest prefix
// that decides. Such an expression fires at the first prefix on which a match is
// found that needs to see nothing of what follows, or on which a match that needs
// no back-reference is certain; that can be later than it need be, as for
// (a|b)*\1$, which matches every text and fires at the end. In the same way an
// expression whose look-around is so entangled that a few hundred states of what
// may follow do not tell fires when a match no longer depends on what follows.
//
// Look-around sees a window of at least the last 32 KiB of the text, and so do
// back-references; an expression that matches nothing in particular, so that it
// has to be followed all the time, sees the whole.
//
// # What is undecided
//
// Expressions with back-references are tried by backtracking, from one offset after the other. What
// starts at one offset may take 65,536 steps, of a few nanoseconds each, and 32 for
// each byte of the window; if it takes more, that offset is given up, and the next is
// tried. All offsets together may take two million steps for each expression, and 64
// for each byte of the text; what would take more is tried when more text has come,
// at the latest when the window moves, and at the end. All expressions of a set have bounds together,
// too: the more there are the less each may, those of the user's own triggers apart. So have all streams of one turn of a
// [Watcher]: one that begins may do half of what those before it have left, beside what its own text gives. [Stream.Undecided],
// [Verdict.Undecided] and [Scanner.Undecided] tell what was given up: a match there
// may have been missed. Steps are counted, and at offsets that depend on the text
// alone, so this too does not depend on the pieces, nor on how busy the machine is.
// Scanners of one [ScanWork] have a limit together, too.
//
// # Differences from a JavaScript engine
//
// Outside the basic plane a character is two UTF-16 units for JavaScript and one
// here, as it is there with the u flag:
//
//   - "." and [^a] and \W take it whole: ^.$ matches 😀.
//   - {2} counts it once: ^.{2}$ does not match 😀.
//   - Look-behind goes over it whole: (?<=^.)x matches after 😀.
//   - A quantifier after it is for all of it: 😀{2} matches two, 😀? none or one.
//   - A class holds it, and not its halves: [😀] does not match 😁.
//   - A range may begin or end with it: [😀-😎] is valid.
//   - A back-reference to it is to all of it: (.)\1 matches 😀😀.
//   - A lone half of a surrogate pair in an expression, \ud83d, matches nothing.
//   - A pair of such escapes, \ud83d\ude00, is the one character that it stands for,
//     in a class and before a quantifier too.
//
// Ignoring case does not reach there, as in JavaScript without the u flag. Offsets
// are in bytes. Text that is not UTF-8 is read as one U+FFFD for each such byte, by
// back-references too: two different broken bytes are the same character.
//
// # Cost
//
// All expressions that a finite automaton can hold are run by one, whose states
// are made when they are first reached and are shared by all streams of a set. A
// piece costs time in proportion to its own length. Expressions with look-around
// are followed, one by one, from where the automaton says that a match of them may
// end; that too takes time in proportion to the text, with a bound on what the states of all of them take. One that
// goes beyond its share is tried by backtracking from there on.
//
// A text may lead to a new state with nearly every character, as one of a and b does
// for a[ab]{20}c, which has a million. Where that goes on for some milliseconds, a
// stream goes on without states, with a bit for each position at which an expression may
// be: a character then takes about a nanosecond for every ten positions of the
// expressions in question, and the stream two bits for each.
//
// The states of a set take at most [MaxStates] bytes and those of look-around
// [MaxLookAround]; beyond, they are dropped and made anew. The expressions of a set have
// at most two million instructions for the automaton, with every repeat written out,
// and half a million for look-around and back-references; those of triggers that are not the user's own have at most 65,536
// that only repeats write out. 5,000 ordinary ones have
// less than a twentieth of that. A pattern that would go beyond is refused, with
// [Problem.Full]. So a set keeps less than 128 MiB whatever its triggers are, beside
// their text, and making it takes less than 384 MiB of heap, with what the garbage
// collector has yet to take away. A set of 5,000 ordinary ones keeps less than 8.
//
// A pattern has at most 64 KiB. One that consists of alternatives, a|b|c, perhaps
// in a group with something around it, has at most 1 MiB, and each of them 64 KiB;
// with what is around it written to each they have at most 4 MiB.
// A stream takes less than a kilobyte, but for the window of look-around, some
// hundred bytes for each expression with look-around that it has met, and what it
// takes without states.
package stream
