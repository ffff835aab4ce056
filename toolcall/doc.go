// Package toolcall tells what a tool call of any agent is about: which files it
// touches, and the text that it adds to each.
//
// Start with [Read] for a call that is whole, and with [NewReader] for one whose
// arguments arrive in pieces; both give the same. What counts is the new side
// alone, decoded: the content of a file that is written, the replacement and not
// what it replaces, the added lines of a patch, the command of a shell and what it
// writes into files: here-documents, and texts that it prints.
//
//	arguments, piece by piece → [Reader] → [Piece]s: text added to a [Segment]
//	                                       path and kind of each, as soon as they are known
//
// Agents name their tools and arguments in many ways; the tables of this package
// know them. Of a tool that is in none of them, all text values count.
package toolcall
