//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package writing

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// staleLock is how old a lock file must be before it is taken for one that a crash left behind.
const staleLock = lockWait / 2

// crashUnlocks tells that a lock ends with its process, however that ends.
const crashUnlocks = false

// tryLock makes the file, which only one can. Systems without locks that end with the process have nothing better.
func tryLock(folder *os.Root, name string) (func(), error) {
	f, err := folder.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		if info, err := folder.Lstat(name); err == nil && time.Since(info.ModTime()) > staleLock {
			_ = folder.Remove(name)
		}
		return nil, errLocked
	}
	if err != nil {
		return nil, err
	}
	held, err := folder.OpenRoot(".") // the caller closes the other one
	if err != nil {
		f.Close()
		_ = folder.Remove(name)
		return nil, err
	}
	return func() {
		f.Close()
		_ = held.Remove(name)
		_ = held.Close()
	}, nil
}
