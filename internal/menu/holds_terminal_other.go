//go:build !linux

package menu

// HoldsTerminal tells whether a process runs a terminal; here only its name tells.
func HoldsTerminal(int) bool { return false }
