// Package diag is Pertain's one model of what can be said about a file: where
// (a [Source] and a [Span] of bytes in it), how bad ([Severity]), which of a
// closed list of mistakes ([Code]), in plain words, and what to write instead.
//
// Functions that read what a user wrote return a [List] beside their value,
// never a Go error. Start with [NewSource] and [At]; print with [Text],
// [Lines], [JSON], [SARIF] or [GitHub].
//
// A diagnostic never holds text from the user's screen, clipboard, selected
// files or windows: messages are built from our own words, from paths and ids,
// and from what the author of a strategy or rule wrote in that very file.
//
// All values are plain data. A Source is safe for concurrent use; a Diagnostic
// and a List are safe to share once nobody changes them.
package diag
