//go:build unix && !linux && !darwin && !freebsd && !netbsd

package files

import "syscall"

func birth(string, *syscall.Stat_t) string { return "" }
