//go:build unix

package cli

import (
	"errors"
	"io/fs"
	"syscall"
)

var errWouldWait = errors.New("its text is not there yet, and reading it would wait")

// openScan speaks to the system directly: an os.File would wait in the poller for what comes out of files such as /proc/kmsg.
func openScan(path string) (scanFile, error) {
	failed := func(err error) (scanFile, error) { return scanFile{}, &fs.PathError{Op: "open", Path: path, Err: err} }
	var fd int
	err := untilDone(func() (err error) {
		fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return failed(err)
	}
	var st syscall.Stat_t
	if err := untilDone(func() error { return syscall.Fstat(fd, &st) }); err != nil {
		_ = syscall.Close(fd)
		return failed(err)
	}
	return scanFile{
		regular: st.Mode&syscall.S_IFMT == syscall.S_IFREG,
		size:    st.Size,
		read: func(b []byte) (n int, err error) {
			err = untilDone(func() (err error) {
				n, err = syscall.Read(fd, b)
				return err
			})
			switch {
			case errors.Is(err, syscall.EAGAIN):
				return 0, errWouldWait
			case err != nil:
				return 0, &fs.PathError{Op: "read", Path: path, Err: err}
			}
			return n, nil
		},
		close: func() { _ = syscall.Close(fd) },
	}, nil
}

// untilDone goes on after a signal.
func untilDone(call func() error) error {
	for {
		if err := call(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
