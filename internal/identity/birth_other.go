//go:build unix && !linux && !darwin && !freebsd && !netbsd

package identity

import "syscall"

func birth(string, *syscall.Stat_t) string { return "" }
