//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package files

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// staleLock is how old a lock file must be before it is taken for one that a crash left behind.
const staleLock = lockWait / 2

// tryLock makes the file, which only one can. Systems without locks that end with the process have nothing better.
func tryLock(path string) (func(), error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > staleLock {
			_ = os.Remove(path)
		}
		return nil, errLocked
	}
	if err != nil {
		return nil, err
	}
	return func() {
		f.Close()
		_ = os.Remove(path)
	}, nil
}
