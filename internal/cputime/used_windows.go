package cputime

import (
	"syscall"
	"time"
)

// Used is what the process has used of the processor so far, on all cores, with the
// garbage collector and the system's work for it.
func Used() time.Duration {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return wall()
	}
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &created, &ended, &kernel, &user); err != nil {
		return wall()
	}
	return span(kernel) + span(user)
}

// span is a length of time, which Windows counts in steps of 100 ns.
func span(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
