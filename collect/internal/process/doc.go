// Package process is what the system tells of programs: what they are called, how
// they were started, and in which folder the user of a window works.
//
//	a window's process → the terminal's foreground → the pane of a multiplexer → the working directory
//
// Use Dir first. macOS is asked by package macos; what its list of processes means
// is here, in [ForegroundOf].
package process
