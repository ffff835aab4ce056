//go:build !unix && !windows

package cputime

import "time"

// Used stands for what the process has used of the processor so far.
func Used() time.Duration { return wall() }
