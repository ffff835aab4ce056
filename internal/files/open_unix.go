//go:build unix

package files

import (
	"syscall"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// readRegular speaks to the system directly: an os.File would be entered into the poller and cleaned up later, which costs
// more than reading a small file.
func readRegular(path string, limit int64) ([]byte, error) {
	if err := checkLink(path); err != nil {
		return nil, err
	}
	var st syscall.Stat_t
	if err := systemcall.Retry(func() error { return syscall.Stat(path, &st) }); err != nil {
		return nil, pathError("stat", path, err)
	}
	if err := checkRegular(path, modeKind(uint32(st.Mode)), st.Size, limit); err != nil {
		return nil, err
	}
	var fd int
	err := systemcall.Retry(func() (err error) {
		// A pipe that has appeared since opens at once, and is then refused.
		fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, pathError("open", path, err)
	}
	defer func() { _ = syscall.Close(fd) }()
	if err := systemcall.Retry(func() error { return syscall.Fstat(fd, &st) }); err != nil {
		return nil, pathError("stat", path, err)
	}
	if err := checkRegular(path, modeKind(uint32(st.Mode)), st.Size, limit); err != nil {
		return nil, err
	}
	return readAll(path, st.Size, limit, func(b []byte) (n int, err error) {
		err = systemcall.Retry(func() (err error) {
			n, err = syscall.Read(fd, b)
			return err
		})
		return max(n, 0), err
	})
}

// Nonblocking opens a pipe without waiting for its writer.
const Nonblocking = syscall.O_NONBLOCK | syscall.O_NOCTTY

func modeKind(mode uint32) Kind {
	switch mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return File
	case syscall.S_IFDIR:
		return Folder
	default:
		return Special
	}
}
