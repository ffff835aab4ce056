//go:build !windows

package environment

// systemLocale has no answer: these systems say it by variables.
func systemLocale() string { return "" }

// systemZone has no answer: these systems say it by /etc/localtime.
func systemZone() string { return "" }
