//go:build linux || darwin

package identity

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// fileSystem names the file system of a path by what it is, where it tells: the number of the device may be another one after
// the machine was started again, and the same one for another disk in that drive. Empty: it does not tell.
func fileSystem(path string) string {
	var st unix.Statfs_t
	if err := systemcall.Retry(func() error { return unix.Statfs(path, &st) }); err != nil || st.Fsid.Val == [2]int32{} {
		return ""
	}
	return fmt.Sprintf("%08x%08x", uint32(st.Fsid.Val[0]), uint32(st.Fsid.Val[1]))
}
