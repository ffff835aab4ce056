package collect

import "github.com/pertain-dev/pertain/collect/internal/process"

// programFile is the file that a process runs; "" if it is not known.
func (*desktop) programFile(pid int) string { return process.File(uint32(pid)) }
