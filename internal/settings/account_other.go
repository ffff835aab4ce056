//go:build !unix && !windows

package settings

// AccountHome is not known here.
func AccountHome() string { return "" }
