// Package files is how Pertain reads the file system: a tree behind one interface, so that the same code runs on the real disk
// and, in tests, on trees in memory with the ways of Unix and of Windows.
//
// Start with [OS] for the real tree or [NewMemory] for one in memory; both are a [Tree]. [Walk] goes through a folder in a
// defined order, [FindUp] looks for something in a folder and above it, [Within] tells whether a path stays inside a folder once
// links are followed.
//
// Nothing is written here.
//
// Paths given to a tree may be relative; they then begin at the tree's working directory. Paths that a tree returns are
// absolute and clean. Reading never blocks: what is not a regular file is refused before it is opened.
package files
