package identity

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// birth is when what is at a path was made; empty: neither an old kernel nor some file systems tell.
func birth(path string, _ *syscall.Stat_t) string {
	var st unix.Statx_t
	err := systemcall.Retry(func() error {
		return unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW|unix.AT_NO_AUTOMOUNT, unix.STATX_BTIME, &st)
	})
	if err != nil || st.Mask&unix.STATX_BTIME == 0 || st.Btime.Sec == 0 && st.Btime.Nsec == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%09d", st.Btime.Sec, st.Btime.Nsec)
}
