// Package visible knows what a reader of a text can see: characters that show
// nothing, characters that move what is shown, and names that look like others.
// Texts of strangers go through it on their way to a model, to a terminal and to
// JSON, so that nothing is said that only a program sees.
//
// Use [Hidden] to find such characters, [Strip] for a text that a model reads,
// [Show] or a [Writer] for a terminal, [Line] for a name in a line of our own,
// [JSON] for JSON that a person may look at, and [Skeleton] to compare names by
// how they look.
//
// A character counts as hidden only where it does nothing for a reader: the joiners of
// emoji, Persian and the scripts of India, a few variation selectors, direction
// marks beside Arabic or Hebrew letters, blanks among Braille, icons of fonts for
// programmers and what later versions of Unicode may bring are part of the text.
package visible
