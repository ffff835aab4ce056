//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package writing

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// claimed locks a temporary file that was just made, and tells whether it is still there and nobody else's. On a file system
// without locks it is; what is left there stays, since nobody can tell whose it is.
func claimed(f *os.File) bool {
	if errors.Is(flock(f), syscall.EWOULDBLOCK) {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || st.Nlink > 0
}

// removeLeftover removes a temporary file that nobody has locked: whoever was writing it is dead.
func removeLeftover(folder *os.Root, name string) {
	f, err := folder.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if flock(f) != nil {
		return
	}
	locked, err := f.Stat()
	now, gone := folder.Lstat(name)
	if err == nil && gone == nil && os.SameFile(locked, now) {
		_ = folder.Remove(name)
	}
}

// flock locks an open file for its descriptor, without waiting.
func flock(f *os.File) error {
	return systemcall.Retry(func() error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) })
}

// isOwn tells whether a file is this user's.
func isOwn(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// keepOwner gives a new file the owner and group of the one that it replaces, as far as that is allowed.
func keepOwner(f *os.File, before fs.FileInfo) {
	info, err := f.Stat()
	if err != nil {
		return
	}
	now, ok := info.Sys().(*syscall.Stat_t)
	old, known := before.Sys().(*syscall.Stat_t)
	if ok && known && (now.Uid != old.Uid || now.Gid != old.Gid) {
		_ = f.Chown(int(old.Uid), int(old.Gid))
	}
}
