//go:build !unix

package measure

import "time"

// ProcessorTime is the time on the wall where processor time is not to be had.
func ProcessorTime() time.Duration { return wallTime() }
