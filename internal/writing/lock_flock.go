//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package writing

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// crashUnlocks tells that a lock ends with its process, however that ends.
const crashUnlocks = true

func tryLock(folder *os.Root, name string) (func(), error) {
	dir, err := folder.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var fd int
	err = systemcall.Retry(func() (err error) {
		// A link that has appeared since it was looked for is refused here; a pipe opens at once.
		fd, err = unix.Openat(int(dir.Fd()), name, unix.O_RDWR|unix.O_CREAT|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
		return err
	})
	if err != nil {
		return nil, pathError("lock", name, err)
	}
	f := os.NewFile(uintptr(fd), name)
	if err := flock(f); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, pathError("lock", name, err)
	}
	if !isAt(folder, name, f) { // somebody removed it, or put another one in its place, which others may have locked
		f.Close()
		return nil, errLocked
	}
	return func() { f.Close() }, nil
}
