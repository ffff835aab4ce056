package menu

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/internal/program"
)

// maxFamily bounds how many processes are looked at.
const maxFamily = 4096

// HoldsTerminal tells whether a process or one that it started runs a terminal: it
// has the master side of one open. Editors with a terminal in a corner count, since
// nobody tells where in the window the cursor is.
func HoldsTerminal(pid int) bool {
	family := map[int]bool{pid: true}
	processes, err := os.ReadDir("/proc")
	if err != nil {
		return true
	}
	parents := map[int]int{}
	for _, entry := range processes {
		if n, err := strconv.Atoi(entry.Name()); err == nil && len(parents) < maxFamily {
			parents[n] = program.Parent(n)
		}
	}
	for grown := true; grown; {
		grown = false
		for child, parent := range parents {
			if family[parent] && !family[child] {
				family[child], grown = true, true
			}
		}
	}
	for member := range family {
		if opensTerminal(member) {
			return true
		}
	}
	return false
}

func opensTerminal(pid int) bool {
	dir := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	open, err := os.ReadDir(dir)
	if err != nil {
		return false // of another user, or gone
	}
	for _, fd := range open {
		if target, err := os.Readlink(filepath.Join(dir, fd.Name())); err == nil && strings.HasSuffix(target, "/ptmx") {
			return true
		}
	}
	return false
}
