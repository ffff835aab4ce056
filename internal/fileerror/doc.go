// Package fileerror words, for people, why a file or folder cannot be read or
// written. Who calls it names the path.
//
// Use [Reason] first.
package fileerror
