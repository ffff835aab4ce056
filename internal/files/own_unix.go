//go:build unix

package files

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// own notes whose something is.
func own(out *Info, info fs.FileInfo) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		ownBy(out, st.Uid, st.Gid, uint32(st.Mode))
	}
}

func ownBy(out *Info, uid, gid, mode uint32) {
	out.Foreign = uid != 0 && int64(uid) != int64(os.Geteuid()) && !bySudo(uid)
	out.Public = mode&0o002 != 0
	// A group with the number of its user is that user's own: many systems give one to each, and let it write.
	out.Shared = out.Public || mode&0o020 != 0 && gid != uid
	out.Exposed = mode&0o004 != 0 || mode&0o040 != 0 && gid != uid
}

// bySudo tells whether root is that user, by sudo, as git asks it.
func bySudo(uid uint32) bool {
	if os.Geteuid() != 0 {
		return false
	}
	caller, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32)
	return err == nil && uint32(caller) == uid
}
