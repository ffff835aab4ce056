package writing

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// replace exchanges two files and looks at the one that came out: nobody reaches that by its name any more, so what it holds then
// is all that was ever written into it. If it is not what it was, they are exchanged again.
func replace(folder *os.Root, old *os.File, temporary, name string, before []byte) error {
	dir, err := folder.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	_ = flock(old) // so that nobody takes it for a leftover while it has the temporary name
	if !holds(old, before) {
		return ErrChanged
	}
	exchange := func() error {
		return systemcall.Retry(func() error {
			return unix.Renameat2(int(dir.Fd()), temporary, int(dir.Fd()), name, unix.RENAME_EXCHANGE)
		})
	}
	if err := exchange(); cannotRename(err) {
		return replaceCompared(folder, old, temporary, name, before)
	} else if errors.Is(err, unix.ENOENT) {
		return ErrChanged
	} else if err != nil {
		return pathError("exchange", name, err)
	}
	if isAt(folder, temporary, old) && settled(old, before) {
		return folder.Remove(temporary)
	}
	if err := exchange(); err != nil {
		return pathError("exchange", name, err)
	}
	return ErrChanged
}

// remove takes a file out of its place and looks at it, as replace does; if it is not what it was, it is put back.
func remove(folder *os.Root, old *os.File, name string, before []byte) error {
	dir, err := folder.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	_ = flock(old)
	if !holds(old, before) {
		return ErrChanged
	}
	temporary := temporaryName()
	rename := func(from, to string) error {
		return systemcall.Retry(func() error {
			return unix.Renameat2(int(dir.Fd()), from, int(dir.Fd()), to, unix.RENAME_NOREPLACE)
		})
	}
	if err := rename(name, temporary); cannotRename(err) {
		return removeCompared(folder, old, name, before)
	} else if errors.Is(err, unix.ENOENT) {
		return ErrChanged
	} else if err != nil {
		return pathError("remove", name, err)
	}
	if isAt(folder, temporary, old) && settled(old, before) {
		return folder.Remove(temporary)
	}
	if err := rename(temporary, name); err != nil {
		return pathError("remove", name, err)
	}
	return ErrChanged
}

// cannotRename tells that the kernel or the file system has no such way to rename.
func cannotRename(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}

// settled tells whether a file that has lost its name still has a content, once nobody is writing it any more. The kernel gives a
// lease for reading only where nobody has the file open for writing; file systems that give none are waited for a moment.
func settled(old *os.File, before []byte) bool {
	for range 10 {
		if !holds(old, before) {
			return false
		}
		_, err := unix.FcntlInt(old.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
		if err == nil {
			same := holds(old, before)
			_, _ = unix.FcntlInt(old.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
			return same
		}
		if !errors.Is(err, unix.EAGAIN) { // no leases here, or not for this user
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return holds(old, before)
}
