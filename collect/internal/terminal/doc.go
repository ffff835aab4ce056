// Package terminal tells which of the terminals that a program shows is the one in
// front: its tabs, panes and windows run in one process, and the kernel knows no more
// than that.
//
//	process.Terminals → InFront: konsole_linux.go, kitty_linux.go ask the program itself,
//	                    words_linux.go compares folders with the title and with the prompt
//
// Use InFront first. Where nothing tells, there is no answer: the folder of another
// tab would be the wrong one.
package terminal
