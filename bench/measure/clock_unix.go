//go:build unix

package measure

import (
	"syscall"
	"time"
)

// ProcessorTime is what the process has used so far on all cores, the garbage
// collector included. Other programs on the machine do not count.
func ProcessorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return wallTime()
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
