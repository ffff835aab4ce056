// Package process is what the system tells of programs: what they are called, how
// they were started, and in which folder the user of a window works.
//
//	a window's process → the terminals that it shows → the process in front → the pane of a multiplexer → the working directory
//
// Use Terminals first. macOS is asked by package macos; what its list of processes means
// is here, in [TerminalsOf].
package process
