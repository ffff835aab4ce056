package program

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Parent is the process that started another one; 0 if that is not known.
func Parent(pid int) int {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	// The number after the name, in parentheses, which may hold anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}
