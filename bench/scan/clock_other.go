//go:build !unix

package scan

import "time"

var origin = time.Now()

// processor is the time on the wall where processor time is not to be had.
func processor() time.Duration { return time.Since(origin) }
