//go:build !unix

package measure

import "time"

func ProcessorTime() time.Duration { return wallTime() }
