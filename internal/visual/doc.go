// Package visual is the language that asks about the elements on the screen.
//
// Use [Parse] first: it reads a query once and says what is wrong with it, with
// its offset. An [Index] is the tree that queries are asked about, made once for a
// snapshot and shared by all of them. [Query.Exists], [Query.Count],
// [Query.Select], [Query.Values] and [Query.Visit] answer.
//
// # The language
//
//	query     = ( "/" | "//" ) steps | "." filters [ ( "/" | "//" ) steps ]
//	steps     = step { ( "/" | "//" ) step } [ "/" attribute ]     a query "./@name" has no step
//	step      = ( Type | "*" ) filters
//	filters   = { "[" filter "]" }
//	filter    = attribute "=" value
//	          | "contains" "(" attribute "," string ")"
//	          | "matches" "(" attribute "," string ")"
//	attribute = "@" name
//	value     = string | number | "true" | "false"
//
// A string stands in ' or ", whichever it does not hold; there are no escapes. A
// number may have a sign and decimals. The value's kind must be the attribute's
// (see [Attributes]); contains and matches are for strings. White space may
// stand between all parts. Types and attributes are read without case; the
// words true, false, contains and matches are written small.
//
// # Meaning
//
// A path that starts with / starts at the roots and, where a root is a Screen,
// also at its children. One that starts with // looks at all elements, one with
// .// at the primary element and everything below it. Between two steps, / goes
// to children and // to everything below, the element itself not included. All
// filters of a step must hold. An element without an attribute meets no filter
// on it, and a query for that attribute does not select the element. Answers are
// distinct and in document order.
//
// Strings are compared without case (simple folding) unless
// [Options.CaseSensitive] is set. The text of an element is read only when a
// query names @text, and then after everything else about the element, and about
// what is above it, is known to fit.
package visual
