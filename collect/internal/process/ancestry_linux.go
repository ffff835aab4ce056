package process

import "github.com/pertain-dev/pertain/internal/program"

// maxAncestry bounds how far parents are followed: their numbers may go in a circle,
// since they are used again.
const maxAncestry = 64

// Below tells whether a process is another one, or was started by it or by one that is
// below it.
func Below(pid, ancestor int) bool {
	for range maxAncestry {
		if pid <= 1 || ancestor <= 1 {
			return false
		}
		if pid == ancestor {
			return true
		}
		pid = program.Parent(pid)
	}
	return false
}
