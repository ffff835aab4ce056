package devtools

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/collect/internal/process"
)

// Listens tells whether a program, and nobody else, takes what is sent to a
// port of this machine's own address.
func Listens(pid, port int) bool {
	inodes := map[string]bool{}
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		file, err := os.Open(table)
		if err != nil {
			continue // a machine without IPv6
		}
		for lines := bufio.NewScanner(file); lines.Scan(); {
			if inode, ok := listener(lines.Text(), port); ok {
				inodes[inode] = true
			}
		}
		_ = file.Close()
	}
	return len(inodes) > 0 && ownsSockets(pid, inodes)
}

// listener reads a line of the table: the inode of a socket that listens at a
// port.
func listener(line string, port int) (string, bool) {
	const local, state, inode = 1, 3, 9
	fields := strings.Fields(line)
	if len(fields) <= inode || fields[state] != "0A" {
		return "", false
	}
	host, hex, _ := strings.Cut(fields[local], ":")
	n, err := strconv.ParseUint(hex, 16, 16)
	if err != nil || int(n) != port {
		return "", false
	}
	// 127.0.0.1 as the machine writes it, the same as an IPv6 address, or any address.
	reached := host == "0100007F" || host == "0000000000000000FFFF00000100007F" || strings.Trim(host, "0") == ""
	return fields[inode], reached
}

// ownsSockets tells whether a process has all of these sockets.
func ownsSockets(pid int, inodes map[string]bool) bool {
	folder := process.Path(pid, "fd")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	owned := map[string]bool{}
	for _, e := range entries {
		target, err := os.Readlink(folder + "/" + e.Name())
		if err != nil {
			continue
		}
		if inode, ok := strings.CutPrefix(target, "socket:["); ok && inodes[strings.TrimSuffix(inode, "]")] {
			owned[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return len(owned) == len(inodes)
}
