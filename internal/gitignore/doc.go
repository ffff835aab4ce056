// Package gitignore tells which files of a project git leaves alone, by the lines
// of .gitignore and of the lists that hold everywhere. The lines are a stranger's,
// so that what they may cost is bounded.
//
// Use [Walk] first; [New] is for who walks a repository otherwise.
package gitignore
