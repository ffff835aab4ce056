//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Used is what the process has used of the processor so far, on all cores, with the
// garbage collector and the system's work for it.
func Used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return wall()
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
