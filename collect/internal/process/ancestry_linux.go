package process

import (
	"os"
	"strconv"
	"strings"
)

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
		pid = parentOf(pid)
	}
	return false
}

// parentOf is the number behind the name in /proc/PID/stat; a name may hold anything.
func parentOf(pid int) int {
	text, err := os.ReadFile(Path(pid, "stat"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}
