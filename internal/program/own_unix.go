//go:build unix

package program

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// ownFolder tells whether nobody but the user and root can put a program into a folder: it and all above it belong to them, and
// not everybody may write there. What a group may write stays: administrators let one install programs, as in Debian's
// /usr/local/bin. In a folder where everybody may write but not take away, such as /tmp, the user's own folders are the user's.
func ownFolder(dir string) bool {
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil || !info.IsDir() || !ownedBy(info) {
			return false
		}
		public := info.Mode().Perm()&0o002 != 0
		if public && (at == dir || info.Mode()&os.ModeSticky == 0) {
			return false
		}
		if at == filepath.Dir(at) {
			return true
		}
	}
}

// ownFile tells whether not everybody may change a program.
func ownFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o002 == 0
}

// ownedBy tells whether something belongs to the user, also by sudo, or to root: to who has the root folder, since in a
// container root may be nobody.
func ownedBy(info os.FileInfo) bool {
	owner, ok := ownerOf(info)
	if !ok || owner == 0 || int64(owner) == int64(os.Geteuid()) {
		return ok
	}
	if caller, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32); err == nil && os.Geteuid() == 0 && uint32(caller) == owner {
		return true
	}
	root, err := os.Lstat("/")
	if err != nil {
		return false
	}
	system, ok := ownerOf(root)
	return ok && system == owner
}

func ownerOf(info os.FileInfo) (uint32, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return st.Uid, true
}
