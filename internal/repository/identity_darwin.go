package repository

import (
	"io/fs"
	"syscall"
)

// identity is when a file's own data were changed, in seconds, and its number, as
// an index notes them.
func identity(info fs.FileInfo) (changed, inode uint32, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return uint32(s.Ctimespec.Sec), uint32(s.Ino), true
}
