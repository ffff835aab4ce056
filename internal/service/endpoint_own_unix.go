//go:build unix

package service

import (
	"io/fs"
	"os"
	"syscall"
)

// ownAlone tells whether nobody but this user, and root, can use what a path names. A
// link is not followed.
func ownAlone(path string, kind fs.FileMode) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != kind || info.Mode().Perm()&0o077 != 0 {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(st.Uid) == int64(os.Geteuid())
}

func checkRuntime(path string) error {
	if !ownAlone(path, fs.ModeDir) {
		return errForeign
	}
	return nil
}
