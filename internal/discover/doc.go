// Package discover finds things on disk: strategy files, the rules of every
// tool, skills, the sources that
// `from` names. One file for each kind of source; the order of providers is the
// order in which they are listed.
//
// Use [Strategies] first.
package discover
