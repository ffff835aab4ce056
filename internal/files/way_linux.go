package files

import (
	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// isPlain tells whether a folder is there, and no link is on the way to it, by a single question.
func isPlain(folder string) bool {
	fd := -1
	err := systemcall.Retry(func() (err error) {
		fd, err = unix.Openat2(unix.AT_FDCWD, folder, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
		return err
	})
	if err == nil {
		_ = unix.Close(fd)
	}
	return err == nil
}
